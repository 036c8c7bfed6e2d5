import type { Member } from '../control/configuration';
import type { OverlayEvent, TopologyNode } from '../events';
import type { FilterName } from '../filters/filterTable';
import type { Layout } from '../layout/layout';
import { type Communicator, FrontEnd, type FrontEndStream } from '../members/frontEnd';
import { type ProcessTotals, totalsOf } from '../members/processTotals';
import type { RankSkew } from '../services/clockSkew';
import type { Address, Surroundings } from '../members/surroundings';
import type { StreamSettings } from '../streams/sinkStream';
import { OverlayError } from '../packets/overlayError';
import { Attachments } from './attachments';
import { ChildProcesses } from './childProcesses';
import { beatsPerSilence, Traffic } from './connection';
import { newToken } from './handshake';
import { Listener } from './listener';
import { loadFilterModule } from './loadFilterModule';
import { LoadMonitor, type TypeLoad } from './loadMonitor';
import { hostClock, loadMilliseconds, ownLoad } from './ownLoad';
import type { Invitation, StartProcess } from './starting';

export interface NetworkOptions {
  /** The front end is its root. In mode `attach` it has the front end and the inner processes only. */
  readonly layout: Layout;
  readonly mode: 'launch' | 'attach';
  /** Starts the children of the front end; inner processes start theirs themselves. */
  readonly start: StartProcess;
  readonly onEvent?: (event: OverlayEvent) => void;
  /** A stream that had no room for packets to the back ends has some again. */
  readonly onRoom?: (stream: FrontEndStream) => void;
  /** All processes have to be connected by then; milliseconds, default 120,000. */
  readonly startMilliseconds?: number;
  /** A child of a lost process that is not heard of for longer is lost too; milliseconds, default 5,000. */
  readonly orphanMilliseconds?: number;
  /** A neighbour that is silent for longer is lost; milliseconds, default 20,000. */
  readonly silenceMilliseconds?: number;
}

/** Children of the front end have closed their connections by then. */
const closeMilliseconds = 1000;

/**
 * Starts the processes of the layout and connects them.
 * @throws OverlayError `start` naming rank and host of a process that has ended or is missing; no process is left then
 */
export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const { layout } = options;
  const host = layout.nodes[layout.root]?.host ?? 'localhost';
  const token = newToken();
  const traffic = new Traffic();
  const listener = new Listener({ token, traffic, layout: () => layout });
  const self = { rank: layout.root, host, port: await listener.listen(host) };
  const network = new Network(options, self, token, traffic, listener);
  await network.start();
  return network;
}

/** The network, seen from the front end's process. */
export class Network {
  private readonly monitor = new LoadMonitor();
  private readonly frontEnd: FrontEnd;
  private readonly children: ChildProcesses;
  private readonly attachments: Attachments;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly began = performance.now();
  private starting: { done(): void; failed(error: OverlayError): void } | undefined;

  /** Made by `createNetwork`. */
  constructor(
    private readonly options: NetworkOptions,
    self: Address,
    token: string,
    private readonly traffic: Traffic,
    private readonly listener: Listener,
  ) {
    const { layout, start, orphanMilliseconds = 5000, silenceMilliseconds = 20_000 } = options;
    const invitation = { root: self, token, silenceMilliseconds };
    const surroundings: Surroundings = {
      after: (milliseconds, call) => {
        const timer = setTimeout(call, milliseconds);
        return () => clearTimeout(timer);
      },
      now: hostClock,
      load: loadFilterModule,
      // The root has no parent.
      connect: () => undefined,
      ended: () => undefined,
    };
    this.frontEnd = new FrontEnd(self, orphanMilliseconds, surroundings, {
      event: (event) => this.event(event),
      load: (rank, totals) => this.report(rank, totals),
      onRoom: (stream) => options.onRoom?.(stream),
    });
    this.children = new ChildProcesses(start, { ...invitation, parent: self }, (error) =>
      this.frontEnd.problem(error),
    );
    this.attachments = new Attachments(invitation, layout.nodes.length, () => this.frontEnd.membership.all());
    listener.serve(this.frontEnd);
  }

  /** For `createNetwork`. */
  async start(): Promise<void> {
    const { layout, startMilliseconds = 120_000 } = this.options;
    try {
      await new Promise<void>((done, failed) => {
        this.starting = { done, failed };
        this.after(startMilliseconds, () => failed(this.missing(startMilliseconds)));
        this.children.startAll(layout);
        this.event(undefined);
      });
    } catch (error) {
      await this.shutdown();
      throw error;
    }
    this.starting = undefined;
    this.frontEnd.begin();
    this.every(loadMilliseconds, () => {
      this.report(layout.root, totalsOf(ownLoad(this.traffic)));
      this.frontEnd.probeClocks();
      this.monitor.average(this.seconds);
    });
    const { silenceMilliseconds = 20_000 } = this.options;
    this.every(silenceMilliseconds / beatsPerSilence, () => {
      for (const child of this.listener.children) child.beat(performance.now(), silenceMilliseconds);
    });
  }

