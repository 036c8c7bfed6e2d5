import type { RegionPlace } from '../profile/place';
import type { Base } from '../functions/base';
import type { PropertyKind } from './kinds';

/** What a long run has so many of that only the costliest are listed: numbers of all of them. */
export interface AllIterations {
  /** Peaks, or rises. */
  readonly count: number;
  /** In all of them together. */
  readonly iterations: number;
  /** First iteration of the first one and last iteration of the last one, 1-based. */
  readonly range: readonly [number, number];
}

/** `[25-19975] (400 iterations)` */
export function allText({ iterations, range }: AllIterations): string {
  return `[${range.join('-')}] (${iterations} iterations)`;
}

/**
 * The second narrow waist: what was found. CodeLens, Problems, trees, tables, SARIF and the command line show properties and
 * nothing else (docs/INTERFACES.md fixes the shape).
 */
export interface Property {
  readonly id: string;
  readonly kind: PropertyKind;
  readonly title: string;
  /** Share (0…1) of the run or phase time; absent for what is no share of a time. */
  readonly severity?: number;
  /** 0…1. */
  readonly confidence: number;
  readonly region?: RegionPlace;
  readonly callPath?: readonly string[];
  /** Compressed rank set such as `0-3,7`. */
  readonly ranks?: string;
  /** Of an imbalance: the ranks that wait for those of `ranks`. */
  readonly waitingRanks?: string;
  /** 1-based inclusive ranges. */
  readonly iterations?: readonly (readonly [number, number])[];
  /** Where more was found than `iterations` lists, which are the costliest: all of it. */
  readonly all?: AllIterations;
  /** The numbers that made the condition true; units in the names. */
  readonly evidence: Readonly<Record<string, number>>;
  /** Id of the property that this one makes more precise. */
  readonly refines?: string;
  /** What the severity and the shares in the evidence are of; absent for what is no part of a whole. */
  readonly base?: Base;
  /** Of what grows with the parameters of a study. */
  readonly model?: PropertyModel;
  /** Absent in files of earlier versions. */
  readonly origin?: PropertyOrigin;
}

/** The performance model behind a property, in words that are the same wherever they stand. */
export interface PropertyModel {
  /** `time`, `visits`, … */
  readonly metric: string;
  /** With units: `11.3 s + 0.42 s · p · log₂ p`. */
  readonly formula: string;
  /** How it grows, as an expectation is written: `O(p · log₂ p)`. */
  readonly growth: string;
  /** What the severity is a share of: `the time predicted for p = 160, n = 2560`. */
  readonly whole: string;
  /** Why it is not to be relied on: `noise too large`. */
  readonly doubt?: string;
  /** The growth that was expected at most. */
  readonly expected?: string;
  /** The prediction and its range, how well the formula fits, and what was measured: a sentence each. */
  readonly facts: readonly string[];
}

/** Which analysis found a property, and in which run. */
export interface PropertyOrigin {
  /** `i3.r1` of a study, else the name of the file that was analysed. */
  readonly run: string;
  /** `profile`, `dynamics` */
  readonly analysis: string;
}

/** The severity to sort and filter by: 0 for a property without one. */
export function severityOf({ severity }: Pick<Property, 'severity'>): number {
  return severity ?? 0;
}

/** The most severe first; ids make the order unique. */
export function bySeverity(a: Property, b: Property): number {
  return severityOf(b) - severityOf(a) || (a.id < b.id ? -1 : 1);
}
