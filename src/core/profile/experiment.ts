import type { RecordedPart } from './recordedPart';

/**
 * One measured configuration: a profile and how it was made. On disk:
 * `.kymo/<target>/<study>/i<N>/<prefix>.<param><value>….r<rep>/{profile.cubex,experiment.json}` (Extra-P's naming).
 */
export interface Experiment {
  readonly kymoExperiment: 1;
  readonly target: string;
  readonly study: string;
  readonly iteration: number;
  readonly repetition: number;
  /** `measured` has a profile; `baseline` is the same executable with nothing patched; `vanilla` was built without sites. */
  readonly variant: 'measured' | 'baseline' | 'vanilla';
  readonly parameters: Readonly<Record<string, string>>;
  readonly ranks: number;
  /** Threads of each process, where a study set them (`OMP_NUM_THREADS`). */
  readonly threads?: number;
  readonly command: readonly string[];
  readonly host: string;
  readonly compiler: string;
  readonly buildId: string;
  readonly git?: { readonly commit: string; readonly dirty: boolean };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly wallSeconds: number;
  /** User and system time of all processes of the run; absent when unknown. */
  readonly cpuSeconds?: number;
  /** The rank that computes most, and its computing time outside of MPI; absent where MPI calls are not recorded. */
  readonly slowestRank?: RankTime;
  /** Largest memory of one process, and bytes that all processes wrote to disks; absent where `cpuSeconds` is. */
  readonly memoryBytes?: number;
  readonly writtenBytes?: number;
  /** The processor on which it took turns with the run that it is compared with, if it did. */
  readonly processor?: number;
  readonly exitStatus: number;
  /** Number of instrumented functions; the reasons are in the round's `selection.json`. */
  readonly instrumented: number;
  /** Id of the selection that was measured. */
  readonly selection?: string;
  readonly calibration?: Calibration;
  /** Functions that were recorded in a part of the run only, because somebody switched them while it ran. */
  readonly partlyRecorded?: readonly PartlyRecorded[];
  /** For a run with Score-P: its version, and the variables of the run (`scorep.cfg`). */
  readonly scorep?: { readonly version: string; readonly config: Readonly<Record<string, string>> };
}

/** A function with the part of the run in which it was recorded. */
export interface PartlyRecorded extends RecordedPart {
  readonly key: string;
  readonly name: string;
}

/** Computing time of a rank's threads outside of MPI, seconds. */
export interface RankTime {
  readonly rank: number;
  readonly seconds: number;
}

/** Cost of one enter+exit pair in the measured process, seconds (runtime calibration, docs/formats.md). */
export interface Calibration {
  readonly probe: SiteCost;
  readonly entry: SiteCost;
}

export interface SiteCost {
  readonly pairSeconds: number;
  readonly spreadSeconds: number;
  /** Part that the measured inclusive time of the function itself contains. */
  readonly insideSeconds: number;
  readonly outsideSeconds: number;
  /** Costs of functions with untimed visits; absent where the runtime cannot do that. */
  readonly sampled?: {
    /** A visit that is counted and not timed. */
    readonly countedSeconds: number;
    readonly spreadSeconds: number;
    /** A visit that is timed among such, and the part of it that the function's own time contains. */
    readonly pairSeconds: number;
    readonly insideSeconds: number;
  };
}
