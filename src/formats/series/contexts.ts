import type { SeriesContext, SeriesRegion } from '../../core/series/series';

export type RegionKind = SeriesRegion['kind'];

/** Kinds of regions other than the phase. */
export const codeKinds = ['function', 'loop', 'call', 'mpi', 'openmp', 'io', 'user'] as const;

export const regionKinds: readonly RegionKind[] = ['phase', ...codeKinds];

export function isRegionKind(value: unknown): value is RegionKind {
  return regionKinds.some((kind) => kind === value);
}

/** Name of the phase's own time in series files. */
export const phaseRegionName = '<phase>';

/** Name of a phase without one. */
export const unnamedPhase = 'phase';

/** The metric of a series without one. */
export const defaultMetric = 'time';

/** Kind of a region by its name, if the file does not specify it. */
export function kindByName(name: string): RegionKind {
  if (/^P?MPI_/i.test(name)) return 'mpi';
  return /^(!\$omp|omp) /.test(name) ? 'openmp' : 'function';
}

/** The phase's own time on a rank. */
export function phaseContext(phase: string | undefined, rank: number, thread: number): SeriesContext {
  return { region: { name: phase ?? unnamedPhase, kind: 'phase' }, metric: defaultMetric, rank, thread };
}
