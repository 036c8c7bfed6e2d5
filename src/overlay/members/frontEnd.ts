import type { Member } from '../control/configuration';
import { type Hello, readUpMessage, type UpMessage } from '../control/messages';
import type { OverlayEvent } from '../events';
import { type FilterName, FilterTable } from '../filters/filterTable';
import { frameKinds, jsonFrame, readJson, StreamFrame } from '../packets/frame';
import { OverlayError } from '../packets/overlayError';
import { Packet } from '../packets/packet';
import type { Packable } from '../packets/values';
import { SinkStream, type StreamSettings } from '../streams/sinkStream';
import { asOverlayError } from '../streams/upStream';
import { ChildClocks } from './childClocks';
import { FilterLoading, type LoadFailures } from './filterLoading';
import { Membership } from './membership';
import { type ProcessTotals, totalsOf } from './processTotals';
import { rangesOf } from './ranges';
import { encodePacket, Relay } from './relay';
import type { Address, Link, Surroundings } from './surroundings';

/** Changes of the tree within this time make one epoch. */
const gatherMilliseconds = 10;
const tellMilliseconds = 20;

/** Back ends of a stream. Without ranks: all of them, those that come later too. */
export interface Communicator {
  readonly ranks: ReadonlySet<number> | undefined;
}

/** A stream as the front end sees it. */
export interface FrontEndStream {
  readonly id: number;
  /**
   * Queues a packet to all back ends of the stream.
   * @param tag from 100
   * @returns whether there is room for more; if not, wait for `onRoom` of the network
   * @throws OverlayError `format`, `usage`
   */
  send(tag: number, format: string, ...values: readonly Packable[]): boolean;
  readonly hasRoom: boolean;
  /** The next result that has arrived, if there is one. Results that nobody takes slow the back ends down. */
  take(): Packet | undefined;
  /** Results go to `handler` from now on, as they arrive. */
  onPacket(handler: (packet: Packet) => void): void;
  /** For the filter of this direction, in all processes; also those that join later have them. @throws OverlayError `format` */
  setFilterParameters(which: 'up' | 'down', format: string, ...values: readonly Packable[]): void;
  close(): void;
}

export interface FrontEndHandlers {
  event(event: OverlayEvent): void;
  /** A report of a process: what it used since its start. */
  load(rank: number, since: ProcessTotals): void;
  onRoom(stream: FrontEndStream): void;
}

interface Entry {
  readonly sink: SinkStream;
  readonly communicator: Communicator;
  readonly shown: FrontEndStream;
}

interface PendingLoad {
  readonly message: {
    readonly request: number;
    readonly module: string;
    readonly name: string;
    readonly filter: FilterName;
  };
  readonly settle: (failures: LoadFailures) => void;
}

/** The root of the tree: it alone makes streams and decides about the tree and the cut from which an epoch goes on. */
export class FrontEnd {
  readonly membership: Membership;
  readonly clocks: ChildClocks;
  private readonly relay: Relay;
  private readonly filters = new FilterTable();
  private readonly loading: FilterLoading;
  private readonly streams = new Map<number, Entry>();
  private readonly loads = new Map<number, PendingLoad>();
  private numbers = { stream: 0, request: 0 };
  private hasBegun = false;
  private isEnding = false;
  private stopGather: (() => void) | undefined;
  private stopTell: (() => void) | undefined;

  constructor(
    private readonly self: Address,
    orphanMilliseconds: number,
    private readonly surroundings: Surroundings,
    private readonly handlers: FrontEndHandlers,
  ) {
    const { rank } = self;
    this.clocks = new ChildClocks(surroundings.now);
    const { after } = surroundings;
    const root = { ...self, role: 'front-end', parent: rank, state: 'up', since: 0, attempt: 0 } as const;
    this.membership = new Membership(root, orphanMilliseconds, after, {
      changed: () => this.changed(),
      event: (event) => handlers.event(event),
    });
    this.relay = new Relay(rank, true, this.filters, after, {
      wave: (stream, wave) => {
        this.streams.get(stream)?.sink.accept(wave);
        this.stopTell ??= after(tellMilliseconds, () => this.tellTaken());
      },
      reverseUp: (bytes, from, to) => {
        const frame = new StreamFrame(bytes, from, to);
        this.streams.get(frame.stream)?.sink.acceptReverse(frame.packets());
      },
      arrived: (stream, sequence) => {
        const entry = this.streams.get(stream);
        if (entry?.sink.setArrived(sequence) === true) handlers.onRoom(entry.shown);
      },
      problem: (error) => this.problem(error),
    });
    this.loading = new FilterLoading(rank, this.filters, surroundings.load, (request, failures) => {
      this.loads.get(request)?.settle(failures);
      this.loads.delete(request);
    });
  }

