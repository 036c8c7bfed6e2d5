import type { CallSite, Parameter } from '../../core/profile/profile';

/** What anchor.xml says, element by element, before ids are resolved. */
export interface AnchorModel {
  readonly attributes: Map<string, string>;
  readonly mirrors: string[];
  readonly metrics: AnchorMetric[];
  readonly regions: AnchorRegion[];
  readonly cnodes: AnchorCnodes;
  readonly system: AnchorSystemNode[];
  readonly locations: AnchorLocation[];
  readonly topologies: AnchorTopology[];
}

/** The texts of an element's leaf children by their names. */
export type Fields = Map<string, string>;

export interface AnchorMetric {
  readonly id: number;
  /** `EXCLUSIVE`, `INCLUSIVE`, `SIMPLE`, `POSTDERIVED`, … */
  readonly type: string;
  readonly ghost: boolean;
  readonly parent: number;
  readonly fields: Fields;
  readonly attributes: Map<string, string>;
}

export interface AnchorRegion {
  readonly id: number;
  readonly file: string;
  readonly begin: string;
  readonly end: string;
  readonly fields: Fields;
  readonly attributes: Map<string, string>;
}

/** Columns in document order, which is pre-order. */
export interface AnchorCnodes {
  readonly id: number[];
  readonly calleeId: number[];
  readonly parent: number[];
  readonly parameters: Map<number, Parameter[]>;
  readonly callSites: Map<number, CallSite>;
}

export interface AnchorSystemNode {
  /** The element's class or type; old files have elements `machine`, `node`, `process` instead. */
  readonly defaultKind: string;
  readonly holdsLocations: boolean;
  readonly parent: number;
  readonly fields: Fields;
  readonly attributes: Map<string, string>;
}

export interface AnchorLocation {
  readonly id: number;
  readonly process: number;
  readonly fields: Fields;
}

export interface AnchorTopology {
  readonly name: string | undefined;
  readonly dimensions: { name?: string; size: number; periodic: boolean }[];
  /** By id of a location: the text of the coordinates. Those of processes and nodes are passed over. */
  readonly coordinates: Map<number, string>;
}

export function emptyModel(): AnchorModel {
  return {
    attributes: new Map(),
    mirrors: [],
    metrics: [],
    regions: [],
    cnodes: { id: [], calleeId: [], parent: [], parameters: new Map(), callSites: new Map() },
    system: [],
    locations: [],
    topologies: [],
  };
}
