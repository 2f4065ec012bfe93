import type { InboxAnswer, InboxItem } from "../../serve/inbox-lines.ts";
import { NOT_WAITING, type Inbox } from "./inbox.ts";
import type { SharedAsks } from "./shared-asks.ts";

/** Where a person sees all that waits, here and at other doors, and answers. */
export interface Answering {
  waiting(): Promise<readonly InboxItem[]>;
  answer(answer: InboxAnswer): Promise<string | undefined>;
  attend: Inbox["attend"];
  readonly approvers: number;
}

export function answeringTo(inbox: Inbox, shared: SharedAsks | undefined): Answering {
  const elsewhere = async (): Promise<readonly InboxItem[]> => {
    // What waits here is told all the same.
    return shared?.waiting().catch(() => []) ?? [];
  };
  return {
    waiting: async () => [...inbox.waiting(), ...(await elsewhere())],
    async answer(answer) {
      const why = inbox.answer(answer);
      if (why !== NOT_WAITING || shared === undefined) return why;
      return shared.answer(answer).catch(() => "the Redis that the doors share gives no answer: say it again");
    },
    attend(attendant) {
      const leaves = [inbox.attend(attendant), shared?.attend(attendant)];
      return () => leaves.forEach((leave) => leave?.());
    },
    get approvers() {
      return inbox.approvers;
    },
  };
}
