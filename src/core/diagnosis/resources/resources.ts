import { getOrMake } from '../../getOrMake';
import { DiscoveryControl, discoveryLimits, type DiscoveryLimits } from './discoveryControl';
import type { ResourcePath, ResourceTree } from './focus';
import { printResource } from './focusText';

/** The trees that grow while a program runs; functions are found through calls, see `CallGraph`. */
type GrowingTree = Exclude<ResourceTree, 'Code'>;

interface GrowingResource {
  readonly tree: GrowingTree;
  readonly path: ResourcePath;
}

/**
 * `unknown parent`: nothing is known of the resource above; `suppressed`: too many appear at once, and `newly suppressed` is the first one that is not
 * registered for that reason.
 */
type Discovery = 'added' | 'known' | 'unknown parent' | 'suppressed' | 'newly suppressed';

interface Parent {
  readonly at: GrowingResource;
  readonly names: Set<string>;
  readonly control: DiscoveryControl;
}

/** The resources of a program: those known when it starts, and those that appear while it runs (Roth 2005, chapters 3 and 6). */
export class Resources {
  private readonly parents = new Map<string, Parent>();
  private readonly suppressed = new Set<Parent>();

  /** @param known names below a resource that need not be announced */
  constructor(
    private readonly known: (tree: GrowingTree, of: ResourcePath) => readonly string[],
    private readonly limits: DiscoveryLimits = discoveryLimits,
  ) {}

  /** The children that a search may look at: none while they appear too fast. */
  children(tree: GrowingTree, of: ResourcePath): readonly string[] {
    const parent = this.parent(tree, of);
    for (const name of this.known(tree, of)) parent.names.add(name);
    return parent.control.isSuppressed ? [] : [...parent.names];
  }

  /** @param time in seconds, not before that of the last call */
  add(tree: GrowingTree, of: ResourcePath, name: string, time: number): Discovery {
    if (!this.knows(tree, of)) return 'unknown parent';
    const parent = this.parent(tree, of);
    if (parent.names.has(name)) return 'known';
    const before = parent.control.isSuppressed;
    if (parent.control.admits(time)) {
      this.suppressed.delete(parent);
      parent.names.add(name);
      return 'added';
    }
    this.suppressed.add(parent);
    return before ? 'suppressed' : 'newly suppressed';
  }

  /** @returns the resources whose children are registered again from now on */
  revived(time: number): readonly GrowingResource[] {
    const revived = [...this.suppressed].filter(({ control }) => control.endsQuiet(time));
    for (const parent of revived) this.suppressed.delete(parent);
    return revived.map(({ at }) => at);
  }

  private knows(tree: GrowingTree, path: ResourcePath): boolean {
    return path.every((name, level) => this.parent(tree, path.slice(0, level)).names.has(name));
  }

  private parent(tree: GrowingTree, path: ResourcePath): Parent {
    return getOrMake(this.parents, printResource(tree, path), () => ({
      at: { tree, path },
      names: new Set(this.known(tree, path)),
      control: new DiscoveryControl(this.limits),
    }));
  }
}
