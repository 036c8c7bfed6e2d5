import { getOrMake } from '../../getOrMake';
import type { Focus, ResourcePath, ResourceTree } from '../resources/focus';
import { printFocus, printResource } from '../resources/focusText';
import { resourceTrees } from '../resources/focus';
import { Experiment } from './experiment';
import { Family } from './family';
import type { LiveHypothesis } from './liveHypothesis';
import { priorities, type Priority, type RefinementKind, type Truth } from './searchRecord';
import { way, wayOn, type Way } from './way';

/** What the graph asks of the search, and reports to it. */
interface GraphOwner {
  readonly now: number;
  /** The parts of a resource that may be searched. */
  readonly partsOf: (tree: ResourceTree, of: ResourcePath) => readonly ResourcePath[];
  /** Share of the processor's time, in [0, 1]. */
  readonly predictedCost: (hypothesis: LiveHypothesis, focus: Focus) => number;
  /** An experiment leads to this one: it should be tested unless it was. */
  readonly reached: (experiment: Experiment) => void;
  /** It was true once and is false, and what leads to it is true again. */
  readonly doubtful: (experiment: Experiment) => void;
  /** Its priority has become higher. */
  readonly raised: (experiment: Experiment) => void;
  readonly changed: (experiment: Experiment) => void;
  /** Functions were reached from a true experiment. */
  readonly refined: (experiment: Experiment, functions: readonly Experiment[]) => void;
}

/** The experiments of a search, and how true ones are refined: one node for each hypothesis at a focus (Roth 2005, chapter 3). */
export class SearchGraph {
  readonly experiments: Experiment[] = [];
  private readonly byKey = new Map<string, Experiment>();
  /** By the resource whose parts they are. */
  private readonly familiesOf = new Map<string, Family[]>();
  private readonly toRefine: Experiment[] = [];

  constructor(private readonly owner: GraphOwner) {}

  addRoot(
    hypothesis: LiveHypothesis,
    focus: Focus,
    { priority, from, isPersistent }: { priority: Priority; from: Way; isPersistent: boolean },
  ): void {
    const root = this.experiment(hypothesis, focus, priority);
    root.parents.push({ by: 'root', time: this.owner.now });
    root.isWantedAnyway = true;
    root.isPersistent ||= isPersistent;
    this.reach(root, [from], priority);
  }

  /** An experiment at another function, to which no true experiment has to lead. @returns the new or known one */
  addFunction(
    trigger: Experiment,
    {
      from,
      function: path,
      by,
    }: { from: Experiment; function: ResourcePath; by: 'deep starter' | 'connecting' },
  ): Experiment {
    const added = this.experiment(trigger.hypothesis, { ...trigger.focus, Code: path }, by);
    if (added === from) return added;
    added.isWantedAnyway = true;
    if (!leadsTo(from, added)) added.parents.push({ node: from.id, by, time: this.owner.now });
    this.reach(
      added,
      [...trigger.ways].map(({ searched }) => way('Code', searched)),
      by,
    );
    return added;
  }

  setTruth(experiment: Experiment, truth: Truth): void {
    experiment.conclude(truth, this.owner.now);
    this.settle(experiment);
    if (truth === 'true') {
      this.toRefine.push(experiment);
      // What was dropped while nothing true led to it is tested after all.
      // And so is what became false with it: a disturbance of some seconds is no reason to give it up for the rest of the run.
      for (const child of childrenOf(experiment)) {
        if (child.wasTrue) this.owner.doubtful(child);
        else this.owner.reached(child);
      }
    }
    for (const parent of experiment.virtualParents) this.judge(parent);
  }

  /** What follows from an experiment that is false, or cannot be tested: where none of its siblings is more, the search goes on elsewhere. */
  settle(experiment: Experiment): void {
    const { truth, problem, isStale } = experiment;
    const isSettled = truth === 'false' || problem !== undefined || isStale;
    this.owner.changed(experiment);
    if (isSettled === experiment.isSettled) return;
    experiment.isSettled = isSettled;
    for (const family of experiment.families) {
      family.open += isSettled ? -1 : 1;
      if (family.open === 0) this.refineAgain(family.owner);
    }
  }

