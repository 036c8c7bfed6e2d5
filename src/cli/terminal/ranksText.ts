import { formatSeconds } from '../../core/format';
import type { ProfileFunction } from '../../core/problems/profileFunctions';
import type { RanksReport } from '../../workflows/ranks';
import { printable, shortened, table } from './table';

/** What each rank spends its time for, and the functions with their least and most computation. */
export function ranksText(
  { ranks, spreads, hidesMpi }: RanksReport,
  functions: readonly ProfileFunction[],
  rows: number,
): string {
  const isSplit = ranks.some(({ waitingSeconds }) => waitingSeconds !== undefined);
  const times = ranks.map((own) => [
    String(own.rank),
    formatSeconds(own.computingSeconds),
    ...(isSplit ? [formatSeconds(own.waitingSeconds ?? 0)] : []),
    formatSeconds(own.movingSeconds),
    formatSeconds(own.otherSeconds),
    printable(own.host ?? ''),
  ]);
  const parts = isSplit ? ['waiting for ranks', 'rest of MPI'] : ['in MPI'];
  const shown = functions.flatMap(({ key, name }) => {
    const own = spreads.get(key);
    return own === undefined ? [] : [{ ...own, name }];
  });
  const spread = shown
    .slice(0, rows)
    .map((own) => [
      formatSeconds(own.leastSeconds),
      formatSeconds(own.meanSeconds),
      formatSeconds(own.mostSeconds),
      shortened(own.leastRanks, 20),
      shortened(own.mostRanks, 20),
      shortened(printable(own.name)),
    ]);
  return [
    'Time of each rank, all threads together, without MPI’s start and end. Computation is computing time outside MPI and without waiting for threads;',
    isSplit
      ? 'waiting for ranks lasts until the others have arrived, and the rest of MPI moves data, or lacks a processor:'
      : 'time in MPI is waiting for ranks and moving data:',
    table(['rank', 'computation', ...parts, 'other waiting', 'host'], times, parts.length + 3),
    ...(hidesMpi ? ['The profile shows no MPI function, so that waiting in MPI counts as computing.'] : []),
    '',
    'Computation of the ranks in each function with its callees:',
    table(['least', 'mean', 'most', 'least on ranks', 'most on ranks', 'function'], spread, 3),
    ...(shown.length > rows
      ? [`… and ${shown.length - rows} more functions (--top ${shown.length} shows all)`]
      : []),
    '',
  ].join('\n');
}