  /** The tree is complete: from now on there are epochs, and what is lost is replaced. */
  begin(): void {
    this.hasBegun = true;
    this.beginEpoch();
  }

  accept(hello: Hello, link: Link): boolean {
    if (this.isEnding) return false;
    this.relay.links.set(hello.rank, link);
    this.clocks.join(hello.rank);
    this.membership.joined(this.self.rank, hello, this.relay.epoch + 1);
    return true;
  }

  childClosed(rank: number, link: Link): void {
    if (this.relay.links.get(rank) === link) this.childGone(rank, 'ended');
  }

  fromChild(rank: number, bytes: Buffer, from: number, to: number): void {
    try {
      const kind = bytes[from + 4];
      if (kind === frameKinds.control) this.upMessage(rank, readUpMessage(readJson(bytes, from, to)));
      else if (kind === frameKinds.up || kind === frameKinds.arrived)
        this.relay.fromChild(rank, new StreamFrame(bytes, from, to));
    } catch (error) {
      this.problem(asOverlayError(error, 'malformed'));
    }
  }

  problem({ reason, message }: OverlayError): void {
    this.handlers.event({ kind: 'problem', rank: this.self.rank, reason, message });
  }

  newStream(communicator: Communicator, settings: StreamSettings): FrontEndStream {
    for (const name of [settings.up, settings.down])
      if (name !== 'none' && this.filters.find(name) === undefined)
        throw new OverlayError('filter', `The filter “${name}” has not been loaded.`);
    // Who has joined by now gets what is sent on the stream from the beginning.
    if (this.stopGather !== undefined) this.beginEpoch();
    const id = ++this.numbers.stream;
    const sink = new SinkStream(id, settings, this.relay.epoch, this.self.rank, (frame) =>
      this.downFrame(frame),
    );
    const entry = { sink, communicator, shown: this.shown(sink) };
    this.streams.set(id, entry);
    this.relay.control({ kind: 'stream', stream: this.definition(entry) });
    return entry.shown;
  }

  /**
   * Loads a filter in the front end and all inner processes.
   * @throws OverlayError `filter` naming the processes where it failed
   */
  async loadFilter(module: string, name: string): Promise<FilterName> {
    const request = ++this.numbers.request;
    const filter: FilterName = `custom ${request}`;
    const message = { request, module, name, filter };
    const failures = await new Promise<LoadFailures>((settle) => {
      this.loads.set(request, { message, settle });
      this.askToLoad(message);
    });
    const [first] = failures;
    if (first === undefined) return filter;
    const ranks = failures.map(([rank]) => rank).sort((a, b) => a - b);
    throw new OverlayError(
      'filter',
      `The filter ${name} of ${module} could not be loaded by the processes ${ranks.slice(0, 10).join(', ')}: ${first[1]}`,
    );
  }

  /** All processes end; the connections close as they do. */
  shutdown(): void {
    this.isEnding = true;
    this.tellTaken();
    const bytes = jsonFrame(frameKinds.control, { kind: 'shutdown' });
    for (const link of this.relay.links.values()) link.send(bytes);
  }

  get connections(): number {
    return this.relay.links.size;
  }

  /** Measures the clocks of the children; those below them are measured by their parents. */
  probeClocks(): void {
    this.clocks.probe(this.relay.links);
  }