  /** All back ends, those that come later too. */
  broadcastCommunicator(): Communicator {
    return { ranks: undefined };
  }

  /** @throws OverlayError `usage` when one of the ranks is not a back end of the network */
  newCommunicator(ranks: Iterable<number>): Communicator {
    const chosen = new Set(ranks);
    for (const rank of chosen)
      if (this.frontEnd.membership.get(rank)?.role !== 'back-end')
        throw new OverlayError('usage', `The process ${rank} is not a back end of the network.`);
    return { ranks: chosen };
  }

  /** Default: waits for all, no filters. @throws OverlayError `filter` when a filter has not been loaded */
  newStream(communicator: Communicator, settings: Partial<StreamSettings> = {}): FrontEndStream {
    return this.frontEnd.newStream(communicator, {
      synchronisation: { kind: 'all' },
      up: 'none',
      down: 'none',
      ...settings,
    });
  }

  /**
   * Loads a filter class in the front end and all inner processes, from a module that is on the disk of each of their hosts.
   * @param module absolute path
   * @throws OverlayError `filter` when it fails in any of them
   */
  loadFilter(module: string, name: string): Promise<FilterName> {
    return this.frontEnd.loadFilter(module, name);
  }

  /** An invitation for a back end that somebody else starts, at any time. It contains the token of the session. */
  invite(host: string): Invitation {
    return this.attachments.invite(host);
  }

  /** The processes of the network, those too that are lost or have left. */
  topology(): readonly TopologyNode[] {
    const { membership } = this.frontEnd;
    const { root } = this.options.layout;
    const shown = (member: Member, state: TopologyNode['state']): TopologyNode => ({
      rank: member.rank,
      role: member.role,
      host: member.host,
      parent: member.rank === root ? undefined : member.parent,
      state,
      pid: this.monitor.totalsOf(member.rank)?.pid,
      load: this.monitor.loadOf(member.rank),
    });
    return [
      ...membership.all().map((member) => shown(member, member.state)),
      ...[...membership.gone.values()].map((member) => shown(member, member.how)),
    ].sort((a, b) => a.rank - b.rank);
  }

  /** Averages per type of process and second, the last ten minutes, oldest first. */
  loads(): readonly TypeLoad[] {
    return this.monitor.averages();
  }

  /** How much later the clock here is than that of a process, once it has been measured (specification §3.3). */
  clockOf(rank: number): RankSkew | undefined {
    return this.frontEnd.clocks.of(rank);
  }

  /** What a process has used since its start, as of its last report. */
  totals(rank: number): ProcessTotals | undefined {
    return this.monitor.totalsOf(rank);
  }

  /** Ends all processes of the network, and settles when those on this host have ended. */
  async shutdown(): Promise<void> {
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    this.frontEnd.shutdown();
    const until = performance.now() + closeMilliseconds;
    while (this.frontEnd.connections > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 5));
    this.listener.close();
    await this.children.end();
  }

  private get seconds(): number {
    return (performance.now() - this.began) / 1000;
  }

  /** @param event undefined: only looks whether the network is complete */
  private event(event: OverlayEvent | undefined): void {
    // Whoever receives it may make streams: the change that it tells of has to be complete by then.
    if (event !== undefined) queueMicrotask(() => this.options.onEvent?.(event));
    if (event?.kind === 'lost') this.monitor.forget(event.rank);
    if (this.starting === undefined) return;
    if (event?.kind === 'problem' && event.reason === 'start')
      this.starting.failed(new OverlayError('start', event.message));
    else if (event?.kind === 'lost')
      this.starting.failed(
        new OverlayError(
          'start',
          `The process ${event.rank} on ${event.host} has ended before the network was complete.`,
        ),
      );
    else if (this.frontEnd.membership.all().length >= this.options.layout.nodes.length) this.starting.done();
  }

  private missing(milliseconds: number): OverlayError {
    const missing = this.options.layout.nodes.filter(
      ({ rank }) => this.frontEnd.membership.get(rank) === undefined,
    );
    const named = missing.slice(0, 5).map(({ rank, host }) => `${rank} on ${host}`);
    return new OverlayError(
      'start',
      `After ${milliseconds / 1000} s, ${missing.length} processes are not connected: ${named.join(', ')}${missing.length > 5 ? ', …' : ''}.`,
    );
  }

  private report(rank: number, totals: ProcessTotals): void {
    const member = this.frontEnd.membership.get(rank);
    if (member !== undefined) this.monitor.report(rank, member.role, totals, this.seconds);
  }

  private after(milliseconds: number, call: () => void): void {
    this.timers.push(setTimeout(call, milliseconds));
  }

  private every(milliseconds: number, call: () => void): void {
    this.timers.push(setInterval(call, milliseconds));
  }
}
