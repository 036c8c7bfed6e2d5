import type { Digest } from '../../core/digest/digest';
import type { OverlayEvent } from '../events';
import type { FrontEndStream } from '../members/frontEnd';
import type { Network } from '../network/network';
import { readDigest } from '../services/digestPacket';
import { agentPackets } from './agentPackets';
import type { DigestQuestion } from './digestSession';
import type { AgentEvent } from './remoteProcesses';

/** How often agents are asked; milliseconds. */
const askEvery = 1000;
/** An agent that has not answered so long after others counts with what it said last; milliseconds. */
const patience = 500;

/**
 * The processes of a reduced run on all hosts with an agent, as one digest: what arrives here each second is one packet for each child of the front end, whatever
 * the number of agents and processes.
 */
export class RemoteDigests {
  /** Of the last second; undefined before the first one. */
  latest: Digest | undefined;
  private stream: FrontEndStream | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly hosts = new Map<number, string>();

  /** @param question what agents are asked from now on */
  constructor(
    public question: DigestQuestion,
    private readonly onEvent: (event: AgentEvent) => void,
  ) {}

  /** The network stands. From now on its events come to `event`. */
  begin(network: Pick<Network, 'newStream' | 'broadcastCommunicator'>): void {
    const synchronisation = { kind: 'timeout', milliseconds: patience } as const;
    this.stream = network.newStream(network.broadcastCommunicator(), { synchronisation, up: 'digests' });
    this.stream.onPacket((packet) => {
      this.latest = readDigest(packet);
    });
    this.timer = setInterval(() => this.ask(), askEvery);
  }

  event(event: OverlayEvent): void {
    if (event.kind === 'joined' && event.role === 'back-end') {
      this.hosts.set(event.rank, event.host);
      this.onEvent({ kind: 'agent-joined', host: event.host });
    } else if (event.kind === 'lost') this.lost(event.rank, 'it was killed, or cannot be reached');
    else if (event.kind === 'left') this.lost(event.rank, 'it has left');
  }

  close(): void {
    clearInterval(this.timer);
    this.stream?.close();
  }

  private ask(): void {
    const { tag, format } = agentPackets.ask;
    const { slotCount, suspend, firstIteration, phase = '' } = this.question;
    if (this.stream?.hasRoom === true)
      this.stream.send(tag, format, slotCount, suspend ? 1 : 0, firstIteration, phase);
  }

  private lost(rank: number, why: string): void {
    const host = this.hosts.get(rank);
    if (host === undefined) return;
    this.hosts.delete(rank);
    if (this.hosts.size === 0) this.latest = undefined;
    this.onEvent({ kind: 'agent-lost', host, processes: undefined, why });
  }
}
