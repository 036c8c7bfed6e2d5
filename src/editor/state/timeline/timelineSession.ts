/** The trace of a panel. */
export interface TimelineInput {
  /** Absolute: the anchor file of an OTF2 archive. */
  readonly file: string;
}
