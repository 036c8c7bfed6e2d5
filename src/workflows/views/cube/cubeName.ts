/** A file with a certain content. */
export interface CubeName {
  /** Absolute path. */
  readonly file: string;
  readonly id: string;
}

export interface CubeRange extends CubeName {
  readonly first: number;
  readonly count: number;
}
