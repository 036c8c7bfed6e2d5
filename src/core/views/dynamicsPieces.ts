import type { Energies } from '../transforms/energyStream';
import type { Episode, Pattern } from '../signal/signal';
import type { Property } from '../properties/property';
import type { PropertyKind } from '../properties/kinds';

/** The facts about an analysis that a viewer needs before it asks for rows and values. */
export interface DynamicsHeader {
  /** Changes with each analysis; later questions name it. */
  readonly id: string;
  /** 0: nothing was measured per iteration. */
  readonly iterations: number;
  /** Unit of the values, normally `s`. */
  readonly unit: string;
  readonly phase?: string;
  readonly properties: number;
  readonly series: number;
  readonly reportRows: number;
  readonly maps: readonly MapHeader[];
  /** Nothing that matters changes over time. */
  readonly noDynamics: boolean;
  /** Notes for the reader, as sentences. */
  readonly notes: readonly string[];
}

/** One problem in one region, on all ranks and iterations. */
export interface MapHeader {
  readonly region: string;
  /** Kind of the static property whose impact is shown; absent for a plain metric. */
  readonly problem?: PropertyKind;
  readonly metric: string;
  readonly rows: number;
  /** At most `maximumColumns`. */
  readonly columns: number;
  readonly iterationsPerColumn: number;
  /** More than 1 when there are more ranks than visible rows: each row then shows the maximum of this many series. */
  readonly seriesPerRow: number;
}

/** A property as a viewer lists it. Within the viewer its position identifies it, elsewhere its id. */
export interface PropertyRow extends Pick<
  Property,
  'id' | 'kind' | 'title' | 'confidence' | 'region' | 'ranks' | 'iterations' | 'all'
> {
  /** Share (0…1) of the phase time; absent where it is no time (significant variability). */
  readonly severity?: number;
  /** Share (0…1) of the phase time that the degradation itself costs; absent for what has no times of its own. */
  readonly excess?: number;
  /** Share (0…1) of series without a change with evidence as strong; absent where it is not known. */
  readonly chance?: number;
  /** Position of the property that this one makes more precise. */
  readonly refines?: number;
  /** Positions of some series in which it was found, strongest first; empty when none is stored. */
  readonly series: readonly number[];
}

/** One analysed series, named by its position. */
export interface SeriesRow {
  readonly region: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** As in `MapHeader`. */
  readonly problem?: PropertyKind;
  readonly metric: string;
  readonly rank: number;
  readonly thread: number;
  /** Share (0…1) of the phase time. */
  readonly share: number;
  /** Dynamic of total energy, 0…1. */
  readonly variability: number;
  readonly peaks: number;
  readonly trends: number;
  /** Letters of the episodes in order, e.g. `DABG`. */
  readonly letters: string;
  /** Distance of its regular peaks, iterations. */
  readonly period?: number;
  readonly sentence: string;
  /** Position in `DynamicsHeader.maps`, and the row there; −1: in none. */
  readonly map: number;
  readonly mapRow: number;
}

/** One series with what was found in it; positions are iterations from 0. */
export interface SeriesDetail {
  /** Mean of each block of `iterationsPerValue` iterations (the last may be shorter); NaN: not measured. */
  readonly values: Float64Array;
  readonly iterationsPerValue: number;
  /** For each value what explains it, without noise and peaks; NaN: not known. Absent by the published method. */
  readonly model?: Float64Array;
  readonly energies: Energies;
  readonly episodes: readonly Episode[];
  readonly patterns: readonly Pattern[];
  readonly sentence: string;
}

/** Rows [first, first + rows) of a map, row by row; NaN: not measured. */
export interface MapPiece {
  readonly values: Float32Array;
  /** Ranks of each row, e.g. `4` or `4-7`. */
  readonly ranks: readonly string[];
  /** A series of each row. */
  readonly series: Uint32Array;
}

/** A rule that was tried on one series, with its numbers. */
export interface RuleCheck {
  readonly rule: string;
  readonly title: string;
  readonly passed: boolean;
  /** The iterations that it was tried on, 1-based. */
  readonly iterations?: readonly [number, number];
  readonly conditions: readonly ConditionCheck[];
  readonly severity?: number;
  readonly confidence?: number;
  /** The other numbers that it used. */
  readonly numbers: Readonly<Record<string, number>>;
}

export interface ConditionCheck {
  /** In words or as the rule writes it: `dynamic / total energy > 0.01`. */
  readonly text: string;
  readonly value?: number;
  /** Between them, as `>`. */
  readonly operator?: string;
  readonly threshold?: number;
  readonly passed: boolean;
}

/** A row of the report (specification §12). */
export interface ReportPiece {
  readonly title: string;
  readonly region: string;
  /** Compressed set; empty: all. */
  readonly ranks: string;
  /** As `[1-1028],[1650]`. */
  readonly iterations: string;
  /** Absent where it is not a share of time (variability). */
  readonly severity?: number;
  readonly excess?: number;
  /** Less than the threshold of the report: shown because the problem that it is part of is not. */
  readonly belowThreshold?: boolean;
  /** Position of the property that it stands for, when there is one. */
  readonly property?: number;
}

export const maximumColumns = 2048;
