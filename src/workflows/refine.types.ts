import type { Property } from '../core/properties/property';

/** What `kymo refine --json` prints (docs/INTERFACES.md). */
export interface RefineResult {
  readonly target: string;
  readonly backend: 'kymo' | 'scorep';
  readonly stopReason: 'fixpoint' | 'overhead' | 'iterations' | 'budget';
  readonly iterations: readonly RefineIteration[];
  readonly functionsKnown: number;
  readonly totalSeconds: number;
  /** The study's folder. */
  readonly directory: string;
  /** The exported Score-P filter of the final selection. */
  readonly filter: string;
  readonly properties: readonly Property[];
}

export interface RefineIteration {
  readonly index: number;
  readonly instrumented: number;
  readonly executed: number;
  readonly visits: number;
  readonly medianSeconds: number;
  readonly baselineSeconds: number;
  readonly overheadPercent: number;
  /** Noise of the baseline repetitions; an overhead is claimed only above it. */
  readonly noisePercent: number;
  /** Functions that entered or left the selection since the iteration before. */
  readonly changed: number;
}
