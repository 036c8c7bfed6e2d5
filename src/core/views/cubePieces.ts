/** A Cube profile for a viewer, in pieces of bounded size: definitions first, values per metric on request. */
export interface CubeHeader {
  /** Changes with the content of the file; later questions name it. */
  readonly id: string;
  readonly title: string;
  readonly callPaths: number;
  readonly regions: number;
  readonly locations: number;
  /** Nodes of the system tree, locations among them. */
  readonly systemNodes: number;
  readonly metrics: readonly CubeMetric[];
  readonly topologies: readonly CubeTopology[];
}

/** A cartesian arrangement of the system. */
export interface CubeTopology {
  /** Empty where the file gives none. */
  readonly name: string;
  readonly dimensions: readonly TopologyDimension[];
  /** Number of locations, processes and nodes with a place within the dimensions. */
  readonly placed: number;
  /** Number of those with a place outside of them, which are not shown. */
  readonly outside: number;
}

export interface TopologyDimension {
  readonly name: string;
  readonly size: number;
  readonly periodic: boolean;
}

/** Places [first, first + nodes.length) of a topology. */
export interface CubePlaces {
  readonly first: number;
  /** Nodes of the system tree. */
  readonly nodes: Uint32Array;
  /** A coordinate for each dimension, place after place. */
  readonly coordinates: Uint32Array;
}

/** One metric; positions are those in the file. */
export interface CubeMetric {
  readonly name: string;
  readonly displayName: string;
  readonly unit: string;
  readonly dtype: string;
  /** Position of the parent metric, whose values contain this one's; −1: a root. */
  readonly parent: number;
  readonly description: string;
  readonly combine: 'sum' | 'minimum' | 'maximum';
  /** Expression of a derived metric, which has no values here. */
  readonly expression?: string;
  /** Exists for other metrics' expressions only and is not shown. */
  readonly hidden?: true;
  /** Its values have a number, a minimum, a maximum and a sum (`TAU_ATOMIC`). */
  readonly tuple?: true;
}

/** Call paths [first, first + parent.length). Parents come before their children. */
export interface CubeCallPaths {
  readonly first: number;
  /** −1 at a root. */
  readonly parent: Int32Array;
  readonly region: Uint32Array;
  /** Parameters that tell call paths of one region apart, as text; sparse. */
  readonly parameters: readonly (readonly [callPath: number, text: string])[];
}

/** A region as the viewer shows it. */
export interface CubeRegion {
  readonly name: string;
  readonly mangledName?: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  readonly endLine?: number;
  readonly paradigm: string;
  readonly role: string;
  readonly description?: string;
}

/** Nodes of the system tree [first, first + names.length): machines, nodes, processes, and locations after them all. */
export interface CubeSystemNodes {
  readonly first: number;
  readonly names: readonly string[];
  /** `machine`, `node`, `process`, `thread`, …: as the file says. */
  readonly kinds: readonly string[];
  /** −1 at a root. Not always before its children. */
  readonly parent: Int32Array;
  /** Position of the location, −1: it holds some. */
  readonly location: Int32Array;
}

/** Values of one metric at call paths [first, first + inclusive.length), combined over locations. */
export interface CubeValues {
  readonly first: number;
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  /** Parts of a tuple metric in the call path itself; 0 where there is none. */
  readonly tuple?: CubeTuple;
}

export interface CubeTuple {
  readonly count: Float64Array;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
}

/** A call path as a system tree shows it: with its callees, or by itself. */
export interface CubeSelected {
  readonly callPath: number;
  readonly exclusive: boolean;
}
