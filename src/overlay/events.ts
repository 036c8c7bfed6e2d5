import type { Role } from './control/configuration';
import type { OverlayReason } from './packets/overlayError';

/** What the front end reports of the network (specification §2.10); errors never end a process. */
export type OverlayEvent =
  /** A process belongs to the network for the first time. */
  | {
      readonly kind: 'joined';
      readonly rank: number;
      readonly role: Role;
      readonly host: string;
      readonly parent: number;
    }
  /** A process has ended without saying so, or was not heard of for too long after the loss of its parent. */
  | { readonly kind: 'lost'; readonly rank: number; readonly role: Role; readonly host: string }
  /** A child of a lost process has another parent. */
  | { readonly kind: 'adopted'; readonly rank: number; readonly parent: number }
  /** A back end has left because it wanted to. */
  | { readonly kind: 'left'; readonly rank: number }
  /** Something was refused or went wrong in the process of this rank. */
  | {
      readonly kind: 'problem';
      readonly rank: number;
      readonly reason: OverlayReason;
      readonly message: string;
    };

/** A process in the network's description of itself. */
export interface TopologyNode {
  readonly rank: number;
  readonly role: Role;
  readonly host: string;
  readonly parent: number | undefined;
  /** Undefined until its first report. */
  readonly pid: number | undefined;
  readonly state: 'up' | 'awaited' | 'lost' | 'left';
  /** Undefined until its first report. */
  readonly load: ProcessLoad | undefined;
}

/** What a process of the network used in the last second (specification §3.6). */
export interface ProcessLoad {
  /** Seconds of CPU per second; more than 1 is possible. */
  readonly cpu: number;
  /** Bytes per second on the connections of the network. */
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Messages per second that were read or written; each has one packet or several. */
  readonly messages: number;
  /** Bytes of resident memory. */
  readonly memory: number;
}
