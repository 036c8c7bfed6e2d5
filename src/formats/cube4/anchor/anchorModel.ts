import type { CallSite, Parameter } from '../../../core/profile/profile';

/** The elements of anchor.xml before ids are resolved. */
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

/** Both maps are made when the first entry comes: a file may have very many elements without any. */
export interface Described {
  fields?: Fields;
  attributes?: Map<string, string>;
}

export interface AnchorMetric extends Described {
  readonly id: number;
  /** `EXCLUSIVE`, `INCLUSIVE`, `SIMPLE`, `POSTDERIVED`, … */
  readonly type: string;
  readonly ghost: boolean;
  readonly parent: number;
}

export interface AnchorRegion extends Described {
  readonly id: number;
  readonly file: string;
  readonly begin: string;
  readonly end: string;
}

/** Columns in document order, which is pre-order. */
export interface AnchorCnodes {
  readonly id: number[];
  readonly calleeId: number[];
  readonly parent: number[];
  readonly parameters: Map<number, Parameter[]>;
  readonly callSites: Map<number, CallSite>;
}

export interface AnchorSystemNode extends Described {
  /** Infinity where the file has none: only topologies refer to it. Location groups and other nodes are numbered separately. */
  readonly id: number;
  /** Value of the element's class or type; old files have elements `machine`, `node`, `process` instead. */
  readonly defaultKind: string;
  readonly holdsLocations: boolean;
  readonly parent: number;
}

export interface AnchorLocation extends Described {
  readonly id: number;
  readonly process: number;
}

export type PlacedKind = 'location' | 'group' | 'node';

export interface AnchorTopology {
  readonly name: string | undefined;
  readonly dimensions: { name?: string; size: number; periodic: boolean }[];
  /** Texts of the coordinates by id of the location, location group or tree node. */
  readonly coordinates: Partial<Record<PlacedKind, Map<number, string>>>;
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
