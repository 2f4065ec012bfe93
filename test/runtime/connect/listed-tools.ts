import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The tools of a stdio server as it sends them, asked without any client. */
export async function listedTools(command: readonly string[]): Promise<readonly { readonly name: string }[]> {
  const [program, ...args] = command;
  const child = spawn(program!, args, { stdio: ["pipe", "pipe", "ignore"] });
  const say = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "test", version: "1" };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id?: number; result: { tools: readonly { name: string }[] } };
    if (id === 1) {
      say({ method: "notifications/initialized" });
      say({ id: 2, method: "tools/list" });
    }
    if (id !== 2) continue;
    child.kill("SIGKILL");
    return result.tools;
  }
  throw new Error(`${command.join(" ")} listed nothing`);
}
