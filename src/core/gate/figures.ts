/** Figures of a whole run that are judged beside the times of its functions. */
export const figureNames = ['memory', 'imbalance', 'overhead', 'dynamics'] as const;

/**
 * - `memory`: of the largest process, bytes
 * - `imbalance`: largest computing time of a rank ÷ mean of all, − 1
 * - `overhead`: estimated cost of recording ÷ run time
 * - `dynamics`: computing time of the second half of the iterations ÷ that of the first half, − 1
 */
export type FigureName = (typeof figureNames)[number];

/** A value for each run; absent: not known of all. */
export type Figures = Readonly<Partial<Record<FigureName, readonly number[]>>>;

export const figureWords: Readonly<Record<FigureName, string>> = {
  memory: 'memory of the largest process',
  imbalance: 'imbalance of ranks',
  overhead: 'overhead of recording',
  dynamics: 'growth of the time over the iterations',
};
