// An app over a generated team that ends in the way that its argument says, in the middle of its work: it prints the
// numbers of its servers' processes, has calls under way, and closes nothing.
const [module, how, pids, record] = process.argv.slice(2);
const { team } = await import(module);
const config = { ignoreEnd: true, child: true, pids };
const env = { CHILD: JSON.stringify(config) };
const crew = team({ env, record, on: () => {} });
const sailor = crew.as("sailor");
const { meta } = await sailor.child.seen({});
const { pid, childPid } = meta.raw.structuredContent;
for (let i = 0; i < 20; i++) await sailor.child.echo({ i });
for (let i = 0; i < 4; i++) sailor.child.hang({}).catch(() => {});
console.log(JSON.stringify({ servers: [pid, childPid] }));

const ways = {
  wait: () => {},
  exit: () => process.exit(0),
  throw: () =>
    setImmediate(() => {
      throw new Error("careless");
    }),
  close: () => crew.close(),
};
ways[how]();
