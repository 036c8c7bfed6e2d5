import type { Configuration } from '../control/configuration';
import {
  type DownMessage,
  type Hello,
  readDownMessage,
  readUpMessage,
  type UpMessage,
} from '../control/messages';
import { FilterTable } from '../filters/filterTable';
import { frameKinds, jsonFrame, readJson, StreamFrame, streamFrame } from '../packets/frame';
import type { OverlayError } from '../packets/overlayError';
import { asOverlayError } from '../streams/upStream';
import { ChildClocks } from './childClocks';
import { FilterLoading } from './filterLoading';
import { ParentLink } from './parentLink';
import { Relay } from './relay';
import type { Address, Link, Surroundings } from './surroundings';

/** Children get this long to end after the order to shut down. */
const shutdownMilliseconds = 1000;

/** Why a process ends that was ordered to. */
export const shutdownReason = 'The front end has ended the network.';

/** A process between the front end and the back ends: it runs filters and passes on, and is neither source nor sink of data. */
export class InnerProcess {
  private readonly relay: Relay;
  readonly parent: ParentLink;
  private readonly filters = new FilterTable();
  private readonly loading: FilterLoading;
  /** What each connected child has said of itself. */
  private readonly hellos = new Map<number, Hello>();
  /** Children that have closed the connection because they look for another parent, with their attempt. */
  private readonly moved = new Map<number, number>();
  private readonly loads: (readonly number[])[] = [];
  private readonly clocks: ChildClocks;
  private isEnding = false;

  constructor(
    private readonly self: Address,
    private readonly surroundings: Surroundings,
  ) {
    const { rank } = self;
    this.clocks = new ChildClocks(surroundings.now);
    this.parent = new ParentLink({ ...self, role: 'inner' }, surroundings, {
      children: () => [...this.hellos.values()].map((hello) => [hello.rank, hello.attempt]),
    });
    this.relay = new Relay(rank, false, this.filters, surroundings.after, {
      wave: (stream, { sequence, parts, packets, states }) => {
        const all = states.length === 0 ? packets : [...packets, ...states];
        const { epoch } = this.relay;
        this.parent.send(streamFrame({ kind: frameKinds.up, epoch, stream, sequence, parts, packets: all }));
      },
      reverseUp: (bytes, from, to) => this.parent.send(bytes, from, to),
      arrived: (stream, sequence) => {
        const { epoch } = this.relay;
        this.parent.send(streamFrame({ kind: frameKinds.arrived, epoch, stream, sequence }));
      },
      problem: (error) => this.problem(error),
    });
    this.loading = new FilterLoading(rank, this.filters, surroundings.load, (request, failures) =>
      this.parent.control({ kind: 'loaded', request, failures }),
    );
  }

  /** @returns whether the child is accepted; without a way to the front end it has to ask somebody else */
  accept(hello: Hello, link: Link): boolean {
    if (this.isEnding || !this.parent.acceptsChildren) return false;
    this.moved.delete(hello.rank);
    this.hellos.set(hello.rank, hello);
    this.relay.links.set(hello.rank, link);
    this.clocks.join(hello.rank);
    this.parent.control({ kind: 'joined', parent: this.self.rank, child: hello });
    return true;
  }

