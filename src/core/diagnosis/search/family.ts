import type { ResourceTree } from '../resources/focus';
import type { Experiment } from './experiment';
import type { Way } from './way';

/** The parts of one experiment in one tree: the same hypothesis at the parts of that resource. */
export class Family {
  readonly children = new Set<Experiment>();
  /** The ways on which the parts were reached. */
  readonly ways = new Set<Way>();
  /** Whether all parts that are known were made. */
  isListed = false;
  /** Number of parts that are true or may become so. None: the tree is exhausted here. */
  open = 0;

  constructor(
    readonly owner: Experiment,
    readonly tree: ResourceTree,
  ) {}
}
