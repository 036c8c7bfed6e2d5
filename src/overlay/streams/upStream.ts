import { at } from '../../core/at';
import type { Filter, FilterClass, FilterPlace } from '../filters/filter';
import type { SynchronisationRule } from '../filters/synchronisationRule';
import type { Format } from '../packets/format';
import type { Part, StreamFrame } from '../packets/frame';
import { OverlayError } from '../packets/overlayError';
import { Packet } from '../packets/packet';
import { HeldWave } from './heldWave';
import { type After, type Synchronisation, synchronisation } from './synchronisation';

/** The tag of the state of a filter, which travels with the wave after which it holds. */
export const stateTag = 1;

/** What a filter holds back is known to the front end by then, in milliseconds, or after so many waves. */
const heldMilliseconds = 5;
const mostHeld = 256;

/** What a process makes of a wave. */
export interface Wave {
  /** 0 where waves are not numbered. */
  readonly sequence: number;
  readonly parts: readonly Part[];
  readonly packets: readonly Packet[];
  /** Of this process and those below. */
  readonly states: readonly Packet[];
}

export interface UpStreamHooks {
  wave(wave: Wave): void;
  /** What the filter gives out towards the back ends. */
  reverse(packet: Packet): void;
  problem(error: OverlayError): void;
}

/** The way up of a stream in a process that has children: when packets are released, and what is made of them. */
export class UpStream {
  private waiting: Synchronisation;
  /** The next wave of each child, where waves are numbered. */
  private next: number[] = [];
  private likely: Format | undefined;
  private readonly isNumbered: boolean;
  private readonly holdsState: boolean;
  private filter: Filter | undefined;
  private readonly held = new HeldWave();
  private stopHolding: (() => void) | undefined;

  constructor(
    private readonly rule: SynchronisationRule,
    private readonly filterClass: FilterClass | undefined,
    private readonly place: FilterPlace,
    private readonly after: After,
    private readonly hooks: UpStreamHooks,
  ) {
    this.isNumbered = rule.kind === 'all';
    this.holdsState = typeof (filterClass?.prototype as Partial<Filter> | undefined)?.state === 'function';
    this.filter = this.newFilter(place);
    this.waiting = this.begin(place.children.length, 0);
  }

  /** Goes on behind a cut, with children that may be others; the filter goes on as it is. */
  restart(children: readonly number[], cut: number): void {
    this.close();
    this.guarded(() => this.filter?.setChildren?.(children));
    this.waiting = this.begin(children.length, cut);
  }

  adopt(state: Packet): void {
    this.guarded(() => this.filter?.adopt?.(state));
  }

  setParameters(parameters: Packet): void {
    this.guarded(() => this.filter?.setParameters?.(parameters));
  }

  push(child: number, frame: StreamFrame): void {
    if (this.isNumbered) {
      const expected = at(this.next, child);
      if (frame.sequence !== expected) {
        this.hooks.problem(
          new OverlayError(
            'malformed',
            `Wave ${frame.sequence} came from a child; ${expected} was expected.`,
          ),
        );
        return;
      }
      this.next[child] = expected + 1;
    }
    this.waiting.push(child, frame);
  }

  close(): void {
    this.waiting.close();
    this.stopHolding?.();
    this.stopHolding = undefined;
  }

  private begin(children: number, cut: number): Synchronisation {
    this.next = Array<number>(children).fill(cut + 1);
    return synchronisation(this.rule, children, (wave) => this.release(wave), this.after);
  }

  private newFilter(place: FilterPlace): Filter | undefined {
    const { filterClass } = this;
    return filterClass === undefined ? undefined : this.guarded(() => new filterClass(place));
  }

  private release(frames: readonly StreamFrame[]): void {
    const input: Packet[] = [];
    const states: Packet[] = [];
    for (const frame of frames) this.read(frame, input, states);
    const packets = this.filter === undefined ? input : this.apply(this.filter, input);
    if (this.holdsState) states.push(this.ownState());
    const sequence = this.isNumbered ? at(frames, 0).sequence : 0;
    const parts = this.isNumbered ? [] : frames.flatMap((frame) => frame.parts());
    this.pass({ sequence, parts, packets, states });
  }

  /** Above an inner process, messages are as many as results: what has no result yet can wait for one. */
  private pass(wave: Wave): void {
    const isResult = wave.packets.length > 0;
    if (this.isNumbered || this.place.isFrontEnd || (isResult && this.held.count === 0)) {
      this.hooks.wave(wave);
      return;
    }
    this.held.add(wave);
    if (isResult || this.held.count >= mostHeld) this.passHeld(wave.packets);
    else this.stopHolding ??= this.after(heldMilliseconds, () => this.passHeld([]));
  }

  private passHeld(packets: readonly Packet[]): void {
    this.stopHolding?.();
    this.stopHolding = undefined;
    this.hooks.wave(this.held.take(packets));
  }

  private read(frame: StreamFrame, input: Packet[], states: Packet[]): void {
    try {
      for (const packet of frame.packets(this.likely)) {
        if (packet.tag === stateTag) states.push(packet);
        else {
          this.likely = packet.format;
          input.push(packet);
        }
      }
    } catch (error) {
      this.hooks.problem(asOverlayError(error, 'malformed'));
    }
  }

  private apply(filter: Filter, input: readonly Packet[]): Packet[] {
    const packets: Packet[] = [];
    const output = {
      up: (packet: Packet) => void packets.push(packet),
      down: (packet: Packet) => this.hooks.reverse(packet),
      problem: (error: OverlayError) => this.hooks.problem(error),
    };
    return this.guarded(() => (filter.apply(input, output), packets)) ?? [];
  }

  /** Without content when nothing is held: the front end has to know that too. */
  private ownState(): Packet {
    const state = this.guarded(() => this.filter?.state?.());
    return Packet.of(stateTag, this.place.rank, state?.format ?? '', state?.values() ?? []);
  }

  /** Filters are code of the tool's user: whatever they throw becomes an event. */
  private guarded<Result>(call: () => Result): Result | undefined {
    try {
      return call();
    } catch (error) {
      this.hooks.problem(asOverlayError(error, 'filter'));
      return undefined;
    }
  }
}

export function asOverlayError(error: unknown, reason: 'filter' | 'malformed'): OverlayError {
  if (error instanceof OverlayError) return error;
  return new OverlayError(reason, error instanceof Error ? error.message : String(error), error);
}
