/** Settings of the rules. Shares are of the run time (0…1). */
export interface PropertyThresholds {
  /** Exclusive share from which a function is a hot spot. */
  readonly hotSpotShare: number;
  /** Cost of recording a function relative to its own time (performance-dynamics §13.3: 5 %). */
  readonly overheadRatio: number;
  /** Overheads below this share of the run time are not reported. */
  readonly overheadShare: number;
  /** Share of the run time that all recording together may take before the profile as a whole counts as disturbed. */
  readonly totalOverheadShare: number;
  /** A function without a site is missed when it has at least this many statements, or a loop. */
  readonly inlinedStatements: number;
  /** Share from which communication, input and output, … are reported. */
  readonly activityShare: number;
  /** (maximum − mean) over ranks or threads as a share of the time that the longest location takes from which a function counts as unbalanced. */
  readonly imbalanceShare: number;
  /** Share, with callees, from which a function that only some ranks call is reported. */
  readonly differentWorkShare: number;
  /** Parallel efficiency below which it is reported: from 80 % on, POP audits call it good. */
  readonly parallelEfficiency: number;
}

export const defaultThresholds: PropertyThresholds = {
  hotSpotShare: 0.05,
  overheadRatio: 0.05,
  overheadShare: 0.001,
  totalOverheadShare: 0.05,
  inlinedStatements: 10,
  activityShare: 0.05,
  imbalanceShare: 0.02,
  differentWorkShare: 0.01,
  parallelEfficiency: 0.8,
};
