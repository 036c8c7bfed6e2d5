import { formatPercent } from '../../core/format';
import type { HotFunction, LastRun } from '../../workflows/studies/refine.types';

/** `The rest: MPI 57.5 %, OpenMP regions 29.3 %, other functions 3.1 %.`, so that a table of functions does not hide where the time is. */
export function restSentence({ beside = [] }: Partial<LastRun>, shown: readonly HotFunction[]): string {
  const known = [...shown.map(({ exclusiveShare }) => exclusiveShare), ...beside.map(({ share }) => share)];
  const others = 1 - known.reduce((sum, share) => sum + share, 0);
  const parts = [
    ...beside.map(({ what, share }) => [what, share] as const),
    ...(others > 0 ? [['other functions', others] as const] : []),
  ];
  const named = parts.filter(([, share]) => share >= 0.0005);
  if (beside.length === 0 || named.length === 0) return '';
  return `The rest: ${named.map(([what, share]) => `${what} ${formatPercent(share)}`).join(', ')} (kymo profile show lists it).`;
}
