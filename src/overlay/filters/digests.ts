import { at } from '../../core/at';
import type { Digest } from '../../core/digest/digest';
import { mergeDigests } from '../../core/digest/mergeDigests';
import { OverlayError } from '../packets/overlayError';
import { Packet } from '../packets/packet';
import { digestFormat, digestValues, readDigest } from '../services/digestPacket';
import type { Filter, FilterOutput, FilterPlace } from './filter';

/**
 * Digests of all children as one, of at most as many clusters: what passes a link does not grow with the processes below it. Digests are of the whole time, so
 * that a child that did not send one in time counts with its last, and that nothing has to be known again after a loss but what comes next.
 */
export class Digests implements Filter {
  private readonly last = new Map<number, Digest>();

  constructor(private readonly place: FilterPlace) {}

  apply(wave: readonly Packet[], output: FilterOutput): void {
    if (wave.length === 0) return;
    for (const packet of wave) this.last.set(packet.source, readDigest(packet));
    const digests = [...this.last].sort(([a], [b]) => a - b).map(([, digest]) => digest);
    if (new Set(digests.map(({ slotCount }) => slotCount)).size > 1)
      throw new OverlayError('filter', 'Digests of different programs cannot be added up.');
    const merged = mergeDigests(digests);
    output.up(Packet.of(at(wave, 0).tag, this.place.rank, digestFormat, digestValues(merged)));
  }

  setChildren(children: readonly number[]): void {
    for (const child of this.last.keys()) if (!children.includes(child)) this.last.delete(child);
  }
}
