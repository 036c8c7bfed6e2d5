import type { CubeMetric } from '../../../src/core/views/cubePieces';
import { shareIn, type ModeRows, type References, type ValueMode } from '../../../src/core/views/valueModes';
import { together } from '../values/together';
import { cellAt, cellsOf, indexOf, type TopologyGrid } from './grid';

/** Places of a topology: nodes of the system tree, each with one coordinate per dimension. */
export interface Places {
  readonly nodes: Uint32Array;
  readonly coordinates: Uint32Array;
}

/** The cells that have a location, a process or a node. */
export interface Occupied {
  /** Position in `nodes` by index of the cell; −1: empty. */
  readonly at: Int32Array;
  /** Usually one each. */
  readonly nodes: readonly (readonly number[])[];
}

export function occupied(grid: TopologyGrid, { nodes, coordinates }: Places): Occupied {
  const at = new Int32Array(cellsOf(grid)).fill(-1);
  const inCells: number[][] = [];
  const dimensions = grid.sizes.length;
  nodes.forEach((node, place) => {
    const cell = cellAt(grid, coordinates.subarray(place * dimensions, (place + 1) * dimensions));
    if (cell === undefined) return;
    const index = indexOf(grid, cell);
    const known = inCells[at[index] ?? -1];
    if (known === undefined) at[index] = inCells.push([node]) - 1;
    else known.push(node);
  });
  return { at, nodes: inCells };
}

/** What the values of cells are made of. */
export interface SystemValues {
  /** By node of the system tree: a process has the values of its threads. */
  readonly inclusive: Float64Array;
  readonly parent: Int32Array;
  readonly combine: CubeMetric['combine'];
  readonly mode: ValueMode;
  readonly references: References;
}

/** Values of occupied cells, and how large they are drawn. */
export interface CellValues {
  readonly values: Float64Array;
  readonly least: number;
  readonly most: number;
  /** The part (0…1) of what the mode compares with; undefined: there is no whole. */
  readonly share: (position: number) => number | undefined;
}

export function cellValues({ nodes }: Occupied, system: SystemValues): CellValues {
  const { inclusive, parent, combine, mode, references } = system;
  const combined = (members: readonly number[]): number =>
    members.map((node) => inclusive[node] ?? 0).reduce((a, b) => together(combine, a, b), 0);
  const values = Float64Array.from(nodes, combined);
  let [least, most] = values.length === 0 ? [0, 0] : [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const largest = Math.max(Math.abs(least), Math.abs(most));
  const roots = [...parent.keys()].filter((node) => (parent[node] ?? -1) < 0);
  const whole = values.length;
  // The cells are children of the whole system.
  const all = new Float64Array(whole + 1);
  all.set(values);
  all[whole] = combined(roots);
  const rows: ModeRows = {
    parent: new Int32Array(whole + 1).fill(whole, 0, whole).fill(-1, whole),
    inclusive: all,
    shown: (row) => values[row] ?? 0,
    peers: () => ({ least, most }),
  };
  const share = (row: number): number | undefined =>
    mode === 'absolute'
      ? largest > 0
        ? (values[row] ?? 0) / largest
        : undefined
      : shareIn(mode, row, rows, references);
  return { values, least, most, share };
}

/** The positions of occupied cells with a marked node, one below a marked node, or one above. */
export function markedCells({ nodes }: Occupied, parent: Int32Array, marked: readonly number[]): Set<number> {
  const found = new Set<number>();
  if (marked.length === 0) return found;
  const own = new Set(marked);
  const above = new Set<number>();
  for (const node of marked) for (let at = node; at >= 0; at = parent[at] ?? -1) above.add(at);
  const isMarked = (node: number): boolean => {
    if (above.has(node)) return true;
    for (let at = node; at >= 0; at = parent[at] ?? -1) if (own.has(at)) return true;
    return false;
  };
  nodes.forEach((members, position) => {
    if (members.some(isMarked)) found.add(position);
  });
  return found;
}