  /** Whether anything leads to it that makes it worth testing. What is true itself is, though all that led to it may be false by now. */
  isWanted(experiment: Experiment): boolean {
    return (
      experiment.isWantedAnyway ||
      experiment.truth === 'true' ||
      experiment.parents.some(({ node = -1 }) => {
        const parent = this.experiments[node];
        if (parent?.isOpen !== true) return false;
        return !parent.hypothesis.isVirtual || (node < experiment.id && this.isWanted(parent));
      })
    );
  }

  /** A part of a resource was found. */
  found(tree: ResourceTree, of: ResourcePath, part: ResourcePath): void {
    for (const family of this.familiesOf.get(printResource(tree, of)) ?? []) {
      if (!family.owner.isOpen) family.isListed = false;
      else if (this.addPart(family, part)) this.report(family.owner, tree, [part]);
    }
  }

  /** The parts of a resource may be searched again. */
  relist(tree: ResourceTree, of: ResourcePath): void {
    for (const family of this.familiesOf.get(printResource(tree, of)) ?? []) {
      family.isListed = false;
      this.refineAgain(family.owner);
    }
  }

  /** Refines what became true, and all that follows at once. */
  refineAll(): void {
    // Refining appends.
    for (const experiment of this.toRefine) if (experiment.isOpen) this.refine(experiment);
    this.toRefine.length = 0;
  }

  private refineAgain(experiment: Experiment): void {
    if (experiment.isOpen) this.toRefine.push(experiment);
  }

  private refine(experiment: Experiment): void {
    const { ways, hypothesis } = experiment;
    switch (hypothesis.isVirtual ? 'why-only' : hypothesis.record.expansion) {
      case 'why-and-where':
        this.refineWhy(experiment, ways);
        this.refineWhere(experiment);
        break;
      case 'where-and-why':
        this.refineWhere(experiment);
        this.refineWhy(experiment, ways);
        break;
      case 'why-before-where':
        this.refineWhy(experiment, ways);
        if (hypothesis.children.length === 0) this.refineWhere(experiment);
        break;
      case 'where-before-why':
        this.refineWhy(experiment, this.refineWhere(experiment));
        break;
      case 'why-only':
        this.refineWhy(experiment, ways);
        break;
      case 'where-only':
        this.refineWhere(experiment);
        break;
    }
  }

  /** @param ways on which the more precise hypotheses are reached; none: they are not tested */
  private refineWhy(parent: Experiment, ways: ReadonlySet<Way>): void {
    if (ways.size === 0) return;
    const priority = inherited(parent, 'why');
    for (const hypothesis of parent.hypothesis.children) {
      const child = this.experiment(hypothesis, parent.focus, priority);
      if (child === parent) continue;
      if (!parent.reasons.has(child)) {
        parent.reasons.add(child);
        this.link(parent, child, 'why');
        if (parent.hypothesis.isVirtual) child.virtualParents.push(parent);
        if (parent.hypothesis.isVirtual && parent.isPersistent) child.isPersistent = true;
      }
      this.reach(child, ways, priority);
    }
  }

  /** @returns the ways that end here: no tree that they may search has parts */
  private refineWhere(experiment: Experiment): ReadonlySet<Way> {
    const { pruned } = experiment.hypothesis.record;
    const ending = new Set<Way>();
    for (const arrival of experiment.ways) {
      let hasParts = false;
      if (arrival.tree === undefined) {
        for (const tree of resourceTrees)
          if (!pruned.includes(tree) && this.refineAlong(experiment, tree, way(tree)).children.size > 0)
            hasParts = true;
      }
      for (let on: Way | undefined = arrival; on?.tree !== undefined; on = wayOn(on, pruned)) {
        if (pruned.includes(on.tree)) continue;
        const { children, open } = this.refineAlong(experiment, on.tree, on);
        if (children.size > 0) hasParts = true;
        if (open > 0) break;
      }
      if (!hasParts) ending.add(arrival);
    }
    return ending;
  }

