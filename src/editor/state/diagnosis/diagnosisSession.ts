import type { Threshold } from '../../../protocol/diagnosis';

/** What is diagnosed, and with which thresholds. */
export interface DiagnosisInput {
  /** Absolute: a profile, the folder of a study or of an experiment, or a saved search. */
  readonly path: string;
  /** Those that differ from what the hypotheses say. */
  readonly thresholds?: readonly Threshold[];
}
