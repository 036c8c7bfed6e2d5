import { at } from '../../core/at';
import { Packet } from '../packets/packet';
import {
  fromClassArrays,
  mergeClasses,
  toClassArrays,
  type EquivalenceClass,
} from '../services/equivalenceClasses';
import type { Filter, FilterOutput, FilterPlace } from './filter';

/** Values, counts, and members of all classes one after the other. */
const format = '%auld %aud %aud';

/** Equivalence classes of a wave. It remembers nothing: who reports later, does so in another wave. */
export class Classes implements Filter {
  constructor(private readonly place: FilterPlace) {}

  apply(wave: readonly Packet[], output: FilterOutput): void {
    if (wave.length === 0) return;
    const classes = mergeClasses(wave.map(readClasses));
    output.up(Packet.of(at(wave, 0).tag, this.place.rank, format, classValues(classes)));
  }
}

/** The classes of a packet. @throws OverlayError `format`, `malformed`; ServiceError `bad-classes` */
export function readClasses(packet: Packet): readonly EquivalenceClass[] {
  const [values, counts, members] = packet.unpack(format);
  return fromClassArrays({
    values: Array.from(values as BigUint64Array),
    counts: Array.from(counts as Uint32Array),
    members: Array.from(members as Uint32Array),
  });
}

function classValues(
  classes: readonly EquivalenceClass[],
): [readonly bigint[], readonly number[], readonly number[]] {
  const { values, counts, members } = toClassArrays(classes);
  return [values, counts, members];
}
