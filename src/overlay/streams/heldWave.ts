import type { Part } from '../packets/frame';
import type { Packet } from '../packets/packet';
import type { Wave } from './upStream';

/**
 * Waves of a stream that does not wait, of which a filter has made nothing yet: one wave for the way up, with the last part of each back end and the last state
 * of each process. The cut moves over all of them at once, so nothing is lost or counted twice.
 */
export class HeldWave {
  count = 0;
  private readonly parts = new Map<number, Part>();
  private readonly states = new Map<number, Packet>();

  add({ parts, states }: Wave): void {
    this.count++;
    for (const part of parts) this.parts.set(part.rank, part);
    for (const state of states) this.states.set(state.source, state);
  }

  /** Empties it. @param packets of the last wave */
  take(packets: readonly Packet[]): Wave {
    const wave = {
      sequence: 0,
      parts: [...this.parts.values()],
      packets,
      states: [...this.states.values()],
    };
    this.count = 0;
    this.parts.clear();
    this.states.clear();
    return wave;
  }
}
