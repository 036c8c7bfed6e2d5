import type { Hello } from '../control/messages';
import type { FilterClass } from '../filters/filter';
import type { After } from '../streams/synchronisation';

/** One connection, seen from a process: frames go out in order, and what was sent before the other side is lost may be lost with it. */
export interface Link {
  /** Copies the bytes: they may change afterwards. */
  send(bytes: Buffer, from?: number, to?: number): void;
  /** Sends what is queued, and ends the connection. */
  close(): void;
}

/** Where a process accepts children. */
export interface Address {
  readonly rank: number;
  readonly host: string;
  readonly port: number;
}

/**
 * What a process of the network needs of the world. The processes themselves are pure: the same calls in the same order give the same
 * frames, over sockets as in a simulation in virtual time.
 */
export interface Surroundings {
  readonly after: After;
  /** The clock of this host, in seconds since 1970. */
  readonly now: () => number;
  /** Answers with `opened`, or `refused` of the caller, later. */
  connect(to: Address, hello: Hello): void;
  /** @throws whatever when the module cannot be loaded, or has no such filter */
  readonly load: (module: string, name: string) => Promise<FilterClass>;
  /** The process has no network any more. */
  ended(why: string): void;
}
