import type {
  MapPiece,
  PropertyRow,
  ReportPiece,
  RuleCheck,
  SeriesDetail,
  SeriesRow,
} from '../core/views/dynamicsPieces';
import type {
  DynamicsName,
  DynamicsQuestion,
  DynamicsRange,
  OpenedDynamics,
} from '../workflows/dynamicsView';
import type { CompareDynamicsRequest } from '../workflows/compareDynamics';
import type { FoundProperty } from '../workflows/dynamicsInSource';
import type { SourcesHere } from '../workflows/profileInSource';

export type { FoundProperty };

/** What the extension asks of the dynamics of a run. The engine keeps an analysis as long as it lives, and makes it again after that. */
export interface DynamicsEngineRequests {
  /** The newest experiment with iterations in the folder of a target, study or iteration. */
  readonly newestIterations: {
    readonly options: { readonly folder: string };
    readonly result: { readonly experiment?: string };
  };
  readonly openDynamics: { readonly options: DynamicsQuestion; readonly result: OpenedDynamics };
  /** What was found, at today's places, in `properties` events of bounded size. */
  readonly dynamicsFound: {
    readonly options: DynamicsName & {
      readonly sources: SourcesHere;
      readonly files: readonly string[];
      readonly isOfStudy: boolean;
    };
    readonly result: { readonly missing: readonly string[] };
  };
  readonly dynamicsPropertyRows: { readonly options: DynamicsRange; readonly result: readonly PropertyRow[] };
  readonly dynamicsSeriesRows: { readonly options: DynamicsRange; readonly result: readonly SeriesRow[] };
  readonly dynamicsReportRows: { readonly options: DynamicsRange; readonly result: readonly ReportPiece[] };
  readonly dynamicsValues: {
    readonly options: DynamicsName & { readonly series: number };
    readonly result: SeriesDetail;
  };
  readonly dynamicsMap: {
    readonly options: DynamicsRange & { readonly map: number };
    readonly result: MapPiece;
  };
  readonly dynamicsTrace: {
    readonly options: DynamicsName & { readonly series: number };
    readonly result: readonly RuleCheck[];
  };
  readonly dynamicsRegion: {
    readonly options: DynamicsName & {
      readonly of: 'property' | 'series' | 'report';
      readonly row: number;
    };
    readonly result: { readonly name: string; readonly file?: string; readonly line?: number };
  };
  /** Phases and degradations of two runs by a common axis, as Markdown. */
  readonly compareDynamics: {
    readonly options: CompareDynamicsRequest & { readonly workspace: string };
    readonly result: { readonly text: string };
  };
  /** Writes the report as the command line does. */
  readonly saveDynamicsReport: {
    readonly options: DynamicsName & {
      readonly format: 'csv' | 'markdown' | 'json';
      /** Least severity (0…1) of its rows. */
      readonly threshold: number;
      readonly file: string;
    };
    readonly result: { readonly file: string };
  };
}
