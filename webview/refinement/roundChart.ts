import { formatCount } from '../../src/core/format';
import type { RefinementShown } from '../../src/protocol/refinement';
import type { ChartData } from '../charts/data';
import { percent } from './words';

/** Measured overhead (with its noise), predicted overhead, the target, and the number of functions. */
export function roundChart({ iterations, targetPercent }: RefinementShown): ChartData {
  return {
    categories: iterations.map(({ index }) => String(index)),
    categoryTitle: 'Round',
    left: { title: 'Overhead', format: percent },
    right: { title: 'Functions', format: formatCount },
    series: [
      {
        label: 'Measured overhead',
        kind: 'line',
        color: 'orange',
        values: iterations.map(({ overheadPercent }) => overheadPercent),
        band: iterations.map(
          ({ overheadPercent, noisePercent = 0 }) =>
            [overheadPercent - noisePercent, overheadPercent + noisePercent] as const,
        ),
      },
      {
        label: 'Predicted overhead',
        kind: 'line',
        color: 'blue',
        dashed: true,
        values: iterations.map(({ predictedPercent }) => predictedPercent),
      },
      {
        label: 'Functions',
        kind: 'bar',
        axis: 'right',
        color: 'green',
        values: iterations.map(({ instrumented }) => instrumented),
      },
    ],
    ...(targetPercent === undefined ? {} : { references: [{ label: 'Target', value: targetPercent }] }),
  };
}
