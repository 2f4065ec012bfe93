import { globsMeet } from "../base/uri-globs.ts";
import { own } from "../base/json.ts";
import type { AddressRule, Grant, PlannedRole } from "../3-plan/types.ts";
import { mayClose } from "../../runtime/closed-address.ts";
import { closesNoStateAddress } from "./state-addresses.ts";
import type { Check } from "./types.ts";

/** What roles read beside tools: an address belongs to one server, and what takes something away takes it from something. */
export const checkResources: Check = ({ model, plan }, report) => {
  for (const role of plan.roles) {
    const reading = role.grants.filter(({ resources }) => resources !== undefined);
    reading.forEach((grant, i) => {
      for (const other of reading.slice(i + 1)) {
        const pair = meeting(grant, other);
        if (pair === undefined) continue;
        const [one, two] = pair;
        report.add(
          "role/addresses-meet",
          one.from,
          {
            role: role.name,
            server: grant.server.name,
            glob: one.written,
            other: other.server.name,
            also: two.written,
          },
          [{ says: `this may mean the same of \`${other.server.name}\``, at: two.from }],
        );
      }
    });
  }
  for (const role of model.roles) {
    const heirs = plan.roles.filter(({ lineage }) => lineage.includes(role.name));
    for (const { server, exclude } of role.addresses)
      for (const rule of exclude)
        if (!closesNoStateAddress(server, rule, model) && !heirs.some((heir) => includes(heir, server, rule)))
          report.add("role/excludes-no-address", rule.from, { glob: rule.written, server });
  }
};

function meeting(grant: Grant, other: Grant): readonly [AddressRule, AddressRule] | undefined {
  for (const one of grant.resources?.include ?? [])
    for (const two of other.resources?.include ?? []) if (globsMeet(one.written, two.written)) return [one, two];
  return undefined;
}

function includes({ grants }: PlannedRole, server: string, { written }: AddressRule): boolean {
  const include = grants.find((grant) => grant.server.name === server)?.resources?.include ?? [];
  return include.some((one) => mayClose(written, one.written));
}

/** Worth knowing, where the pin says what its server has. */
export const checkResourceless: Check = ({ plan }, report) => {
  for (const role of plan.roles)
    for (const { server, resources } of role.grants) {
      const { manifest } = server;
      if (resources === undefined || manifest === undefined || Object.keys(manifest.capabilities).length === 0)
        continue;
      const [first] = resources.include;
      if (own(manifest.capabilities, "resources") === undefined)
        report.add("role/no-resources", first!.from, { role: role.name, server: server.name });
    }
};
