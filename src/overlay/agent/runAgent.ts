import type { BackEndStream } from '../members/backEnd';
import { connectBackEnd } from '../network/connectBackEnd';
import type { Packet } from '../packets/packet';
import type { AgentOrders } from './agentOrders';
import { agentPackets } from './agentPackets';
import { AgentSession, type WatchedFolder } from './agentSession';
import { DigestSession, type HostWatch } from './digestSession';

/** One stream of the front end. */
type Session = AgentSession | DigestSession;

/**
 * Watches the processes of a run on this host for a front end, until the network ends or cannot be reached any more, or `signal` says so. Nothing of
 * this changes how the processes run.
 * @param watchHost what computes digests of the processes of this host, in a reduced run
 * @returns why it has ended
 */
export function runAgent(
  { invitation, watched }: AgentOrders,
  signal: AbortSignal,
  watchHost: (watched: WatchedFolder) => HostWatch,
): Promise<string> {
  const sessions = new Map<number, Session>();
  return new Promise((resolve) => {
    const end = (why: string): void => {
      for (const session of sessions.values()) session.close();
      sessions.clear();
      resolve(why);
    };
    const sessionOf = (stream: BackEndStream, { tag }: Packet): Session => {
      const known = sessions.get(stream.id);
      if (known !== undefined) return known;
      const session =
        tag === agentPackets.ask.tag
          ? new DigestSession(stream, watchHost(watched))
          : new AgentSession(stream, watched);
      sessions.set(stream.id, session);
      return session;
    };
    const backEnd = connectBackEnd(invitation, {
      onPacket: (packet, stream) => {
        if (!signal.aborted) sessionOf(stream, packet).take(packet);
      },
      onRoom: ({ id }) => sessions.get(id)?.hasRoom(),
      onClose: ({ id }) => {
        sessions.get(id)?.close();
        sessions.delete(id);
      },
      onEnd: end,
    });
    const leave = (): void => {
      for (const session of sessions.values()) session.close();
      backEnd.leave();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
