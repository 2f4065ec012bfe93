import { createContext, Script } from "node:vm";

/**
 * Work that a stranger may have made long (a pattern that goes back and tries again, alternatives without end) and that
 * nothing else can stop, since it never comes to a point where others could run. `vm` ends it from a thread of its own.
 */

/** Runs it, or gives up. Costs about 0.1 ms. */
export type TimeLimit = <T>(work: () => T) => T | typeof GAVE_UP | typeof DISTURBED;
export const GAVE_UP: unique symbol = Symbol("gave up");
/** The machine was busy with something else, and the time wasn't ours: another try may be in time. */
export const DISTURBED: unique symbol = Symbol("disturbed");

/** Half of what an app may be still, since what is under way in one step can't be ended. */
export const DEADLINE_MS = 90;

export function createTimeLimit(): TimeLimit {
  const script = new Script("work()");
  const world: { work?: () => unknown } = {};
  const context = createContext(world);
  const within = <T>(work: () => T): T | typeof GAVE_UP => {
    let outcome: { readonly value: T } | undefined;
    world.work = () => void (outcome = { value: work() });
    try {
      script.runInContext(context, { timeout: DEADLINE_MS });
      return outcome!.value;
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return GAVE_UP;
      throw error;
    } finally {
      delete world.work;
    }
  };
  // Of this thread alone; newer versions of Node have it.
  const ownUsage = (process as { readonly threadCpuUsage?: Usage }).threadCpuUsage;
  return (work) => {
    const [own, all] = [ownUsage?.(), process.cpuUsage()];
    const outcome = within(work);
    if (outcome !== GAVE_UP) return outcome;
    const used = usedMs(ownUsage === undefined ? process.cpuUsage(all) : ownUsage(own));
    // Without that measure: more than one thread can use was used by others of the process too.
    const isOurs = used >= DEADLINE_MS / 2 && (ownUsage !== undefined || used <= DEADLINE_MS * 1.5);
    return isOurs ? GAVE_UP : DISTURBED;
  };
}

type Usage = (before?: NodeJS.CpuUsage) => NodeJS.CpuUsage;

function usedMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