  childClosed(rank: number, link: Link): void {
    if (this.relay.links.get(rank) !== link) return;
    this.childGone(rank, 'ended');
    if (this.isEnding && this.hellos.size === 0) this.end();
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

  fromParent(bytes: Buffer, from: number, to: number): void {
    try {
      const kind = bytes[from + 4];
      if (kind === frameKinds.control) this.downMessage(readDownMessage(readJson(bytes, from, to)));
      else if (kind === frameKinds.down || kind === frameKinds.taken)
        this.relay.fromParent(new StreamFrame(bytes, from, to));
    } catch (error) {
      this.problem(asOverlayError(error, 'malformed'));
    }
  }

  problem({ reason, message }: OverlayError): void {
    this.parent.control({ kind: 'problem', rank: this.self.rank, reason, message: message.slice(0, 2048) });
  }

  /** Sends the load of this process, with what has come from below since the last time. */
  reportLoad(row: readonly number[]): void {
    this.parent.control({ kind: 'loads', rows: [[this.self.rank, ...row], ...this.loads.splice(0)] });
  }

  /** Measures the clocks of the children, and says what is known of those below. */
  probeClocks(): void {
    const rows = this.clocks.take();
    if (rows.length > 0) this.parent.control({ kind: 'clocks', rows });
    this.clocks.probe(this.relay.links);
  }

  private upMessage(rank: number, message: UpMessage): void {
    if (message.kind === 'leaving') this.childGone(rank, message.how);
    else if (message.kind === 'loaded') this.loading.answered(rank, message.request, message.failures);
    else if (message.kind === 'loads') this.loads.push(...message.rows);
    else if (message.kind === 'answer') this.clocks.answered(rank, message);
    else if (message.kind === 'clocks') this.clocks.learn(rank, message.rows);
    else this.parent.control(message);
  }

  private childGone(rank: number, how: 'ended' | 'moved' | 'left'): void {
    const attempt = this.hellos.get(rank)?.attempt ?? 0;
    this.hellos.delete(rank);
    this.clocks.leave(rank);
    this.relay.links.delete(rank);
    if (how === 'moved') this.moved.set(rank, attempt);
    if (!this.isEnding) this.parent.control({ kind: 'lost', parent: this.self.rank, rank, attempt, how });
  }

  private downMessage(message: DownMessage): void {
    switch (message.kind) {
      case 'configuration':
        this.configure(message.configuration);
        break;
      case 'load':
        this.load(message);
        break;
      case 'probe': {
        const now = this.surroundings.now();
        this.parent.control({ kind: 'answer', id: message.id, received: now, answered: now });
        break;
      }
      case 'shutdown':
        this.shutdown();
        break;
      case 'stream':
      case 'close':
      case 'parameters':
        this.relay.control(message);
    }
  }

  private configure(next: Configuration): void {
    if (!this.parent.configured(next)) return;
    this.relay.configure(next);
    const bytes = jsonFrame(frameKinds.control, { kind: 'configuration', configuration: next });
    for (const link of this.relay.childLinks()) link.send(bytes);
    this.correct();
  }

  /** Says again what the front end does not know: the report may have been lost with a process on the way. */
  private correct(): void {
    const { view } = this.relay;
    const parent = this.self.rank;
    for (const hello of this.hellos.values()) {
      const member = view.member(hello.rank);
      if (member?.state !== 'up' || member.parent !== parent || member.attempt !== hello.attempt)
        this.parent.control({ kind: 'joined', parent, child: hello });
    }
    for (const { rank, state, attempt } of view.children())
      if (state === 'up' && !this.hellos.has(rank))
        this.parent.control({
          kind: 'lost',
          parent,
          rank,
          attempt,
          how: this.moved.get(rank) === attempt ? 'moved' : 'ended',
        });
  }

  private load(message: Extract<DownMessage, { kind: 'load' }>): void {
    const children = this.relay.view
      .children()
      .filter(({ role, state }) => role === 'inner' && state === 'up');
    for (const { rank } of children) this.relay.links.get(rank)?.send(jsonFrame(frameKinds.control, message));
    this.loading.begin(
      message,
      children.map(({ rank }) => rank),
    );
  }

  private shutdown(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    const bytes = jsonFrame(frameKinds.control, { kind: 'shutdown' });
    for (const link of this.relay.links.values()) link.send(bytes);
    if (this.hellos.size === 0) this.end();
    else this.surroundings.after(shutdownMilliseconds, () => this.end());
  }

  private end(): void {
    for (const link of this.relay.links.values()) link.close();
    this.parent.close();
    this.surroundings.ended(shutdownReason);
  }
}
