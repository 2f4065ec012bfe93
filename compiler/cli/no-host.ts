import { hostMeant, HOSTS } from "../2-model/hosts.ts";
import { notThere } from "./words.ts";

/** Wherever a command takes a host. */
export function noHost(written: string): string {
  return notThere("host", written, hostMeant(written, HOSTS));
}
