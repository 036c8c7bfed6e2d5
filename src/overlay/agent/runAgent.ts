import type { BackEndStream } from '../members/backEnd';
import { connectBackEnd } from '../network/connectBackEnd';
import type { Packet } from '../packets/packet';
import type { AgentOrders } from './agentOrders';
import { agentPackets } from './agentPackets';
import { AgentSession, type WatchedFolder } from './agentSession';
import { DigestSession, type HostWatch } from './digestSession';
import { SearchSession, type HostSearch } from './searchSession';

/** One stream of the front end. */
type Session = AgentSession | DigestSession | SearchSession;

/** What an agent does by itself on its host. */
export interface HostWork {
  /** Computes digests of its processes, in a reduced run. */
  readonly watch: (watched: WatchedFolder) => HostWatch;
  /** Searches in its processes. @param report where reports go */
  readonly search: (watched: WatchedFolder, report: (text: string) => void) => HostSearch;
}

/**
 * Watches the processes of a run on this host for a front end, until the network ends or cannot be reached any more, or `signal` says so. Nothing of
 * this changes how the processes run.
 * @returns why it has ended
 */
export function runAgent(
  { invitation, watched }: AgentOrders,
  signal: AbortSignal,
  work: HostWork,
): Promise<string> {
  const sessions = new Map<number, Session>();
  return new Promise((resolve) => {
    const end = (why: string): void => {
      for (const session of sessions.values()) session.close();
      sessions.clear();
      resolve(why);
    };
    const sessionFor = (stream: BackEndStream, tag: number): Session => {
      if (tag === agentPackets.ask.tag) return new DigestSession(stream, work.watch(watched));
      if (tag === agentPackets.order.tag)
        return new SearchSession(stream, (report) => work.search(watched, report));
      return new AgentSession(stream, watched);
    };
    const sessionOf = (stream: BackEndStream, { tag }: Packet): Session => {
      const known = sessions.get(stream.id);
      if (known !== undefined) return known;
      const session = sessionFor(stream, tag);
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
