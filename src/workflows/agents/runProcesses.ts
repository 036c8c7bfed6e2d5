import type { Digest } from '../../core/digest/digest';
import type { LiveNetwork } from '../../core/views/liveRun';
import type { WatchedFolder } from '../../overlay/agent/agentSession';
import { agentPackets } from '../../overlay/agent/agentPackets';
import type { DigestQuestion } from '../../overlay/agent/digestSession';
import { ProcessConnection } from '../../overlay/agent/processConnection';
import type { ControlListener, OpenedProcess, ProcessSource } from '../../overlay/agent/processLink';
import { isOfThisHost, isSameHost, socketHost, socketNames } from '../../overlay/agent/processSocket';
import type { AgentEvent } from '../../overlay/agent/remoteProcesses';
import { Agents, type AgentWay } from './agents';
import { liveNetwork } from './liveNetwork';

/** To agents that search. */
export interface SearchStream {
  readonly hosts: readonly string[];
  readonly send: (order: string) => void;
}

export interface RunProcessesOptions {
  /** Sockets of the run, in a folder that all its hosts share. */
  readonly watched: WatchedFolder;
  /** How agents come to hosts; each way is one command. */
  readonly ways: (hosts: readonly string[]) => Promise<readonly AgentWay[]>;
  /** Whether processes on other hosts are seen as sums over those that do alike; default: where there are more than `mostInDetail`. */
  readonly reduce?: boolean | undefined;
  /** What agents are asked in a reduced run at first. */
  readonly question: DigestQuestion;
  readonly signal: AbortSignal;
  /** Receives sentences for the user. */
  readonly note: (sentence: string) => void;
}

/** Processes of a job begin at about the same time; their agents are started by one command where that is possible. */
const settleMilliseconds = 500;
/** More processes than that on other hosts are reduced on their way. */
const mostInDetail = 64;
/** An agent that is lost is replaced so often. */
const mostAgents = 3;
const mostFailures = 20;

/** Another host with processes of the run. */
interface Host {
  state: 'waiting' | 'starting' | 'watched' | 'given-up';
  /** When it was seen, or lost its agent. */
  since: number;
  agents: number;
}

/**
 * The processes of a run, wherever they are: those on this host directly, those on others through agents. A host gets its agent when the first socket
 * of one of its processes is in the folder, and another one when that is lost; without one, its processes run on unwatched.
 */
export class RunProcesses implements ProcessSource {
  /** Whether other hosts are seen as `digests` only; decided when the first agents are started, or when somebody settles it. */
  isReduced = false;
  private isSettled = false;
  private unreachable = 0;
  private readonly hosts = new Map<string, Host>();
  private readonly end = new AbortController();
  private readonly failures: string[] = [];
  private beginning: Promise<Agents> | undefined;
  private agents: Agents | undefined;
  private starting: Promise<unknown> = Promise.resolve();
  private onSearchLost: ((host: string) => void) | undefined;

  constructor(private readonly options: RunProcessesOptions) {}

  async names(): Promise<readonly string[]> {
    const all = await socketNames(this.options.watched.folder);
    const here = all.filter(isOfThisHost);
    const others = all.filter((name) => !isOfThisHost(name)).map(socketHost);
    for (const name of new Set(others))
      if (!this.hosts.has(name))
        this.hosts.set(name, { state: 'waiting', since: performance.now(), agents: 0 });
    if (!this.isSettled && this.beginning === undefined)
      this.isReduced = this.options.reduce ?? others.length > mostInDetail;
    this.startWaiting();
    this.unreachable = others.filter((name) => this.hosts.get(name)?.state === 'given-up').length;
    return [...here, ...((await this.agents?.processes.names()) ?? [])];
  }

  open(name: string, listener: ControlListener): Promise<OpenedProcess> {
    const { folder, token } = this.options.watched;
    if (this.agents === undefined || isOfThisHost(name))
      return ProcessConnection.open(folder, name, token, listener);
    return this.agents.processes.open(name, listener);
  }

  /** From now on the run is reduced, or not, as it is now: what was shown cannot change its kind. */
  settle(): void {
    this.isSettled = true;
  }

  get elsewhere(): { readonly processes: number; readonly ranks: number } {
    const clusters = this.digests.flatMap((digest) => digest.clusters);
    const reduced = clusters.reduce((sum, { processes }) => sum + processes, 0);
    return { processes: this.unreachable + reduced, ranks: this.digests[0]?.ranks ?? 1 };
  }

  /** Of a reduced run: the one of all processes on other hosts, once it is there. */
  get digests(): readonly Digest[] {
    const latest = this.agents?.digests?.latest;
    return latest === undefined ? [] : [latest];
  }

