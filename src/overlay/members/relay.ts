import { getOrMake } from '../../core/getOrMake';
import type { Configuration, StreamDefinition } from '../control/configuration';
import type { DownMessage } from '../control/messages';
import type { FilterPlace } from '../filters/filter';
import type { FilterTable } from '../filters/filterTable';
import { frameKinds, jsonFrame, type Part, type StreamFrame, streamFrame } from '../packets/frame';
import { OverlayError } from '../packets/overlayError';
import { Packet } from '../packets/packet';
import { DownStream } from '../streams/downStream';
import type { After } from '../streams/synchronisation';
import { UpStream, type Wave } from '../streams/upStream';
import type { Link } from './surroundings';
import { View } from './view';

export interface RelayHooks {
  wave(stream: number, wave: Wave): void;
  /** A packet that a filter sends up out of order, in a frame. */
  reverseUp(bytes: Buffer, from: number, to: number): void;
  /** All back ends below have packets up to this number. */
  arrived(stream: number, sequence: number): void;
  problem(error: OverlayError): void;
}

interface StreamState {
  readonly definition: StreamDefinition;
  readonly up: UpStream;
  readonly down: DownStream;
  /** Place of a child by its rank. */
  readonly slots: ReadonlyMap<number, number>;
  /** Packets that have arrived at all back ends below each child. */
  readonly arrived: number[];
  arrivedSent: number;
}

/** What the front end and inner processes do alike: streams between children and the parent, in the epoch that is. */
export class Relay {
  readonly links = new Map<number, Link>();
  private streams = new Map<number, StreamState>();
  /** Streams up to this number have existed: what still comes for them is late, not wrong. */
  private lastStream = 0;
  view: View;
  epoch = 0;

  constructor(
    readonly rank: number,
    private readonly isFrontEnd: boolean,
    private readonly filters: FilterTable,
    private readonly after: After,
    private readonly hooks: RelayHooks,
  ) {
    this.view = new View({ epoch: 0, members: [], streams: [] }, rank);
  }

  /** Begins an epoch. Sends nothing: the caller hands the configuration to the children before anything else. */
  configure(configuration: Configuration): void {
    this.epoch = configuration.epoch;
    this.view = new View(configuration, this.rank);
    const before = this.streams;
    this.streams = new Map();
    for (const definition of configuration.streams) {
      const old = before.get(definition.id);
      before.delete(definition.id);
      this.open(definition, old);
    }
    for (const { up } of before.values()) up.close();
  }

  /** Children of this epoch that are connected. */
  childLinks(): readonly Link[] {
    return this.view
      .children()
      .flatMap(({ rank, state }) => (state === 'up' ? (this.links.get(rank) ?? []) : []));
  }

  /** What the front end says of streams within an epoch; goes to the children that it concerns. */
  control(message: DownMessage): void {
    if (message.kind === 'stream') {
      this.open(message.stream, this.streams.get(message.stream.id));
      this.controlTo(message.stream.id, message);
    } else if (message.kind === 'close') {
      this.controlTo(message.stream, message);
      this.streams.get(message.stream)?.up.close();
      this.streams.delete(message.stream);
    } else if (message.kind === 'parameters') {
      const stream = this.streams.get(message.stream);
      const packet = decodePacket(message.packet);
      if (packet !== undefined) stream?.[message.which].setParameters(packet);
      this.controlTo(message.stream, message);
    }
  }

  /** A frame `up` or `arrived` of a child. */
  fromChild(child: number, frame: StreamFrame): void {
    if (frame.kind === frameKinds.up && frame.sequence === 0 && frame.parts().length === 0) {
      this.hooks.reverseUp(frame.bytes, frame.from, frame.to);
      return;
    }
    // What was on its way when the epoch ended is sent again by the back ends.
    if (frame.epoch !== this.epoch) return;
    const stream = this.stream(frame);
    const slot = stream?.slots.get(child);
    if (stream === undefined || slot === undefined) return;
    if (frame.kind === frameKinds.up) stream.up.push(slot, frame);
    else this.setArrived(frame.stream, stream, slot, frame.sequence);
  }

  /** A frame `down` or `taken` of the parent. */
  fromParent(frame: StreamFrame): void {
    const isTaken = frame.kind === frameKinds.taken;
    if (frame.epoch !== this.epoch && !isTaken) return;
    const stream = this.stream(frame);
    if (stream === undefined) return;
    if (isTaken) this.passTaken(stream, frame);
    else if (frame.sequence === 0) this.toChildren(stream, frame.bytes, frame.from, frame.to);
    else this.toChildren(stream, ...stream.down.pass(frame));
  }

