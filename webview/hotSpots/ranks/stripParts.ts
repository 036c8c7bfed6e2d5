import type { RankTimes } from '../../../src/core/views/ranks/rankTimes';
import type { PlotColors } from '../../charts/plotColors';

/** A part of the time of each rank, from the bottom of its bar to the top. */
export interface StripPart {
  readonly title: string;
  readonly color: (colors: PlotColors) => string;
  readonly values: Float64Array;
}

/** Parts that occur. Without metrics of waiting in MPI, its two parts are one. */
export function stripParts({ computing, waiting, moving, other, hidesMpi }: RankTimes): readonly StripPart[] {
  const parts: readonly StripPart[] = [
    {
      title: hidesMpi ? 'Computation, or in MPI' : 'Computation',
      color: ({ blue }) => blue,
      values: computing,
    },
    ...(waiting === undefined
      ? []
      : [{ title: 'Waiting for ranks', color: ({ orange }: PlotColors) => orange, values: waiting }]),
    {
      title: waiting === undefined ? 'In MPI (waiting or moving data)' : 'Rest of MPI',
      color: ({ purple, orange }) => (waiting === undefined ? orange : purple),
      values: moving,
    },
    { title: 'Other waiting', color: ({ muted }) => muted, values: other },
  ];
  return parts.filter(({ values }, part) => part === 0 || values.some((seconds) => seconds > 0));
}
