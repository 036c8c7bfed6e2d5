import { getOrMake } from '../../getOrMake';
import { resourceTrees, type ResourceTree } from '../resources/focus';

/**
 * How a search came to an experiment, which decides in which trees its focus is refined next. A root is refined in all trees (`tree` is absent); after that each way
 * goes down in its own tree, and where that has no more parts, or none that is true, it goes on in one that it has not been in. Without that order the
 * number of foci would explode (Roth 2005, chapter 6; the order as in Paradyn).
 */
export interface Way {
  readonly tree?: ResourceTree;
  /** Trees that it has been in before, none of which has parts that it could go on to. */
  readonly searched: readonly ResourceTree[];
}

const ways = new Map<string, Way>();

/** Each way is one object: they can be compared, and be in sets. */
export function way(tree?: ResourceTree, searched: readonly ResourceTree[] = []): Way {
  const others = resourceTrees.filter((other) => other !== tree && searched.includes(other));
  return getOrMake(ways, `${tree ?? ''} ${others.join(' ')}`, () =>
    tree === undefined ? { searched: others } : { tree, searched: others },
  );
}

/** The way on after its tree is exhausted; absent if no tree is left. */
export function wayOn({ tree, searched }: Way, pruned: readonly ResourceTree[]): Way | undefined {
  if (tree === undefined) return undefined;
  const done = [...searched, tree];
  const next = resourceTrees.find((other) => !done.includes(other) && !pruned.includes(other));
  return next === undefined ? undefined : way(next, done);
}
