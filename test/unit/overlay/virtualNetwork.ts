import { randomNumbers } from '../../../src/core/randomNumbers';
import type { Hello } from '../../../src/overlay/control/messages';
import type { OverlayEvent } from '../../../src/overlay/events';
import type { FilterClass } from '../../../src/overlay/filters/filter';
import type { Layout } from '../../../src/overlay/layout/layout';
import { BackEnd, type BackEndStream } from '../../../src/overlay/members/backEnd';
import { FrontEnd } from '../../../src/overlay/members/frontEnd';
import { InnerProcess } from '../../../src/overlay/members/innerProcess';
import type { Link, Surroundings } from '../../../src/overlay/members/surroundings';
import type { Packet } from '../../../src/overlay/packets/packet';

type Member = FrontEnd | InnerProcess | BackEnd;

interface VirtualLink {
  readonly ends: readonly [number, number];
  isOpen: boolean;
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

/**
 * A network in virtual time: connections are queues with random delays, processes are killed with whatever they had sent arriving wholly,
 * partly or not at all. Everything is determined by the seed.
 */
export class VirtualNetwork {
  now = 0;
  readonly events: OverlayEvent[] = [];
  readonly ended = new Map<number, string>();
  /** Frames that each process has received. */
  readonly received = new Map<number, number>();
  /** Bytes over each connection, by `parent-child`. */
  readonly bytes = new Map<string, number>();
  readonly frontEnd: FrontEnd;
  readonly random: () => number;
  private readonly members = new Map<number, Member>();
  private readonly links = new Set<VirtualLink>();
  private readonly heap: Event[] = [];
  private readonly started = new Set<number>();
  private order = 0;

  constructor(
    readonly layout: Layout,
    seed: number,
    private readonly handlers: {
      readonly onPacket: (rank: number, packet: Packet, stream: BackEndStream) => void;
      readonly onRoom?: (rank: number, stream: BackEndStream) => void;
      readonly load?: (rank: number) => FilterClass;
      readonly delay?: number;
      /** Of the clock of a process, in seconds. */
      readonly ahead?: (rank: number) => number;
    },
  ) {
    this.random = randomNumbers(seed);
    this.frontEnd = new FrontEnd(this.address(layout.root), 3000, this.surroundings(layout.root), {
      event: (event) => void this.events.push(event),
      load: () => undefined,
      onRoom: () => undefined,
    });
    this.members.set(layout.root, this.frontEnd);
    this.startChildren(layout.root);
    while (this.frontEnd.membership.all().length < layout.nodes.length) this.step();
    this.frontEnd.begin();
  }

  add(rank: number, parent: number): void {
    const isLeaf = (this.layout.nodes[rank]?.children ?? []).length === 0;
    const self = this.address(rank);
    const member = isLeaf
      ? new BackEnd({ ...self, role: 'back-end', port: 0 }, this.surroundings(rank), {
          onPacket: (packet, stream) => this.handlers.onPacket(rank, packet, stream),
          onRoom: (stream) => this.handlers.onRoom?.(rank, stream),
          onClose: () => undefined,
        })
      : new InnerProcess(self, this.surroundings(rank));
    this.started.add(rank);
    this.members.set(rank, member);
    member.parent.start(this.address(parent), this.address(this.layout.root));
  }

  /** As in a real network, when the process is connected itself. */
  private startChildren(rank: number): void {
    for (const child of this.layout.nodes[rank]?.children ?? [])
      if (!this.started.has(child)) this.add(child, rank);
  }

  member(rank: number): Member | undefined {
    return this.members.get(rank);
  }

  get inner(): readonly number[] {
    return [...this.members].filter(([, member]) => member instanceof InnerProcess).map(([rank]) => rank);
  }

  /** Ends the process at once; what it has sent and did not arrive yet is lost behind some point. */
  kill(rank: number): void {
    this.members.delete(rank);
    for (const link of [...this.links]) {
      if (!link.ends.includes(rank)) continue;
      this.links.delete(link);
      const cut = this.now + this.random() * 2;
      const other = link.ends[0] === rank ? link.ends[1] : link.ends[0];
      this.at(cut, () => {
        link.isOpen = false;
        this.tellClosed(other, rank, link);
      });
    }
  }

  /** Runs until nothing happens any more, or `until` says so. */
  run(until: () => boolean = () => false, limit = 600_000): void {
    while (this.heap.length > 0 && !until()) {
      if (this.now > limit) throw new Error(`nothing came to an end within ${limit} ms of virtual time`);
      this.step();
    }
  }

