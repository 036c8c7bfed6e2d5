import type { ResourceTree } from '../resources/focus';

/**
 * In which order a true experiment is refined to the children of its hypothesis (why) and to parts of its focus (where). `before` means that
 * the second is tried only when the first has nothing to refine (specification 4.3).
 */
export type ExpansionPolicy =
  | 'why-and-where'
  | 'where-and-why'
  | 'why-before-where'
  | 'where-before-why'
  | 'why-only'
  | 'where-only';

/** A reason why a program may be slow. Records are data: the published ones, today's, and those of users are treated alike. */
export interface Hypothesis {
  /** Unique: `CPUBound`. */
  readonly id: string;
  /** For people: `CPU bound`. */
  readonly label: string;
  /** Id of a record in `metrics.ts`; absent for a virtual one, which is true if any of its children is. */
  readonly metric?: string;
  /** When it holds: the value is above the threshold, or below it. */
  readonly holds: 'above' | 'below';
  /** In the unit of the metric. */
  readonly threshold: number;
  /** Trees whose parts are not refined. */
  readonly pruned: readonly ResourceTree[];
  readonly expansion: ExpansionPolicy;
  /** Ids of hypotheses that make this one more precise. */
  readonly children: readonly string[];
  /** What to do next, in one sentence. */
  readonly advice: string;
}

/** Whether a value is on the side of its threshold where the hypothesis holds. */
export function isBeyond(
  { holds }: Pick<Hypothesis, 'holds'>,
  { value, threshold }: { readonly value: number; readonly threshold: number },
): boolean {
  return holds === 'above' ? value > threshold : value < threshold;
}

/** Whether a value says what was concluded. In a running program the last values decide, and their mean with all earlier ones may say something else. */
export function agrees(
  hypothesis: Pick<Hypothesis, 'holds'>,
  node: { readonly truth: string; readonly value: number; readonly threshold: number },
): boolean {
  return node.truth === 'unknown' || isBeyond(hypothesis, node) === (node.truth === 'true');
}

/** Why a conclusion does not agree with its value. */
export const byLast = 'concluded from the last values, not from their mean';
