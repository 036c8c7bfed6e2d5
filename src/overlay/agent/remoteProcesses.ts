import { KymoError } from '../../core/errors';
import type { OverlayEvent } from '../events';
import type { FrontEndStream } from '../members/frontEnd';
import type { Network } from '../network/network';
import type { Packet } from '../packets/packet';
import { agentPackets } from './agentPackets';
import { notWatchable, type ConnectionErrorReason } from './conversation';
import type { ControlListener, OpenedProcess, ProcessSource } from './processLink';
import { RemoteProcess } from './remoteProcess';

/** What happens to agents; the program runs on whatever it is. */
export type AgentEvent =
  | { readonly kind: 'agent-joined'; readonly host: string }
  /** Its processes (names of sockets; undefined in a reduced run) are not watched any more. */
  | {
      readonly kind: 'agent-lost';
      readonly host: string;
      readonly processes: readonly string[] | undefined;
      readonly why: string;
    };

/** Of one agent that can be connected to at a time, and UTF-16 units of a name. More is not remembered. */
const mostFound = 2 ** 16;
const longestName = 255;

interface Agent {
  readonly host: string;
  readonly stream: FrontEndStream;
  /** By the number that the agent gave: those that can be opened, and those that were. */
  readonly found: Map<number, string>;
  readonly opened: Map<number, RemoteProcess>;
}

/** The processes of a run on all hosts with an agent. Each agent has a stream of its own: what one process is asked concerns no other agent. */
export class RemoteProcesses implements ProcessSource {
  private readonly agents = new Map<number, Agent>();
  private network: Pick<Network, 'newStream' | 'newCommunicator' | 'topology'> | undefined;

  constructor(private readonly onEvent: (event: AgentEvent) => void) {}

  /** The network stands. From now on its events come to `event`. */
  begin(network: Pick<Network, 'newStream' | 'newCommunicator' | 'topology'>): void {
    this.network = network;
    for (const { rank, role, state, host } of network.topology())
      if (role === 'back-end' && state === 'up') this.joined(rank, host);
  }

  event(event: OverlayEvent): void {
    if (event.kind === 'joined' && event.role === 'back-end') this.joined(event.rank, event.host);
    else if (event.kind === 'lost') this.lost(event.rank, 'it was killed, or cannot be reached');
    else if (event.kind === 'left') this.lost(event.rank, 'it has left');
  }

  names(): Promise<readonly string[]> {
    return Promise.resolve([
      ...new Set([...this.agents.values()].flatMap(({ found }) => [...found.values()])),
    ]);
  }

  open(name: string, listener: ControlListener): Promise<OpenedProcess> {
    for (const { stream, found, opened } of this.agents.values())
      for (const [number, known] of found)
        if (known === name && !opened.has(number))
          return RemoteProcess.open({ name, number }, stream, listener, (process) =>
            opened.set(number, process),
          );
    return Promise.reject(notWatchable(name, undefined));
  }

  private joined(rank: number, host: string): void {
    const { network } = this;
    if (network === undefined) return;
    const stream = network.newStream(network.newCommunicator([rank]), { synchronisation: { kind: 'none' } });
    const agent: Agent = { host, stream, found: new Map(), opened: new Map() };
    this.agents.set(rank, agent);
    stream.onPacket((packet) => {
      try {
        take(agent, packet);
      } catch (error) {
        this.lost(rank, error instanceof Error ? error.message : String(error));
      }
    });
    stream.send(agentPackets.look.tag, agentPackets.look.format, 0);
    this.onEvent({ kind: 'agent-joined', host });
  }

  private lost(rank: number, why: string): void {
    const agent = this.agents.get(rank);
    if (agent === undefined) return;
    this.agents.delete(rank);
    agent.stream.close();
    const { host, found, opened } = agent;
    const failure = new KymoError<ConnectionErrorReason>(
      'process-ended',
      `the agent on ${host} is gone (${why}), so that the process is not watched any more. The program runs on`,
    );
    for (const process of opened.values()) process.end(failure);
    this.onEvent({ kind: 'agent-lost', host, processes: [...found.values()], why });
  }
}

/** @throws OverlayError `format`, `malformed` of what is no packet of an agent */
function take({ found, opened }: Agent, packet: Packet): void {
  const { messages, over } = agentPackets;
  if (packet.tag === agentPackets.found.tag) {
    const [number, name] = packet.unpack(agentPackets.found.format);
    if (found.size < mostFound && String(name).length <= longestName) found.set(Number(number), String(name));
  } else if (packet.tag === messages.tag) {
    const [number, bytes] = packet.unpack(messages.format);
    opened.get(Number(number))?.take(bytes as Uint8Array);
  } else if (packet.tag === over.tag) {
    const [number, why] = packet.unpack(over.format);
    const process = opened.get(Number(number));
    found.delete(Number(number));
    opened.delete(Number(number));
    process?.end(why === '' ? undefined : new Error(String(why)));
  }
}
