import type { Socket } from "node:net";
import { createShares } from "./shares.ts";

/** Connections of those who have shown who they are, by whose they are. */
export interface Holders {
  readonly size: number;
  has(socket: Socket): boolean;
  hold(socket: Socket, holder: string): void;
  /** False: it is being answered already. */
  answering(socket: Socket): boolean;
  answered(socket: Socket): void;
  gone(socket: Socket): void;
  /** Of whoever holds the most that wait, the one that has waited longest: one client alone closes the door to nobody. */
  longestIdle(): Socket | undefined;
}

export function createHolders(): Holders {
  const holderOf = new Map<Socket, string>();
  const idle = createShares<Socket>();
  const busy = new Set<Socket>();
  const stopWaiting = (socket: Socket): void => {
    const holder = holderOf.get(socket);
    if (holder !== undefined) idle.remove(holder, socket);
  };
  return {
    get size() {
      return holderOf.size;
    },
    has: (socket) => holderOf.has(socket),
    hold(socket, holder) {
      stopWaiting(socket);
      holderOf.set(socket, holder);
      if (!busy.has(socket)) idle.add(holder, socket);
    },
    answering(socket) {
      if (busy.has(socket)) return false;
      busy.add(socket);
      stopWaiting(socket);
      return true;
    },
    answered(socket) {
      busy.delete(socket);
      const holder = holderOf.get(socket);
      if (holder !== undefined) idle.add(holder, socket);
    },
    gone(socket) {
      stopWaiting(socket);
      holderOf.delete(socket);
      busy.delete(socket);
    },
    longestIdle: () => idle.longestOfMost()?.one,
  };
}