  private refineAlong(owner: Experiment, tree: ResourceTree, along: Way): Family {
    const family = getOrMake(owner.parts, tree, () => {
      const made = new Family(owner, tree);
      getOrMake(this.familiesOf, printResource(tree, owner.focus[tree]), () => [] as Family[]).push(made);
      return made;
    });
    if (!family.ways.has(along)) {
      family.ways.add(along);
      for (const child of family.children) this.reach(child, [along], inherited(owner, 'where'));
    }
    if (!family.isListed) {
      family.isListed = true;
      const parts = this.owner.partsOf(tree, owner.focus[tree]).filter((part) => this.addPart(family, part));
      this.report(owner, tree, parts);
    }
    return family;
  }

  /** @returns whether it was not there */
  private addPart(family: Family, part: ResourcePath): boolean {
    const { owner, tree, children, ways } = family;
    const priority = inherited(owner, 'where');
    const child = this.experiment(owner.hypothesis, { ...owner.focus, [tree]: part }, priority);
    // A function that calls itself is no part of itself.
    if (child === owner || children.has(child)) return false;
    children.add(child);
    child.families.push(family);
    if (!child.isSettled) family.open += 1;
    this.link(owner, child, 'where');
    this.reach(child, ways, priority);
    return true;
  }

  private report(owner: Experiment, tree: ResourceTree, parts: readonly ResourcePath[]): void {
    if (tree !== 'Code' || parts.length === 0) return;
    const functions = parts.map((Code) => this.byKey.get(keyOf(owner.hypothesis, { ...owner.focus, Code })));
    this.owner.refined(
      owner,
      functions.filter((made) => made !== undefined),
    );
  }

  /** The one of a hypothesis at a focus, which is made where it does not exist. */
  private experiment(hypothesis: LiveHypothesis, focus: Focus, priority: Priority): Experiment {
    return getOrMake(this.byKey, keyOf(hypothesis, focus), () => {
      const cost = hypothesis.isVirtual ? 0 : this.owner.predictedCost(hypothesis, focus);
      const made = new Experiment(this.experiments.length, hypothesis, focus, priority, cost);
      this.experiments.push(made);
      return made;
    });
  }

  private link(parent: Experiment, child: Experiment, by: RefinementKind): void {
    // Only connections to deep starters can be there before.
    if (child.isWantedAnyway && leadsTo(parent, child)) return;
    child.parents.push({ node: parent.id, by, time: this.owner.now });
    this.owner.changed(child);
  }

  private reach(child: Experiment, ways: Iterable<Way>, priority: Priority): void {
    this.raise(child, priority);
    const before = child.ways.size;
    for (const one of ways) child.ways.add(one);
    if (child.ways.size > before) this.refineAgain(child);
    this.owner.reached(child);
  }

  /** Gives it and what was refined from it a higher priority. */
  private raise(experiment: Experiment, priority: Priority): void {
    const raised: (readonly [Experiment, Priority])[] = [[experiment, priority]];
    for (const [one, higher] of raised) {
      if (priorities.indexOf(higher) >= priorities.indexOf(one.priority)) continue;
      one.priority = higher;
      this.owner.raised(one);
      for (const child of childrenOf(one)) raised.push([child, inherited(one, 'where')]);
    }
  }

  /** The truth of an experiment without a measurement. */
  private judge(virtual: Experiment): void {
    const truths = new Set([...virtual.reasons].map(({ truth }) => truth));
    const truth = truths.has('true') ? 'true' : truths.has('unknown') ? 'unknown' : 'false';
    if (truth !== virtual.truth) this.setTruth(virtual, truth);
  }
}

function keyOf(hypothesis: LiveHypothesis, focus: Focus): string {
  return `${hypothesis.record.id}\n${printFocus(focus)}`;
}

function inherited({ priority }: Experiment, by: 'why' | 'where'): Priority {
  return priority === 'deep starter' || priority === 'connecting' ? priority : by;
}

function leadsTo(parent: Experiment, child: Experiment): boolean {
  return child.parents.some(({ node }) => node === parent.id);
}

function* childrenOf({ parts, reasons }: Experiment): Iterable<Experiment> {
  yield* reasons;
  for (const { children } of parts.values()) yield* children;
}
