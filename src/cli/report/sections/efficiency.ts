import { termValues } from '../../../core/efficiency/terms';
import { efficiencyReport } from '../../../workflows/efficiency';
import {
  efficiencyDefinitions,
  efficiencyHead,
  functionRows,
  phaseHead,
  termRows,
} from '../../terminal/efficiencyText';
import { tableBlock, texts, type Section } from '../base/document';
import type { Reported } from '../base/reported';

const mostFunctions = 15;

/**
 * How well processes and threads are used; undefined for a run of one thread.
 * @throws KymoError `no-efficiency`
 */
export function efficiencySection({ run }: Reported): Section | undefined {
  if (run?.context === undefined || run.profile.locations.length < 2) return undefined;
  const report = efficiencyReport(run.measured);
  const { phase, functions, notes } = report;
  const shares = (efficiency: Parameters<typeof termValues>[0]): readonly number[] =>
    termValues(efficiency).map(({ value }) => value);
  return {
    id: 'efficiency',
    title: 'Efficiency',
    blocks: [
      ...texts([efficiencyHead(report), ...notes]),
      ...tableBlock('Efficiency of the run', termRows(report.run), shares(report.run)),
      ...(phase === undefined ? [] : tableBlock(phaseHead(phase), termRows(phase), shares(phase))),
      ...tableBlock(
        'Functions that lose most time, with callees',
        functionRows(functions.slice(0, mostFunctions)),
      ),
      ...texts(efficiencyDefinitions),
    ],
  };
}
