import type { Socket } from "node:net";

/** Connections of those who have shown who they are, by whose they are. */
export interface Holders {
  readonly size: number;
  has(socket: Socket): boolean;
  hold(socket: Socket, holder: string): void;
  answering(socket: Socket): void;
  answered(socket: Socket): void;
  gone(socket: Socket): void;
  /** Of whoever holds the most that wait, the one that has waited longest: one client alone closes the door to nobody. */
  longestIdle(): Socket | undefined;
}

export function createHolders(): Holders {
  const holderOf = new Map<Socket, string>();
  /** In the order in which they came to wait. */
  const idle = new Map<string, Set<Socket>>();
  const busy = new Map<Socket, number>();
  const stopWaiting = (socket: Socket): void => {
    const holder = holderOf.get(socket);
    const waiting = holder === undefined ? undefined : idle.get(holder);
    waiting?.delete(socket);
    if (waiting?.size === 0) idle.delete(holder!);
  };
  const wait = (socket: Socket, holder: string): void => {
    const waiting = idle.get(holder) ?? new Set<Socket>();
    idle.set(holder, waiting.add(socket));
  };
  return {
    get size() {
      return holderOf.size;
    },
    has: (socket) => holderOf.has(socket),
    hold(socket, holder) {
      stopWaiting(socket);
      holderOf.set(socket, holder);
      if (!busy.has(socket)) wait(socket, holder);
    },
    answering(socket) {
      busy.set(socket, (busy.get(socket) ?? 0) + 1);
      stopWaiting(socket);
    },
    answered(socket) {
      const left = (busy.get(socket) ?? 0) - 1;
      if (left > 0) return void busy.set(socket, left);
      busy.delete(socket);
      const holder = holderOf.get(socket);
      if (holder !== undefined) wait(socket, holder);
    },
    gone(socket) {
      stopWaiting(socket);
      holderOf.delete(socket);
      busy.delete(socket);
    },
    longestIdle() {
      let most: Set<Socket> | undefined;
      for (const waiting of idle.values()) if (waiting.size > (most?.size ?? 0)) most = waiting;
      return most?.values().next().value;
    },
  };
}
