import type { OverlayError } from '../packets/overlayError';
import type { Packet } from '../packets/packet';

/** Where a filter puts what it makes. */
export interface FilterOutput {
  /** Towards the front end. */
  up(packet: Packet): void;
  /** Towards the back ends of the stream. */
  down(packet: Packet): void;
  /** What is wrong with part of a wave, while the rest is processed: becomes an event. */
  problem(error: OverlayError): void;
}

/** Where an instance works. */
export interface FilterPlace {
  /** Rank of the process. */
  readonly rank: number;
  readonly isFrontEnd: boolean;
  /** Ranks of the children of this process that lead to back ends of the stream, ascending. */
  readonly children: readonly number[];
  /** Back ends of the stream below this process. */
  readonly backEnds: number;
}

/**
 * Code of a stream that makes packets of packets (specification §2.5): an instance per stream and process (the front end and inner
 * processes), so that its state is its own. It may hold back what it takes in, and give out as many packets as it wants.
 *
 * Everything that it gives out depends on what it was given alone, not on a clock or chance: after the loss of a process, waves that the
 * front end has not processed come again, also to instances that have seen them (these are made anew before). An instance may begin at any
 * wave, when its process gets children of a lost one: what has to happen at certain waves is decided by what is in the packets.
 */
export interface Filter {
  /**
   * @param wave packets that the synchronisation released together, in the order of the children's ranks; of a downstream filter one
   * @throws whatever: becomes an event, and nothing is given out for the wave
   */
  apply(wave: readonly Packet[], output: FilterOutput): void;
  /**
   * What the instance has taken in and not given out in the main direction, or what it has to remember; undefined: nothing. It travels
   * to the front end with each wave, so a filter without state leaves this method out, and others keep it small.
   */
  state?(): Packet | undefined;
  /**
   * Takes over such a state: its own of before (an instance is made anew after a loss), or that of lost descendants, which goes to the
   * nearest living process above them. So nothing is lost that only a lost process held.
   */
  adopt?(state: Packet): void;
  /** Of the front end's instance, which is not made anew: its children are others now. */
  setChildren?(children: readonly number[]): void;
  /** As the front end has set them, before the first wave or at any time. */
  setParameters?(parameters: Packet): void;
}

export type FilterClass = new (place: FilterPlace) => Filter;

/** What a module of a custom filter exports by some name. */
export function isFilterClass(value: unknown): value is FilterClass {
  return (
    typeof value === 'function' &&
    typeof (value.prototype as Partial<Filter> | undefined)?.apply === 'function'
  );
}
