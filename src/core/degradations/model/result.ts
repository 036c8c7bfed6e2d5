import type { SeriesContext, SeriesRegion } from '../../series/series';
import type { Energies } from '../../transforms/energyStream';
import type { Episode, Pattern } from '../../signal/signal';
import type { AllIterations, Property } from '../../properties/property';
import type { PropertyKind } from '../../properties/kinds';
import type { DynamicsOptions } from './options';

/**
 * Result of the analysis of a run's dynamics (specification of performance dynamics, §9–§12). Plain data, except models. Positions in `series` count from 0;
 * texts, and all iterations of rows and properties, count from 1.
 */
export interface DynamicsResult {
  readonly iterations: number;
  /** Unit of times. */
  readonly unit: string;
  readonly phase?: string;
  readonly settings: DynamicsOptions;
  /** By impact, the largest first. */
  readonly series: readonly AnalysedSeries[];
  /** By severity, the largest first. */
  readonly rows: readonly ReportRow[];
  /** One per row, and relations between rows. */
  readonly properties: readonly Property[];
  /** In the order of evaluation. */
  readonly trace: readonly RuleTrace[];
  /** No problem changes over time: the time dimension does not matter here. */
  readonly noDynamics: boolean;
  /** Notes for the reader: one sentence each. */
  readonly notes: readonly string[];
}

/** The impact of one static property in one place, over time. */
export interface AnalysedSeries {
  /** Static rule; empty for a series that is shown only because the user asked for all. */
  readonly rule: string;
  readonly kind?: PropertyKind;
  /** Context of the impact. An imbalance concerns all ranks; its context is the slowest rank of the run. */
  readonly context: SeriesContext;
  /** Share of the phase time of the process, or of the thread's own where it is longer (`phaseTime`), over the whole run. */
  readonly impactShare: number;
  /** Impact over the run, and the time of the phase in the same process. */
  readonly impact: number;
  readonly phaseTime: number;
  readonly energies: Energies;
  /** Standard deviation of the noise. */
  readonly noise: number;
  readonly episodes: readonly Episode[];
  /** The largest, by position. */
  readonly patterns: readonly Pattern[];
  /** Patterns that are counted, but not stored. */
  readonly others: { readonly count: number; readonly sum: number };
  readonly sentence: string;
  /** Period of the peaks in iterations. */
  readonly period?: number;
  /** Means of `valueLength` iterations each (the last of the remaining ones); at most 2,048. Not to be changed: a run has many of them, which are not copied. */
  readonly values: Float64Array;
  /**
   * What explains the values: the same series without noise and peaks; NaN where nothing is known. Made when it is asked for, in as much time as the analysis of the series took: stored, those of
   * many ranks would take as much memory as their values. Absent by the published method.
   */
  readonly model?: () => Float64Array;
  readonly valueLength: number;
  /** Share of iterations without a value. */
  readonly missing: number;
}

/** A row of the report: a finding in one region, for ranks that behave alike. */
export interface ReportRow {
  readonly kind: PropertyKind;
  /** `Degradation trend in communication time of MPI_Wait`. */
  readonly title: string;
  readonly region: SeriesRegion;
  readonly callPath?: readonly SeriesRegion[];
  readonly metric: string;
  /** Compressed rank set. */
  readonly ranks: string;
  /** 1-based inclusive ranges. */
  readonly iterations: readonly (readonly [number, number])[];
  /** Where more was found than `iterations` lists, which are the costliest: all of it. */
  readonly all?: AllIterations;
  /** Share of the phase time that falls into the iterations, mean over the ranks; undefined where it is no time (significant variability). */
  readonly severity?: number;
  /** Share that the degradation itself costs, with its aftermath; undefined for static rows. */
  readonly excess?: number;
  readonly confidence: number;
  /** Share of runs in which nothing changes that show evidence as strong; absent where it is not known (published method, peaks). */
  readonly chance?: number;
  /** Standard deviation of `excess`; absent where it is not known. */
  readonly excessDeviation?: number;
  /** First iteration of the change: range that contains it with a probability of 95 %; absent where it is not known. */
  readonly onset?: readonly [number, number];
  /** Of peaks at regular intervals. */
  readonly periodic?: Periodic;
  /** Below the report threshold: shown because the problem that it is part of is above it. */
  readonly belowThreshold: boolean;
  /** Its rule, and the id of its property. */
  readonly rule: string;
  readonly property: string;
  /** Positions in `series`. */
  readonly series: readonly number[];
  /** Id of the property of the row that stands for what happens at this time: this one is a part or a consequence of it. */
  readonly partOf?: string;
}

/** Peaks that repeat at regular intervals, on each of the ranks; costs in the unit of the result, means over the ranks. */
export interface Periodic {
  /** Iterations from one peak to the next. */
  readonly period: number;
  /** Mean deviation of the distances between peaks from the period, or from a multiple of it where one is missing, in iterations; 0: exact. */
  readonly jitter: number;
  /** Number of peaks, mean over the ranks. */
  readonly occurrences: number;
  /** Cost of one peak above the level around it, mean over all of them. */
  readonly costEach: number;
  readonly cost: number;
}

/** One evaluation of one rule: which of its conditions held, with which numbers. */
export interface RuleTrace {
  readonly rule: string;
  /** Position in `series`; undefined where the series was not analysed. */
  readonly series?: number;
  readonly context: SeriesContext;
  /** 1-based inclusive. */
  readonly iterations: readonly [number, number];
  /** Everything that the rule looked at, by name. */
  readonly quantities: Readonly<Record<string, number>>;
  /** As written in the rule, in order of evaluation. */
  readonly tests: readonly {
    readonly text: string;
    readonly left: number;
    readonly operator: string;
    readonly right: number;
    readonly holds: boolean;
  }[];
  readonly holds: boolean;
  readonly confidence: number;
  readonly severity?: number;
}
