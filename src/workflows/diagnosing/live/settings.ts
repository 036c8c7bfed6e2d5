import type { LiveStrategy } from '../../../core/diagnosis/strategies/messages';
import type { Hypothesis } from '../../../core/diagnosis/hypotheses/hypothesis';

/** How a running program is searched. */
export interface LiveDiagnosisSettings {
  readonly strategy: LiveStrategy;
  readonly hypotheses: readonly Hypothesis[];
  /** Share (0…1) of the stack samples that a deep starter exceeds; absent: without Deep Start. */
  readonly deepStart?: number;
  /** Share (0…1) of the processor time of each process that recording for the search may take. */
  readonly costLimit: number;
  /** Seconds for which values have to agree before they are concluded from. */
  readonly concludeAfter: number;
}

/**
 * Defaults. Values of an interval are exact and not sampled, so they need not agree for as long as the 20 s of Paradyn; iterations that take longer than a few
 * seconds need more.
 */
export const liveDefaults = { strategy: 'partially distributed', costLimit: 0.03, concludeAfter: 5 } as const;

/** Length of the intervals in which values are taken, about. */
export const windowSeconds = 1;