  /** Of a reduced run: what agents are asked from now on. */
  ask(question: Partial<DigestQuestion>): void {
    const digests = this.agents?.digests;
    if (digests !== undefined) digests.question = { ...digests.question, ...question };
  }

  /**
   * A stream to the agents that are there now, for a search on their hosts; undefined: there are none, or the run is reduced.
   * @param onReport receives what they report @param onLost of an agent whose search is over: another one does not go on with it
   */
  search(onReport: (text: string) => void, onLost: (host: string) => void): SearchStream | undefined {
    const { agents } = this;
    this.onSearchLost = onLost;
    if (agents === undefined || this.isReduced) return undefined;
    const { network } = agents;
    const stream = network.newStream(network.broadcastCommunicator(), { synchronisation: { kind: 'none' } });
    stream.onPacket((packet) => onReport(String(packet.unpack(agentPackets.report.format)[0])));
    return {
      hosts: [...this.hosts].flatMap(([name, { state }]) => (state === 'watched' ? [name] : [])),
      send: (text) => stream.send(agentPackets.order.tag, agentPackets.order.format, text),
    };
  }

  /** Undefined while there is none. */
  get network(): LiveNetwork | undefined {
    const nodes = this.agents?.network.topology();
    if (nodes === undefined && this.failures.length === 0) return undefined;
    return liveNetwork(nodes ?? [], this.failures);
  }

  /** Ends all agents. */
  async close(): Promise<void> {
    this.end.abort();
    await this.starting;
    await this.agents?.close();
  }

  private startWaiting(): void {
    const waiting = [...this.hosts].filter(([, { state }]) => state === 'waiting');
    const last = Math.max(...waiting.map(([, { since }]) => since));
    if (waiting.length === 0 || this.end.signal.aborted) return;
    if (performance.now() < last + settleMilliseconds) return;
    for (const [, host] of waiting) {
      host.state = 'starting';
      host.agents++;
    }
    const names = waiting.map(([name]) => name);
    this.starting = Promise.all([this.starting, this.start(names)]);
  }

  private async start(hosts: readonly string[]): Promise<void> {
    try {
      this.agents ??= await (this.beginning ??= this.begin(hosts.length));
      const { agents } = this;
      const ways = await this.options.ways(hosts);
      await Promise.all(
        ways.map((way) => agents.add(way).catch((error: unknown) => this.failed(way.hosts, error))),
      );
    } catch (error) {
      this.failed(hosts, error);
    }
  }

  private begin(count: number): Promise<Agents> {
    const { watched, question, signal } = this.options;
    return Agents.begin(count, {
      watched,
      ...(this.isReduced ? { reduced: question } : {}),
      signal: AbortSignal.any([signal, this.end.signal]),
      onEvent: (event) => this.event(event),
      onNetworkEvent: (event) => {
        if (event.kind === 'problem')
          this.addFailure(`Process ${event.rank} of the network: ${event.message}`);
        else if (event.kind === 'lost' && event.role === 'inner')
          this.addFailure(
            `The inner process ${event.rank} of the network was lost; the processes below it have another parent.`,
          );
      },
    });
  }

  private event(event: AgentEvent): void {
    if (this.end.signal.aborted) return;
    const host = [...this.hosts].find(([name]) => isSameHost(name, event.host))?.[1];
    if (host === undefined) return;
    if (event.kind === 'agent-joined') {
      host.state = 'watched';
      return;
    }
    host.state = host.agents < mostAgents ? 'waiting' : 'given-up';
    host.since = performance.now();
    this.onSearchLost?.(event.host);
    const next =
      host.state === 'waiting' ? 'Another one is started' : 'They run on and are not watched any more';
    this.note(
      `The agent on ${event.host} was lost (${event.why}), and with it the sight of ${counted(event.processes)} of the program. ${next}.`,
    );
  }

  /** No other attempt: what cannot be started now cannot be started in a second. */
  private failed(hosts: readonly string[], error: unknown): void {
    if (this.end.signal.aborted) return;
    for (const name of hosts) {
      const host = this.hosts.get(name);
      if (host !== undefined) host.state = 'given-up';
    }
    const why = error instanceof Error ? error.message : String(error);
    this.note(`The processes on ${hosts.join(', ')} are not watched. ${why}`);
  }

  private note(sentence: string): void {
    this.addFailure(sentence);
    this.options.note(sentence);
  }

  private addFailure(sentence: string): void {
    this.failures.push(sentence);
    this.failures.splice(0, this.failures.length - mostFailures);
  }
}

function counted(processes: readonly string[] | undefined): string {
  if (processes === undefined) return 'all processes on that host';
  return processes.length === 1 ? 'one process' : `${processes.length} processes`;
}
