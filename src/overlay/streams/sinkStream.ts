import type { StreamDefinition } from '../control/configuration';
import type { FilterName } from '../filters/filterTable';
import type { SynchronisationRule } from '../filters/synchronisationRule';
import { frameKinds, type Part, setEpoch, streamFrame } from '../packets/frame';
import { OverlayError } from '../packets/overlayError';
import { firstUserTag, Packet } from '../packets/packet';
import type { Packable } from '../packets/values';
import { KeptFrames } from './keptFrames';
import type { Wave } from './upStream';

/** Bytes and packets that all back ends of a stream together may have on their way; each gets its share, within these limits. */
const windowBytes = { all: 16 * 2 ** 20, least: 16 * 2 ** 10, most: 2 ** 20 };
const windowPackets = { all: 2 ** 16, least: 16, most: 1024 };
/** Bytes and packets to the back ends that some of them have not got yet. */
const mostSentBytes = 16 * 2 ** 20;
const mostSentPackets = 2 ** 14;

export interface StreamSettings {
  readonly synchronisation: SynchronisationRule;
  readonly up: FilterName;
  readonly down: FilterName;
}

/** A result, and the wave that is taken with it. */
interface Waiting {
  readonly packet: Packet | undefined;
  /** Undefined: more of the same wave follows. */
  readonly wave:
    | { readonly sequence: number; readonly parts: readonly Part[]; readonly bytes: number }
    | undefined;
}

/**
 * The end of a stream in the front end. It knows the cut: the waves that it has processed, and the states of all filters right after them.
 */
export class SinkStream {
  private cut = 0;
  private readonly parts = new Map<number, number>();
  /** By the process that they belong to, or that takes them over. */
  private readonly states = new Map<number, readonly Packet[]>();
  private readonly kept = new KeptFrames();
  private results: Waiting[] = [];
  private handler: ((packet: Packet) => void) | undefined;
  /** What the user has taken and the back ends do not know to be taken. */
  private taken = 0;
  private readonly takenParts = new Map<number, number>();
  private untold = { waves: 0, bytes: 0, ranks: new Set<number>() };
  private parameters = { up: '', down: '' };
  private window = { packets: windowPackets.most, bytes: windowBytes.most };

  constructor(
    readonly id: number,
    readonly settings: StreamSettings,
    private readonly created: number,
    private readonly rank: number,
    private readonly sendTaken: (frame: Buffer) => void,
  ) {}

  /** Whether another packet to the back ends may be sent without waiting. */
  get hasRoom(): boolean {
    return this.kept.count < mostSentPackets && this.kept.bytes < mostSentBytes;
  }

  /** Where the stream goes on, for processes that begin an epoch. */
  definition(
    members: readonly (readonly [number, number])[],
    encode: (packet: Packet) => string,
  ): StreamDefinition {
    const count = members.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    this.window = { packets: share(windowPackets, count), bytes: share(windowBytes, count) };
    return {
      id: this.id,
      members,
      ...this.settings,
      upParameters: this.parameters.up,
      downParameters: this.parameters.down,
      windowPackets: this.window.packets,
      windowBytes: this.window.bytes,
      created: this.created,
      sent: this.kept.last,
      cut: this.cut,
      parts: [...this.parts],
      states: [...this.states].flatMap(([rank, packets]) =>
        packets.map((packet) => [rank, encode(packet)] as const),
      ),
    };
  }

  setParameters(which: 'up' | 'down', packet: string): void {
    this.parameters[which] = packet;
  }

  /** What lost processes held at the cut goes to their heirs. */
  inherit(heirOf: (rank: number) => number): void {
    for (const [rank, states] of [...this.states]) {
      const heir = heirOf(rank);
      if (heir === rank) continue;
      this.states.delete(rank);
      this.states.set(heir, [...(this.states.get(heir) ?? []), ...states]);
    }
  }

  /** The states that the front end's filter has taken over are in it now. */
  adopted(): void {
    this.states.delete(this.rank);
  }

