import { at } from '../../core/at';
import type { Format } from './format';
import { OverlayError } from './overlayError';
import { Packet } from './packet';

/**
 * What travels on a connection: frames of a length (4 bytes, of what follows), a kind (1 byte) and the rest by kind. All numbers are in
 * little endian. A frame is the unit that arrives wholly or not at all; a write holds as many as there are.
 */
export const frameKinds = {
  /** The first frame from who accepts: a random text that the other side has to sign with the session's token. */
  challenge: 1,
  /** The first frame from who connects: who it is, signed. */
  hello: 2,
  /** Control messages as JSON: seldom, and never on the way of the data. */
  control: 3,
  /** Packets towards the front end: one wave. */
  up: 4,
  /** Packets towards the back ends. */
  down: 5,
  /** From the front end: what it has taken, which nobody has to keep any longer. */
  taken: 6,
  /** From back ends: packets of the stream that have arrived there. */
  arrived: 7,
  /** Nothing: the sender is alive. */
  alive: 8,
} as const;

export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];
export type StreamKind =
  | typeof frameKinds.up
  | typeof frameKinds.down
  | typeof frameKinds.taken
  | typeof frameKinds.arrived;

/** Bytes before what depends on the kind. */
export const prefixBytes = 5;
/** Larger ones close the connection: who sends them is broken, or hostile. */
export const largestFrame = 64 * 2 ** 20;
/** Three bytes are left free, so that the numbers lie at multiples of four. */
const headerBytes = prefixBytes + 3 + 5 * 4;
const partBytes = 8;

/** What a back end has contributed to a stream: its packets up to this number, 1 for the first. */
export interface Part {
  readonly rank: number;
  readonly sequence: number;
}

const noParts: readonly Part[] = [];

/** A frame of a stream as it arrived. Packets are found when they are asked for: what is only passed on is not looked into. */
export class StreamFrame {
  readonly epoch: number;
  readonly stream: number;
  /** Number of the wave, or of the packet, from 1. */
  readonly sequence: number;
  private readonly partCount: number;
  private readonly packetCount: number;

  /** @throws OverlayError `malformed` */
  constructor(
    readonly bytes: Buffer,
    /** Where the length stands. */
    readonly from: number,
    readonly to: number,
  ) {
    if (to - from < headerBytes)
      throw new OverlayError('malformed', `A frame of ${to - from} bytes is too short.`);
    this.epoch = bytes.readUInt32LE(from + 8);
    this.stream = bytes.readUInt32LE(from + 12);
    this.sequence = bytes.readUInt32LE(from + 16);
    this.partCount = bytes.readUInt32LE(from + 20);
    this.packetCount = bytes.readUInt32LE(from + 24);
    if (this.partCount * partBytes > to - from - headerBytes)
      throw new OverlayError(
        'malformed',
        `A frame of ${to - from} bytes cannot have ${this.partCount} parts.`,
      );
  }

  get kind(): number {
    return at(this.bytes, this.from + 4);
  }

  /** Where streams do not number their waves: which packets of which back ends this frame stands for. */
  parts(): readonly Part[] {
    if (this.partCount === 0) return noParts;
    return Array.from({ length: this.partCount }, (_, position) => {
      const offset = this.from + headerBytes + position * partBytes;
      return { rank: this.bytes.readUInt32LE(offset), sequence: this.bytes.readUInt32LE(offset + 4) };
    });
  }

  /**
   * @param likely the format of the packet before
   * @throws OverlayError `malformed`, `format`
   */
  packets(likely?: Format): readonly Packet[] {
    let offset = this.from + headerBytes + this.partCount * partBytes;
    const packets: Packet[] = [];
    for (let count = 0; count < this.packetCount; count++) {
      const packet = Packet.read(this.bytes, offset, this.to, likely);
      likely = packet.format;
      offset += packet.size;
      packets.push(packet);
    }
    if (offset !== this.to)
      throw new OverlayError('malformed', `A frame has ${this.to - offset} bytes after its last packet.`);
    return packets;
  }
}

export interface StreamFrameFields {
  readonly kind: StreamKind;
  readonly epoch: number;
  readonly stream: number;
  readonly sequence: number;
  readonly parts?: readonly Part[];
  readonly packets?: readonly Packet[];
}

/** @throws OverlayError `malformed` when the packets are larger than a frame may be */
export function streamFrame({
  kind,
  epoch,
  stream,
  sequence,
  parts = noParts,
  packets = [],
}: StreamFrameFields): Buffer {
  let size = headerBytes + parts.length * partBytes;
  for (const packet of packets) size += packet.size;
  const bytes = Buffer.allocUnsafe(size);
  begin(bytes, kind);
  bytes.fill(0, prefixBytes, prefixBytes + 3);
  bytes.writeUInt32LE(epoch, 8);
  bytes.writeUInt32LE(stream, 12);
  bytes.writeUInt32LE(sequence, 16);
  bytes.writeUInt32LE(parts.length, 20);
  bytes.writeUInt32LE(packets.length, 24);
  let offset = headerBytes;
  for (const part of parts) {
    bytes.writeUInt32LE(part.rank, offset);
    bytes.writeUInt32LE(part.sequence, offset + 4);
    offset += partBytes;
  }
  for (const packet of packets) offset = packet.write(bytes, offset);
  return bytes;
}

/** The same frame in another epoch, for what is sent again. */
export function setEpoch(frame: Buffer, epoch: number): void {
  frame.writeUInt32LE(epoch, 8);
}

/** @throws OverlayError `malformed` when it is too large */
export function jsonFrame(kind: FrameKind, content: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(content), 'utf8');
  const bytes = Buffer.allocUnsafe(prefixBytes + text.length);
  begin(bytes, kind);
  text.copy(bytes, prefixBytes);
  return bytes;
}

/** @throws OverlayError `malformed` */
export function readJson(bytes: Buffer, from: number, to: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from + prefixBytes, to));
  } catch (error) {
    throw new OverlayError('malformed', 'A control message is not JSON.', error);
  }
}

export function aliveFrame(): Buffer {
  const bytes = Buffer.allocUnsafe(prefixBytes);
  begin(bytes, frameKinds.alive);
  return bytes;
}

function begin(bytes: Buffer, kind: FrameKind): void {
  if (bytes.length > largestFrame)
    throw new OverlayError(
      'malformed',
      `A frame has at most ${largestFrame} bytes; this would have ${bytes.length}.`,
    );
  bytes.writeUInt32LE(bytes.length - 4, 0);
  bytes[4] = kind;
}