  step(): void {
    const event = this.pop();
    if (event === undefined) throw new Error('nothing happens any more');
    this.now = event.at;
    event.act();
  }

  private readonly handles = new Map<VirtualLink, readonly [Link, Link]>();

  private surroundings(rank: number): Surroundings {
    return {
      after: (milliseconds, call) => {
        let isStopped = false;
        this.at(this.now + milliseconds, () => {
          if (!isStopped && this.members.has(rank)) call();
        });
        return () => void (isStopped = true);
      },
      now: () => this.now / 1000 + (this.handlers.ahead?.(rank) ?? 0),
      connect: (to, hello) => this.connect(rank, to.rank, hello),
      load: async () => {
        const filter = this.handlers.load?.(rank);
        if (filter === undefined) throw new Error('there is no such module');
        return Promise.resolve(filter);
      },
      ended: (why) => {
        this.ended.set(rank, why);
        this.kill(rank);
      },
    };
  }

  private connect(child: number, parent: number, hello: Hello): void {
    this.at(this.now + this.delay(), () => {
      const target = this.members.get(parent);
      const asking = this.members.get(child);
      if (asking === undefined || asking instanceof FrontEnd) return;
      const link: VirtualLink = { ends: [parent, child], isOpen: true };
      const down = this.end(link, parent, child);
      const up = this.end(link, child, parent);
      this.handles.set(link, [down, up]);
      // It opens at the child before anything can arrive there.
      const isAccepted = target !== undefined && !(target instanceof BackEnd) && target.accept(hello, down);
      if (!isAccepted) {
        asking.parent.refused();
        return;
      }
      this.links.add(link);
      asking.parent.opened(up);
      this.startChildren(child);
    });
  }

  private end(link: VirtualLink, from: number, to: number): Link {
    let last = 0;
    return {
      send: (bytes, start = 0, end = bytes.length) => {
        if (!link.isOpen) return;
        const copy = Buffer.from(bytes.subarray(start, end));
        const key = `${link.ends[0]}-${link.ends[1]}`;
        this.bytes.set(key, (this.bytes.get(key) ?? 0) + copy.length);
        last = Math.max(last, this.now + this.delay());
        this.at(last, () => {
          if (link.isOpen) this.deliver(to, from, copy, to === link.ends[0]);
        });
      },
      close: () => {
        const at = Math.max(last, this.now);
        this.links.delete(link);
        this.at(at + 0.001, () => {
          if (!link.isOpen) return;
          link.isOpen = false;
          this.tellClosed(to, from, link);
        });
      },
    };
  }

  private deliver(to: number, from: number, bytes: Buffer, isUp: boolean): void {
    const member = this.members.get(to);
    if (member === undefined) return;
    this.received.set(to, (this.received.get(to) ?? 0) + 1);
    if (member instanceof BackEnd) member.fromParent(bytes, 0, bytes.length);
    else if (isUp) member.fromChild(from, bytes, 0, bytes.length);
    else if (member instanceof InnerProcess) member.fromParent(bytes, 0, bytes.length);
  }

  private tellClosed(to: number, from: number, link: VirtualLink): void {
    const member = this.members.get(to);
    const [down, up] = this.handles.get(link) ?? [];
    if (member === undefined || down === undefined || up === undefined) return;
    if (to === link.ends[0]) {
      if (!(member instanceof BackEnd)) member.childClosed(from, down);
    } else if (!(member instanceof FrontEnd)) member.parent.closed(up);
  }

  private address(rank: number): { rank: number; host: string; port: number } {
    return { rank, host: 'localhost', port: 1000 + rank };
  }

  private delay(): number {
    return this.random() * (this.handlers.delay ?? 2);
  }

  at(time: number, act: () => void): void {
    this.heap.push({ at: time, order: this.order++, act });
    let position = this.heap.length - 1;
    while (position > 0) {
      const above = (position - 1) >> 1;
      if (!this.isBefore(position, above)) break;
      this.swap(position, above);
      position = above;
    }
  }

  private pop(): Event | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (this.heap.length === 0 || last === undefined) return first;
    this.heap[0] = last;
    for (let position = 0; ;) {
      let least = position;
      for (const below of [2 * position + 1, 2 * position + 2])
        if (below < this.heap.length && this.isBefore(below, least)) least = below;
      if (least === position) return first;
      this.swap(position, least);
      position = least;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const [first, second] = [this.heap[a]!, this.heap[b]!];
    return first.at < second.at || (first.at === second.at && first.order < second.order);
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b]!, this.heap[a]!];
  }
}
