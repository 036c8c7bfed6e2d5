/** A process of the network. */
export interface LayoutNode {
  readonly rank: number;
  readonly host: string;
  /** Only makes the name unique on that host. */
  readonly index: number;
  readonly parent?: number;
  /** Ranks, in the order of the file. */
  readonly children: readonly number[];
}

/** The tree of processes, by rank: leaves first (0 … leaves−1), then the others; the root is the front end. */
export interface Layout {
  readonly nodes: readonly LayoutNode[];
  readonly root: number;
  readonly leaves: number;
}