  private upMessage(rank: number, message: UpMessage): void {
    switch (message.kind) {
      case 'joined':
        this.membership.joined(message.parent, message.child, this.relay.epoch + 1);
        break;
      case 'lost':
        this.membership.lost(message.parent, message.rank, message.attempt, message.how);
        break;
      case 'leaving':
        this.childGone(rank, message.how);
        break;
      case 'loaded':
        this.loading.answered(rank, message.request, message.failures);
        break;
      case 'answer':
        this.clocks.answered(rank, message);
        break;
      case 'clocks':
        this.clocks.learn(rank, message.rows);
        break;
      case 'problem':
        this.handlers.event(message);
        break;
      case 'loads':
        for (const [of, ...row] of message.rows)
          if (of !== undefined && this.membership.get(of) !== undefined)
            this.handlers.load(of, totalsOf(row));
    }
  }

  private childGone(rank: number, how: 'ended' | 'moved' | 'left'): void {
    this.relay.links.delete(rank);
    this.clocks.leave(rank);
    const member = this.membership.get(rank);
    if (!this.isEnding && member !== undefined)
      this.membership.lost(this.self.rank, rank, member.attempt, how);
  }

  private changed(): void {
    if (!this.hasBegun || this.isEnding) return;
    this.stopGather ??= this.surroundings.after(gatherMilliseconds, () => this.beginEpoch());
  }

  private beginEpoch(): void {
    this.stopGather?.();
    this.stopGather = undefined;
    if (this.isEnding) return;
    // Not before: waves of the last epoch that had arrived wholly may have been processed after the loss.
    for (const entry of this.streams.values()) {
      const ways = this.membership.waysFrom(this.backEndsOf(entry));
      entry.sink.inherit((rank) => this.membership.heirOf(rank, ways));
    }
    const configuration = {
      epoch: this.relay.epoch + 1,
      members: this.membership.all(),
      streams: [...this.streams.values()].map((entry) => this.definition(entry)),
    };
    this.relay.configure(configuration);
    const bytes = jsonFrame(frameKinds.control, { kind: 'configuration', configuration });
    for (const link of this.relay.childLinks()) link.send(bytes);
    for (const { sink } of this.streams.values()) {
      sink.adopted();
      sink.repeatTaken();
      for (const frame of sink.unconfirmed(configuration.epoch)) this.downFrame(frame);
    }
    for (const { message } of this.loads.values()) this.askToLoad(message);
  }

  private definition(entry: Entry): ReturnType<SinkStream['definition']> {
    return entry.sink.definition(rangesOf(this.backEndsOf(entry).map(({ rank }) => rank)), encodePacket);
  }

  private backEndsOf({ communicator: { ranks } }: Entry): readonly Member[] {
    return this.membership
      .all()
      .filter(({ rank, role }) => role === 'back-end' && (ranks === undefined || ranks.has(rank)));
  }

  private askToLoad(message: PendingLoad['message']): void {
    const children = this.relay.view
      .children()
      .filter(({ role, state }) => role === 'inner' && state === 'up');
    for (const { rank } of children)
      this.relay.links.get(rank)?.send(jsonFrame(frameKinds.control, { kind: 'load', ...message }));
    this.loading.begin(
      message,
      children.map(({ rank }) => rank),
    );
  }

  private downFrame(frame: Buffer): void {
    this.relay.fromParent(new StreamFrame(frame, 0, frame.length));
  }

  private tellTaken(): void {
    this.stopTell?.();
    this.stopTell = undefined;
    for (const { sink } of this.streams.values()) sink.tellTaken();
  }

  private shown(sink: SinkStream): FrontEndStream {
    const { id } = sink;
    return {
      id,
      send: (tag, format, ...values) => {
        this.downFrame(sink.add(this.relay.epoch, tag, format, values));
        return sink.hasRoom;
      },
      get hasRoom() {
        return sink.hasRoom;
      },
      take: () => {
        const packet = sink.take();
        this.stopTell ??= this.surroundings.after(tellMilliseconds, () => this.tellTaken());
        return packet;
      },
      onPacket: (handler) => sink.setHandler(handler),
      setFilterParameters: (which, format, ...values) => {
        const packet = encodePacket(Packet.of(0, this.self.rank, format, values));
        sink.setParameters(which, packet);
        this.relay.control({ kind: 'parameters', stream: id, which, packet });
      },
      close: () => {
        this.relay.control({ kind: 'close', stream: id });
        this.streams.delete(id);
      },
    };
  }
}
