/** What every surface needs to know of a kind of property: one record per kind. */
export interface PropertyKindRecord {
  /** `Hot spot` */
  readonly label: string;
  /** Label of a group of such properties. */
  readonly plural: string;
  /** What such a property means; the sentence of its rule in SARIF. */
  readonly description: string;
  /** Whether the program, or the measurement, is worse for it. */
  readonly direction: 'worse' | 'better' | 'neutral';
  /** In SARIF and in the Problems view, where a `note` does not stand. */
  readonly level: 'error' | 'warning' | 'information' | 'note';
  /** Codicon. */
  readonly icon: string;
  /** One character in front of the lens. */
  readonly sign: string;
  readonly group: PropertyKindGroup;
  /** Whether a lens of its own shows it at its line, or it is in the numbers of the function there. */
  readonly inSource: 'lens' | 'numbers';
  /** What follows the title where the title does not name the ranks. */
  readonly ranks: 'in title' | 'after title';
}

/**
 * Where the time goes, what recording does to the measurement, what changes over the iterations of a run, what grows with the parameters
 * of a study, how processes differ, and how a run differs from another one.
 */
export type PropertyKindGroup = 'time' | 'measurement' | 'change' | 'growth' | 'processes' | 'comparison';
