import { spawn } from "node:child_process";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Hands an address to the system's browser, without a shell. Resolves to false when there is none to be opened; a
 * program that is still at it after a moment counts as one that works.
 */
export function openBrowser(address: string, env: Env, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const { protocol } = new URL(address);
  const [command, ...args] = openerOf(platform);
  if (command === undefined || (protocol !== "https:" && protocol !== "http:")) return Promise.resolve(false);
  if (platform === "linux" && !env["DISPLAY"] && !env["WAYLAND_DISPLAY"]) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, address], { env, stdio: "ignore", detached: true });
    const patience = setTimeout(() => resolve(true), MOMENT_MS);
    const settle = (opened: boolean) => {
      clearTimeout(patience);
      resolve(opened);
    };
    child.once("error", () => settle(false));
    child.once("exit", (code) => settle(code === 0));
    child.unref();
  });
}

const MOMENT_MS = 1_000;

/** Windows' `start` is a word of its shell, which would read `&` in an address as its own. */
function openerOf(platform: NodeJS.Platform): readonly string[] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
