import { isMpiName } from '../../core/functions/activities';
import { openmpRole } from '../../core/functions/openmpRole';
import { kindOf } from '../../core/series/regionKind';
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

/** Kind of a region by its name, if the file does not specify it: that of the region in a profile. */
export function kindByName(name: string): RegionKind {
  if (isMpiName(name)) return 'mpi';
  if (!/^(!\$)?omp[ _]/.test(name)) return 'function';
  return kindOf({ name, paradigm: 'openmp', role: openmpRole(name) });
}

/** The phase's own time on a rank. */
export function phaseContext(phase: string | undefined, rank: number, thread: number): SeriesContext {
  return { region: { name: phase ?? unnamedPhase, kind: 'phase' }, metric: defaultMetric, rank, thread };
}
