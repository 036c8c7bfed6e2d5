import type { Filter, FilterClass, FilterPlace } from '../filters/filter';
import { frameKinds, type StreamFrame, streamFrame } from '../packets/frame';
import type { OverlayError } from '../packets/overlayError';
import type { Packet } from '../packets/packet';
import { asOverlayError } from './upStream';

export interface DownStreamHooks {
  /** What the filter gives out towards the front end. */
  reverse(packet: Packet): void;
  problem(error: OverlayError): void;
}

/** The way down of a stream in a process that has children: each packet through the filter, or the frame as it is. */
export class DownStream {
  private readonly filter: Filter | undefined;

  constructor(
    filterClass: FilterClass | undefined,
    place: FilterPlace,
    private readonly hooks: DownStreamHooks,
  ) {
    this.filter = filterClass && this.guarded(() => new filterClass(place));
  }

  setParameters(parameters: Packet): void {
    this.guarded(() => this.filter?.setParameters?.(parameters));
  }

  /** @returns what goes to the children: bytes of a frame */
  pass(frame: StreamFrame): readonly [bytes: Buffer, from: number, to: number] {
    const { filter } = this;
    if (filter === undefined) return [frame.bytes, frame.from, frame.to];
    const packets: Packet[] = [];
    const output = {
      up: (packet: Packet) => this.hooks.reverse(packet),
      down: (packet: Packet) => void packets.push(packet),
      problem: (error: OverlayError) => this.hooks.problem(error),
    };
    this.guarded(() => frame.packets().forEach((packet) => filter.apply([packet], output)));
    const { epoch, stream, sequence } = frame;
    const bytes = streamFrame({ kind: frameKinds.down, epoch, stream, sequence, packets });
    return [bytes, 0, bytes.length];
  }

  private guarded<Result>(call: () => Result): Result | undefined {
    try {
      return call();
    } catch (error) {
      this.hooks.problem(asOverlayError(error, 'filter'));
      return undefined;
    }
  }
}
