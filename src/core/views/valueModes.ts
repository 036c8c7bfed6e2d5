import { atFloat, atInt } from '../at';

/**
 * How a tree of a Cube profile writes its values: as they are, or as percentages of a reference. The names are those of the Cube GUI
 * (CubeGUI User Guide, “Value modes”).
 */
export const valueModes = [
  'absolute',
  'ownRoot',
  'metricRoot',
  'metricSelection',
  'callRoot',
  'callSelection',
  'peer',
  'peerDistribution',
] as const;
export type ValueMode = (typeof valueModes)[number];

export const modeTitles: Readonly<Record<ValueMode, string>> = {
  absolute: 'Absolute',
  ownRoot: 'Own root percent',
  metricRoot: 'Metric root percent',
  metricSelection: 'Metric selection percent',
  callRoot: 'Call root percent',
  callSelection: 'Call selection percent',
  peer: 'Peer percent',
  peerDistribution: 'Peer distribution',
};

/** The reference values of percentages; the tree determines which exist. */
export interface References {
  /** Values of the whole run: the root of the selected metric, and the selected metric. */
  readonly metricRoot: number;
  readonly metricSelection: number;
  /** Values of the selected metric: at the root above the selected call paths, and at these call paths as shown. */
  readonly callRoot: number;
  readonly callSelection: number;
}

/** Rows of one tree. */
export interface ModeRows {
  readonly parent: Int32Array;
  readonly inclusive: Float64Array;
  /** The shown value of a row: inclusive when it is collapsed, exclusive when it is expanded. */
  readonly shown: (row: number) => number;
  /** Least and greatest shown value of the rows as deep as this one; asked for at peer modes only. */
  readonly peers: (row: number) => { readonly least: number; readonly most: number };
}

/**
 * A row's value as a part (0…1) of what the mode says; undefined: of nothing.
 * `absolute` gives the part of the own root, for a colour.
 */
export function shareIn(mode: ValueMode, row: number, rows: ModeRows, of: References): number | undefined {
  const value = rows.shown(row);
  switch (mode) {
    case 'absolute':
    case 'ownRoot':
      return part(value, atFloat(rows.inclusive, rootOf(rows.parent, row)));
    case 'metricRoot':
      return part(value, of.metricRoot);
    case 'metricSelection':
      return part(value, of.metricSelection);
    case 'callRoot':
      return part(value, of.callRoot);
    case 'callSelection':
      return part(value, of.callSelection);
    case 'peer':
      return part(value, rows.peers(row).most);
    case 'peerDistribution': {
      const { least, most } = rows.peers(row);
      return part(value - least, most - least);
    }
  }
}

function part(value: number, whole: number): number | undefined {
  const share = value / whole;
  return Number.isFinite(share) ? share : undefined;
}

function rootOf(parent: Int32Array, row: number): number {
  let root = row;
  for (let above = atInt(parent, root); above >= 0; above = atInt(parent, root)) root = above;
  return root;
}
