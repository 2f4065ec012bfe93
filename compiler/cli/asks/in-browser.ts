import { wrap } from "../../base/wrap.ts";
import { openInboxDoor } from "../../io/serve/http/inbox-door.ts";
import { attendInboxes } from "../../io/serve/inboxes.ts";
import { watchInbox } from "../../io/serve/watching.ts";
import type { InboxItem } from "../../serve/inbox-lines.ts";
import { EXIT, say, tell, type Context } from "../command.ts";
import { answerLine, nextOf, placeFor, whyNot } from "./attending.ts";
import { askLines, isFolded } from "./page.ts";

/** `rolecall asks --page`: the inbox on a page of this machine. Somebody is there while a window shows it, and only then. */
export async function askInBrowser(context: Context): Promise<number> {
  const place = placeFor(context, "page");
  if (typeof place === "number") return place;
  let refuse: (exit: number) => void = () => {};
  const refused = new Promise<number>((resolve) => (refuse = resolve));
  const watching = watchInbox({
    shown,
    whole: (item) => askLines(item, true).lines,
    answerLine,
    attend: (hearer) => attendInboxes(place, "page", hearer),
    refused(told) {
      say(context.terminal, whyNot(told), nextOf(told, "name it in `serve:` of rolecall.yaml"));
      refuse(EXIT.errors);
    },
  });
  const door = await openInboxDoor(watching);
  context.terminal.out.write(`${door.address}\n`);
  const begins = "whoever has this address can answer: open it in a browser of your own; Ctrl+C ends";
  tell(context, `${wrap(begins, context.terminal.err.width).join("\n")}\n`);
  const exit = await Promise.race([context.terminal.stopped().then(() => EXIT.fine), refused]);
  await door.close();
  return exit;
}

function shown(item: InboxItem): object {
  const { id, hash } = item;
  const expires = item.kind === "call" ? item.expires : null;
  return { id, hash, expires, ...askLines(item, false), isFolded: isFolded(item) };
}