  /** Where waves are not numbered, the frame names the back ends of which something was taken: each child learns about those below it. */
  private passTaken(stream: StreamState, frame: StreamFrame): void {
    if (stream.definition.synchronisation.kind === 'all') {
      this.toChildren(stream, frame.bytes, frame.from, frame.to);
      return;
    }
    const { epoch, stream: id, sequence } = frame;
    const ways = new Map<number, Part[]>();
    for (const part of frame.parts()) getOrMake(ways, this.view.way(part.rank), () => []).push(part);
    for (const [child, parts] of ways) {
      if (!stream.slots.has(child)) continue;
      const bytes = streamFrame({ kind: frameKinds.taken, epoch, stream: id, sequence, parts });
      this.toChild(child, bytes, 0, bytes.length);
    }
  }

  private stream(frame: StreamFrame): StreamState | undefined {
    const stream = this.streams.get(frame.stream);
    if (stream === undefined && frame.stream > this.lastStream)
      this.hooks.problem(new OverlayError('unknown-stream', `There is no stream ${frame.stream} here.`));
    return stream;
  }

  private open(definition: StreamDefinition, old: StreamState | undefined): void {
    const { id } = definition;
    const children = this.view.childrenTowards(definition.members);
    const backEnds = [...children.values()].reduce((sum, count) => sum + count, 0);
    const place = {
      rank: this.rank,
      isFrontEnd: this.isFrontEnd,
      children: [...children.keys()],
      backEnds,
    };
    // The front end's filter has seen what is before the cut and nothing else; the others may have seen more, and begin anew.
    const up = this.isFrontEnd && old !== undefined ? old.up : this.newUpStream(definition, place);
    if (up !== old?.up) old?.up.close();
    up.restart(place.children, definition.cut);
    for (const [rank, state] of definition.states) {
      const packet = rank === this.rank ? decodePacket(state) : undefined;
      if (packet !== undefined) up.adopt(packet);
    }
    this.lastStream = Math.max(this.lastStream, id);
    this.streams.set(id, {
      definition,
      up,
      down: this.isFrontEnd && old !== undefined ? old.down : this.newDownStream(definition, place),
      slots: new Map([...children.keys()].map((rank, slot) => [rank, slot])),
      arrived: Array<number>(children.size).fill(0),
      arrivedSent: 0,
    });
  }

  private newUpStream(definition: StreamDefinition, place: FilterPlace): UpStream {
    const { id, synchronisation, upParameters } = definition;
    const up = new UpStream(synchronisation, this.filters.find(definition.up), place, this.after, {
      wave: (wave) => this.hooks.wave(id, wave),
      reverse: (packet) => this.reverseDown(id, packet),
      problem: (error) => this.hooks.problem(error),
    });
    const parameters = decodePacket(upParameters);
    if (parameters !== undefined) up.setParameters(parameters);
    return up;
  }

  private newDownStream({ id, down, downParameters }: StreamDefinition, place: FilterPlace): DownStream {
    const stream = new DownStream(this.filters.find(down), place, {
      reverse: (packet) => {
        const bytes = this.outOfOrder(frameKinds.up, id, packet);
        this.hooks.reverseUp(bytes, 0, bytes.length);
      },
      problem: (error) => this.hooks.problem(error),
    });
    const parameters = decodePacket(downParameters);
    if (parameters !== undefined) stream.setParameters(parameters);
    return stream;
  }

  private reverseDown(id: number, packet: Packet): void {
    const stream = this.streams.get(id);
    if (stream !== undefined) this.toChildren(stream, this.outOfOrder(frameKinds.down, id, packet));
  }

  private outOfOrder(
    kind: typeof frameKinds.up | typeof frameKinds.down,
    id: number,
    packet: Packet,
  ): Buffer {
    return streamFrame({ kind, epoch: this.epoch, stream: id, sequence: 0, packets: [packet] });
  }

  private setArrived(id: number, stream: StreamState, slot: number, sequence: number): void {
    stream.arrived[slot] = Math.max(stream.arrived[slot] ?? 0, sequence);
    const everywhere = Math.min(...stream.arrived);
    if (everywhere <= stream.arrivedSent) return;
    stream.arrivedSent = everywhere;
    this.hooks.arrived(id, everywhere);
  }

  private controlTo(id: number, message: DownMessage): void {
    const stream = this.streams.get(id);
    if (stream !== undefined) this.toChildren(stream, jsonFrame(frameKinds.control, message));
  }

  /** Only to children that lead to back ends of the stream. */
  private toChildren(stream: StreamState, bytes: Buffer, from = 0, to = bytes.length): void {
    for (const rank of stream.slots.keys()) this.toChild(rank, bytes, from, to);
  }

  private toChild(rank: number, bytes: Buffer, from: number, to: number): void {
    if (this.view.member(rank)?.state === 'up') this.links.get(rank)?.send(bytes, from, to);
  }
}

/** A packet in base 64, as control messages carry it. */
export function encodePacket(packet: Packet): string {
  const bytes = Buffer.allocUnsafe(packet.size);
  packet.write(bytes, 0);
  return bytes.toString('base64');
}

function decodePacket(text: string): Packet | undefined {
  if (text === '') return undefined;
  const bytes = Buffer.from(text, 'base64');
  return Packet.read(bytes, 0, bytes.length);
}
