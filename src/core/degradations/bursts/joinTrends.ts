import type { Pattern } from '../../signal/signal';

/** Share of a burst: trends that end and begin within this distance of its border may be one (§11.2.2). */
export const borderShare = 0.02;
/** Largest jump of the level between two joined trends, as a share of the rise of both. */
const jump = 0.25;

/**
 * A rising run that goes on in the next window, as one; undefined when these are two. Windows may overlap, so that the end of one may be
 * seen again as the beginning of the next.
 * @param border first iteration that is only in the later window
 * @param tolerance distance from the border, iterations
 */
export function joinTrends(
  before: Pattern,
  after: Pattern,
  border: number,
  tolerance: number,
): Pattern | undefined {
  if (before.improvement !== after.improvement) return undefined;
  if (before.to < border - tolerance || after.from > border + tolerance || after.to <= before.to)
    return undefined;
  const [low, middleBefore] = before.levels;
  const [middleAfter, high] = after.levels;
  const rise = before.improvement === true ? low - high : high - low;
  if (rise <= 0 || Math.abs(middleBefore - middleAfter) > jump * rise) return undefined;
  const length = after.to - after.from + 1;
  // Iterations that both windows contain count once.
  const share = 1 - Math.max(0, before.to - after.from + 1) / length;
  const raised = Math.abs(middleAfter - low) * length;
  return {
    ...before,
    ...typeAndCore(before, after),
    to: after.to,
    levels: [low, high],
    sum: before.sum + after.sum * share,
    excess: before.excess + (after.excess + raised) * share,
    aftermath: after.aftermath,
    confidence: Math.min(before.confidence, after.confidence),
    stability: Math.max(before.stability, after.stability),
  };
}

/** A step that was seen twice stays one. */
function typeAndCore(
  before: Pattern,
  after: Pattern,
): Pick<Pattern, 'type'> & { core: readonly [number, number] } {
  const first = coreOf(before);
  const last = coreOf(after);
  const isOneStep = before.type === 'step' && after.type === 'step' && overlapping(first, last);
  return isOneStep ? { type: 'step', core: last } : { type: 'trend', core: [first[0], last[1]] };
}

function coreOf({ core, from, to }: Pattern): readonly [number, number] {
  return core ?? [from, to];
}

function overlapping(before: readonly [number, number], after: readonly [number, number]): boolean {
  return after[0] <= before[1] + 2 && before[0] <= after[1] + 2;
}
