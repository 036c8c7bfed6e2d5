import type { Base } from '../functions/base';

/**
 * The second narrow waist: what was found. CodeLens, Problems, trees, tables, SARIF and the command line show properties and
 * nothing else (docs/INTERFACES.md fixes the shape).
 */
export interface Property {
  readonly id: string;
  readonly kind: PropertyKind;
  readonly title: string;
  /** Share (0…1) of the run or phase time. */
  readonly severity: number;
  /** 0…1. */
  readonly confidence: number;
  readonly region?: { readonly name: string; readonly file?: string; readonly line?: number };
  readonly callPath?: readonly string[];
  /** Compressed rank set such as `0-3,7`. */
  readonly ranks?: string;
  /** 1-based inclusive ranges. */
  readonly iterations?: readonly (readonly [number, number])[];
  /** The numbers that made the condition true; units in the names. */
  readonly evidence: Readonly<Record<string, number>>;
  /** Id of the property that this one makes more precise. */
  readonly refines?: string;
  /** What the severity and the shares in the evidence are of; absent for what is no part of a whole. */
  readonly base?: Base;
}

/** Kinds known today; analyses add theirs here. */
export type PropertyKind =
  | 'hot-spot'
  | 'excessive-overhead'
  | 'inlined-away'
  /** The back-end leaves the function out. */
  | 'not-recorded'
  /** A function that some ranks, or some threads, take longer for than others. */
  | 'imbalance'
  | 'communication'
  /** Threads that wait for each other. */
  | 'synchronisation'
  | 'io'
  | 'memory'
  | 'start-up'
  /** Time that cannot be told apart: outside all recorded functions, or in functions without a source. */
  | 'unknown-time'
  /** Parts of a run in which a problem gets worse: rising, high for a while, jumping; together where each alone would not matter. */
  | 'degradation-trend'
  | 'degradation-peak'
  | 'degradation-step'
  | 'degradation-trends'
  | 'degradation-peaks'
  /** Changes over the run, with no degradation that could be told. */
  | 'significant-variability'
  /** A rank that does not have the peaks that all others have: they wait for it. */
  | 'late-rank'
  | 'periodic-peaks'
  | 'improvement'
  /** A degradation that follows another one. */
  | 'dependent-degradation';