  /** Takes the results of a wave that the front end's filter has processed. */
  accept({ sequence, parts, packets, states }: Wave): void {
    if (sequence > 0) this.cut = sequence;
    for (const part of parts) this.parts.set(part.rank, part.sequence);
    for (const state of states)
      if (state.source !== this.rank) this.states.set(state.source, state.format.text === '' ? [] : [state]);
    const bytes = packets.reduce((sum, packet) => sum + packet.size, 0);
    const wave = { sequence, parts, bytes };
    packets.forEach((packet, position) => {
      this.results.push({ packet, wave: position === packets.length - 1 ? wave : undefined });
    });
    if (packets.length === 0) this.results.push({ packet: undefined, wave });
    this.deliver();
  }

  /** A packet of a filter on the way, out of order. */
  acceptReverse(packets: readonly Packet[]): void {
    for (const packet of packets) this.results.push({ packet, wave: undefined });
    this.deliver();
  }

  /** Results go here from now on; without a handler they wait for `take`. */
  setHandler(handler: (packet: Packet) => void): void {
    this.handler = handler;
    this.deliver();
  }

  /** The next result, if there is one. */
  take(): Packet | undefined {
    while (this.results.length > 0) {
      const next = this.results.shift();
      this.takeWave(next?.wave);
      if (next?.packet !== undefined) return next.packet;
    }
    return undefined;
  }

  /** Tells the back ends what has been taken since the last time. */
  tellTaken(): void {
    if (this.untold.waves > 0) this.tell(this.untold.ranks);
  }

  /** Tells it all again: the last time may have been lost with a process on the way. */
  repeatTaken(): void {
    this.tell(this.takenParts.keys());
  }

  private tell(ranks: Iterable<number>): void {
    const parts = Array.from(ranks, (rank) => ({ rank, sequence: this.takenParts.get(rank) ?? 0 }));
    this.untold = { waves: 0, bytes: 0, ranks: new Set() };
    this.sendTaken(
      streamFrame({ kind: frameKinds.taken, epoch: 0, stream: this.id, sequence: this.taken, parts }),
    );
  }

  /** @returns the frame of the packet @throws OverlayError `format`, `usage` */
  add(epoch: number, tag: number, format: string, values: readonly Packable[]): Buffer {
    if (tag < firstUserTag)
      throw new OverlayError('usage', `Tags below ${firstUserTag} are the network's own.`);
    if (this.kept.count >= 2 * mostSentPackets || this.kept.bytes >= 2 * mostSentBytes)
      throw new OverlayError(
        'usage',
        `Stream ${this.id} has no room: wait until it has before sending more.`,
      );
    const frame = streamFrame({
      kind: frameKinds.down,
      epoch,
      stream: this.id,
      sequence: this.kept.last + 1,
      packets: [Packet.of(tag, this.rank, format, values)],
    });
    this.kept.add(frame);
    return frame;
  }

  /** @returns whether there is room again */
  setArrived(sequence: number): boolean {
    const had = this.hasRoom;
    if (sequence <= this.kept.last) this.kept.drop(sequence);
    return !had && this.hasRoom;
  }

  /** What some back end may not have got, for a new epoch. */
  unconfirmed(epoch: number): readonly Buffer[] {
    const frames = this.kept.after(0);
    for (const frame of frames) setEpoch(frame, epoch);
    return frames;
  }

  private deliver(): void {
    if (this.handler === undefined) return;
    // The handler may send, close, or ask for another handler.
    const { results } = this;
    this.results = [];
    for (const next of results) {
      if (next.packet !== undefined) this.handler(next.packet);
      this.takeWave(next.wave);
    }
  }

  private takeWave(wave: Waiting['wave']): void {
    if (wave === undefined) return;
    this.taken = wave.sequence;
    for (const { rank, sequence } of wave.parts) {
      this.takenParts.set(rank, sequence);
      this.untold.ranks.add(rank);
    }
    this.untold.waves++;
    this.untold.bytes += wave.bytes;
    const { packets, bytes } = this.window;
    if (this.untold.waves * 4 >= packets || this.untold.bytes * 4 >= bytes) this.tellTaken();
  }
}

function share({ all, least, most }: { all: number; least: number; most: number }, count: number): number {
  return Math.min(most, Math.max(least, Math.floor(all / Math.max(1, count))));
}
