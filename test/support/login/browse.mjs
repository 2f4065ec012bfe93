// A browser that nobody looks at: opens the address that it is given, and goes where it is led.
import { appendFileSync } from "node:fs";

const [history, address] = process.argv.slice(2);
appendFileSync(history, `${address}\n`);
await fetch(address).catch(() => {});
