import type { MissingMethod } from '../../series/missing';
import type { Burst } from '../../series/series';
import { formatRoundPercent } from '../../format';

/** Share of the iterations from which a note mentions gaps. */
const notedShare = 0.1;

/** Iterations for which no series has a value: such as nine of ten, where a program logs every tenth. */
export class Gaps {
  private count = 0;

  add({ series, length }: Burst): void {
    const measured = new Uint8Array(length);
    let left = length;
    for (const { values } of series) {
      if (left === 0) return;
      for (let iteration = 0; iteration < Math.min(length, values.length); iteration++)
        if (measured[iteration] === 0 && Number.isFinite(values[iteration])) {
          measured[iteration] = 1;
          left--;
        }
    }
    this.count += left;
  }

  notes(iterations: number, missing: MissingMethod): readonly string[] {
    if (iterations === 0 || this.count < notedShare * iterations || this.count === iterations) return [];
    const share = `${formatRoundPercent(this.count / iterations)} of the iterations have no value in any series`;
    return [
      missing === 'zero'
        ? `${share} and count as 0. If the program logs only some of its iterations, --set missing=linear (or constant) fills the gaps.`
        : `${share}; the gaps are filled (${missing}).`,
    ];
  }
}
