import type { StreamDefinition } from '../control/configuration';
import { frameKinds, setEpoch, type StreamFrame, streamFrame } from '../packets/frame';
import { OverlayError } from '../packets/overlayError';
import { firstUserTag, Packet } from '../packets/packet';
import type { Packable } from '../packets/values';
import { KeptFrames } from './keptFrames';

/** Arrived packets are reported after this many, and when there is nothing else to do. */
const reportEvery = 64;

/** The end of a stream in a back end: what it sends is kept until the front end has taken it. */
export class SourceStream {
  private readonly kept = new KeptFrames();
  private taken = 0;
  /** The last packet of the front end that has arrived, and the last one that was reported. */
  private arrived = 0;
  private reported = 0;
  private definition: StreamDefinition;
  private epoch: number;

  constructor(
    readonly id: number,
    private readonly rank: number,
    definition: StreamDefinition,
    epoch: number,
    /** Whether this back end has come after the stream: what was sent before is not for it. */
    isLate: boolean,
    private readonly send: (bytes: Buffer) => void,
  ) {
    this.definition = definition;
    this.epoch = epoch;
    if (isLate) this.arrived = this.reported = definition.sent;
    this.kept.skipTo(this.cutOf(definition));
    this.taken = this.kept.last;
  }

  /** Whether another packet may be sent now: the front end takes its time, or other back ends do. */
  get hasRoom(): boolean {
    const { windowPackets, windowBytes } = this.definition;
    return this.kept.last - this.taken < windowPackets && this.kept.bytes < windowBytes;
  }

  get isTaken(): boolean {
    return this.kept.count === 0;
  }

  /** @throws OverlayError `format`; `usage` far beyond the window */
  add(tag: number, format: string, values: readonly Packable[]): void {
    const { windowPackets, windowBytes, synchronisation } = this.definition;
    if (tag < firstUserTag)
      throw new OverlayError('usage', `Tags below ${firstUserTag} are the network's own.`);
    if (this.kept.last - this.taken >= 2 * windowPackets || this.kept.bytes >= 2 * windowBytes)
      throw new OverlayError(
        'usage',
        `Stream ${this.id} has no room: wait until it has before sending more.`,
      );
    const sequence = this.kept.last + 1;
    const frame = streamFrame({
      kind: frameKinds.up,
      epoch: this.epoch,
      stream: this.id,
      sequence,
      parts: synchronisation.kind === 'all' ? [] : [{ rank: this.rank, sequence }],
      packets: [Packet.of(tag, this.rank, format, values)],
    });
    this.kept.add(frame);
    this.send(frame);
  }

  /**
   * A new epoch: what is behind the cut goes out again.
   * @returns whether there is room again
   */
  restart(definition: StreamDefinition, epoch: number): boolean {
    const had = this.hasRoom;
    this.definition = definition;
    this.epoch = epoch;
    const cut = this.cutOf(definition);
    // Only a back end that had been given up is behind the cut.
    if (this.kept.last < cut) {
      this.taken = cut;
      this.kept.skipTo(cut);
    }
    for (const frame of this.kept.after(cut)) {
      setEpoch(frame, epoch);
      this.send(frame);
    }
    this.reported = 0;
    this.reportArrived();
    return !had && this.hasRoom;
  }

  /** @returns whether there is room again */
  setTaken(frame: StreamFrame): boolean {
    const had = this.hasRoom;
    const through =
      this.definition.synchronisation.kind === 'all'
        ? frame.sequence
        : (frame.parts().find(({ rank }) => rank === this.rank)?.sequence ?? 0);
    if (through > this.taken && through <= this.kept.last) {
      this.taken = through;
      this.kept.drop(through);
    }
    return !had && this.hasRoom;
  }

  /** @returns packets of the frame that are new here; those of filters on the way come without a number */
  receive(frame: StreamFrame): readonly Packet[] {
    if (frame.sequence === 0) return frame.packets();
    if (frame.sequence !== this.arrived + 1) return [];
    this.arrived++;
    return frame.packets();
  }

  /** After packets have been handed on. */
  handedOn(): void {
    if (this.arrived - this.reported >= reportEvery) this.reportArrived();
  }

  reportArrived(): void {
    if (this.arrived === this.reported) return;
    this.reported = this.arrived;
    this.send(
      streamFrame({ kind: frameKinds.arrived, epoch: this.epoch, stream: this.id, sequence: this.arrived }),
    );
  }

  private cutOf({ synchronisation, cut, parts }: StreamDefinition): number {
    return synchronisation.kind === 'all' ? cut : (parts.find(([rank]) => rank === this.rank)?.[1] ?? 0);
  }
}
