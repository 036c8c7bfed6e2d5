import { formatPercent } from '../../core/format';
import type { DynamicsResult, ReportRow } from '../../core/properties/dynamics/result';

/** `[1,92], [118,120]`; a single iteration is `[7]`. */
export function iterationsText(iterations: ReportRow['iterations']): string {
  return iterations.map(([from, to]) => (from === to ? `[${from}]` : `[${from},${to}]`)).join(', ');
}

/** A share of the phase time, `-` where there is none. */
export function shareText(share: number | undefined): string {
  return share === undefined ? '-' : formatPercent(share);
}

/** What an empty list of degradations means; undefined where there are some. */
export function noDynamicsText({ noDynamics, rows, iterations }: DynamicsResult): string | undefined {
  if (!noDynamics) return undefined;
  return rows.length === 0
    ? `No dynamics: nothing takes a share of the phase above the threshold, over ${iterations} iterations.`
    : `No dynamics: what is found stays the same over ${iterations} iterations; the time dimension is irrelevant here.`;
}
