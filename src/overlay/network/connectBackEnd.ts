import { BackEnd, type BackEndStream } from '../members/backEnd';
import type { Packet } from '../packets/packet';
import { ChildSide } from './childSide';
import { Traffic } from './connection';
import type { Invitation } from './starting';

export interface BackEndOptions {
  /** A packet of the front end has arrived, or one of a filter on the way. */
  readonly onPacket: (packet: Packet, stream: BackEndStream) => void;
  /** A stream that had no room has some again. */
  readonly onRoom?: (stream: BackEndStream) => void;
  readonly onClose?: (stream: BackEndStream) => void;
  /** The network has ended or cannot be reached any more. The process may live on without it. */
  readonly onEnd: (why: string) => void;
}

export interface ConnectedBackEnd {
  /** Writes what is queued now, instead of at the end of this turn of the event loop. */
  flush(): void;
  /** Leaves the network as soon as the front end has taken all that was sent. */
  leave(): void;
}

/** Makes this process a back end of a network. */
export function connectBackEnd(
  { rank, host, token, parent, root, silenceMilliseconds }: Invitation,
  { onPacket, onRoom, onClose, onEnd }: BackEndOptions,
): ConnectedBackEnd {
  const side = new ChildSide(() => member, new Traffic(), {
    token,
    silenceMilliseconds,
    layout: () => undefined,
    full: () => undefined,
    others: () => [],
    ended: onEnd,
  });
  const member: BackEnd = new BackEnd({ rank, host, role: 'back-end', port: 0 }, side, {
    onPacket,
    onRoom: (stream) => onRoom?.(stream),
    onClose: (stream) => onClose?.(stream),
  });
  member.parent.start(parent, root);
  return { flush: () => side.connection?.flush(), leave: () => member.leave() };
}
