import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";

/** A proxy as somebody runs it before several doors: on loopback, one after the other, ended by its id. */

export const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

export interface OwnProxy {
  readonly address: string;
  end(): Promise<void>;
}

/** As docs/deploy.md has it, without TLS. */
export async function proxyBefore(addresses: readonly string[]): Promise<OwnProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), "rolecall-nginx-"));
  const port = await freePort();
  const servers = addresses.map((address) => `server ${new URL(address).host} max_fails=1 fail_timeout=2s;`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `${userInfo().uid === 0 ? "user root;" : ""}
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off; ${temporary.join(" ")}
  upstream rolecall { ${servers.join(" ")} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 4m;
    location / {
      proxy_pass http://rolecall;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_buffering off;
      proxy_read_timeout 10m;
      proxy_next_upstream error timeout;
      proxy_next_upstream_tries 3;
    }
  }
}
`,
  );
  const child = spawn("nginx", ["-p", folder, "-c", path.join(folder, "nginx.conf")], { stdio: "ignore" });
  const ended = once(child, "exit");
  for (const late = Date.now() + 10_000; !(await answers(port));)
    if (Date.now() > late || child.exitCode !== null) throw new Error("nginx didn't start");
  return {
    address: `http://127.0.0.1:${port}`,
    async end() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("error", () => setTimeout(() => resolve(false), 50));
    socket.once("connect", () => socket.destroy());
  });
}
