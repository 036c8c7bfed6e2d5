import { assertNever } from '../../errors';
import { at } from '../../at';
import { CallGraph } from '../resources/callGraph';
import { isWithin } from '../resources/containment';
import { discoveryLimits } from '../resources/discoveryControl';
import { wholeProgram, type Focus, type ResourcePath, type ResourceTree } from '../resources/focus';
import { printResource } from '../resources/focusText';
import { Resources } from '../resources/resources';
import { ActivationQueue } from './activationQueue';
import { slowDown } from './costThrottle';
import type { Experiment } from './experiment';
import { liveHypotheses, topHypotheses, type LiveHypothesis } from './liveHypothesis';
import type { SearchCommand, SearchEvent } from './messages';
import { Notices } from './notices';
import { SearchGraph, type GraphOwner } from './searchGraph';
import type { Refinement, SearchBegin, SearchNews, SearchOptions, SearchRoot, SearchRules, Starter } from './searchOptions';
import type { Activity, SearchNode, SearchRecord } from './searchRecord';

/** As in Paradyn, in seconds; a complete search has been steady for 30 s. */
export const searchRules: SearchRules = {
  hysteresis: 0.05,
  minTimeToTrue: 20,
  minTimeToFalse: 20,
  minObservation: 1,
  maxActive: 300,
  maxPending: 30,
  completeAfter: 30,
  discovery: discoveryLimits,
};

type Event<Type extends SearchEvent['type']> = Extract<SearchEvent, { readonly type: Type }>;

/**
 * Searches why and where a program is slow (Roth 2005, chapter 3): it tests hypotheses at the whole program, refines those that are true, and stops measuring those that are
 * false, within a limit of what measuring may cost. It knows no clock and no program: events go in, commands come out, and the same events give the
 * same commands. Wrong events are ignored with a notice.
 */
export class Search {
  private readonly rules: SearchRules;
  private readonly hypotheses: ReadonlyMap<string, LiveHypothesis>;
  private readonly resources: Resources;
  private readonly calls: CallGraph;
  private readonly graph: SearchGraph;
  private readonly queue = new ActivationQueue<Experiment>();
  private readonly notices = new Notices();
  private readonly counts: Record<Activity, number> = { inactive: 0, waiting: 0, requested: 0, deferred: 0, active: 0 };
  /** Experiments with data that have not agreed for long enough since they were asked for. */
  private readonly undecided = new Set<Experiment>();
  /** True ones that are still measured, the oldest first, without persistent ones. */
  private readonly watched = new Set<Experiment>();
  private readonly lost: ResourcePath[] = [];
  private now = 0;
  private phase: 'running' | 'paused' | 'ended' | 'stopped' = 'running';
  private steadySince: number | undefined;
  /** Whether the first of the queue waits for the cost limit. */
  private isSlowed = false;
  /** Whether nothing of the queue fits. */
  private isBlocked = false;
  /** Whether the cost is observed, and contains what was removed since. */
  private costIs: 'not observed' | 'old' | 'new' = 'not observed';
  private commands: SearchCommand[] = [];
  private readonly changed = new Set<Experiment>();
  private refined: Refinement[] = [];
  private delegated = new Set<Experiment>();

  constructor(private readonly options: SearchOptions) {
    const { hypotheses, program, rules } = options;
    this.rules = { ...searchRules, ...rules };
    this.hypotheses = liveHypotheses(hypotheses);
    this.resources = new Resources(program.children, this.rules.discovery);
    this.calls = new CallGraph(program);
    this.graph = new SearchGraph(this.graphOwner());
  }

  /** Begins with all hypotheses that make no other one more precise; these stay measured also when they are false. */
  start({ focus, along }: SearchBegin = { focus: wholeProgram }): readonly SearchCommand[] {
    for (const hypothesis of topHypotheses(this.hypotheses))
      this.graph.addRoot(hypothesis, focus, { priority: 'why', isPersistent: true, ...(along && { along }) });
    return this.proceed();
  }

  addRoot({ time, hypothesis: id, focus, along, priority }: SearchRoot): readonly SearchCommand[] {
    const hypothesis = this.hypotheses.get(id);
    if (!this.goesTo(time)) return [];
    if (hypothesis === undefined) this.notices.add('unknown', this.now, `The search has no hypothesis "${id}".`);
    else this.graph.addRoot(hypothesis, focus, { priority, isPersistent: false, ...(along && { along }) });
    return this.proceed();
  }

  addStarter({ time, trigger: id, function: starter, connecting }: Starter): readonly SearchCommand[] {
    if (!this.goesTo(time)) return [];
    const trigger = at(this.graph.experiments, id);
    let from = trigger;
    for (const path of connecting)
      from = this.graph.addFunction(trigger, { from, function: path, by: 'connecting' });
    this.graph.addFunction(trigger, { from, function: starter, by: 'deep starter' });
    return this.proceed();
  }

  handle(event: SearchEvent): readonly SearchCommand[] {
    if (!this.goesTo(event.time)) return [];
    this.apply(event);
    return this.proceed();
  }

  takeNews(): SearchNews {
    const changed = [...this.changed].sort((a, b) => a.id - b.id).map(({ node }) => node);
    const news = { changed, refined: this.refined, delegated: [...this.delegated].map(({ id }) => id) };
    this.changed.clear();
    this.refined = [];
    this.delegated = new Set();
    return news;
  }

  /** @throws RangeError when there is no such experiment */
  node(id: number): SearchNode {
    return at(this.graph.experiments, id).node;
  }

  record(): SearchRecord {
    return {
      ...this.options.about,
      end: this.now,
      state: this.state,
      hypotheses: [...this.hypotheses.values()].map(({ current }) => current),
      nodes: this.graph.experiments.map(({ node }) => node),
      notices: this.notices.all,
    };
  }

  get state(): SearchRecord['state'] {
    if (this.phase !== 'running') return this.phase;
    if (this.steadySince === undefined) return 'searching';
    return this.now - this.steadySince >= this.rules.completeAfter ? 'complete' : 'steady';
  }

  private graphOwner(): GraphOwner {
    const time = (): number => this.now;
    return {
      get now() {
        return time();
      },
      partsOf: (tree, of) => this.partsOf(tree, of),
      predictedCost: ({ record }, focus) => {
        const cost = this.options.program.predictedCost(record, focus);
        return Number.isNaN(cost) ? 1 : Math.min(1, Math.max(0, cost));
      },
      reached: (experiment) => this.wait(experiment),
      raised: (experiment) => {
        this.changed.add(experiment);
        if (experiment.activity === 'waiting') this.queue.push(experiment);
      },
      changed: (experiment) => void this.changed.add(experiment),
      refined: ({ id }, functions) =>
        void this.refined.push({ experiment: id, functions: functions.map((made) => made.id) }),
    };
  }

  private partsOf(tree: ResourceTree, of: ResourcePath): readonly ResourcePath[] {
    if (tree === 'Code') return this.calls.callees(of);
    const parts = this.resources.children(tree, of).map((name) => [...of, name]);
    return tree === 'Machine' ? parts.filter((part) => !this.isLost(part)) : parts;
  }

  private isLost(machine: ResourcePath): boolean {
    return this.lost.some((lost) => isWithin(machine, lost));
  }

  /** @returns whether the search may go on to that time */
  private goesTo(time: number): boolean {
    if (this.phase === 'ended' || this.phase === 'stopped') return false;
    if (!(time >= this.now && time < Infinity)) {
      this.notices.add('late', this.now, `A message of ${time} s came after ${this.now} s and was ignored.`);
      return false;
    }
    this.now = time;
    for (const { tree, path } of this.resources.revived(time)) {
      this.graph.relist(tree, path);
      this.notices.add('suppressed', time, `${printResource(tree, path)} is refined again.`);
    }
    return true;
  }

  private apply(event: SearchEvent): void {
    switch (event.type) {
      case 'accepted':
      case 'deferred':
      case 'failed':
      case 'sample':
        this.applyToExperiment(event);
        break;
      case 'cost':
        this.takeCost(event);
        break;
      case 'resource':
        this.takeResource(event);
        break;
      case 'call':
        if (this.calls.add(event.caller, event.callee)) this.graph.found('Code', event.caller, event.callee);
        break;
      case 'threshold':
        this.changeThreshold(event);
        break;
      case 'lost':
        this.lose(event.machine);
        break;
      case 'time':
        break;
      case 'pause':
      case 'resume':
        this.phase = event.type === 'pause' ? 'paused' : 'running';
        break;
      case 'ended':
      case 'stop':
        this.end(event.type);
        break;
      default:
        assertNever(event);
    }
  }

  private applyToExperiment(event: Event<'accepted' | 'deferred' | 'failed' | 'sample'>): void {
    const experiment = this.graph.experiments[event.experiment];
    // Answers to what is not asked for any more.
    if (experiment === undefined || experiment.activity === 'inactive' || experiment.activity === 'waiting') return;
    switch (event.type) {
      case 'accepted':
        if (experiment.activity !== 'active') this.activate(experiment, event.time);
        break;
      case 'deferred':
        if (experiment.activity === 'requested') this.setActivity(experiment, 'deferred');
        break;
      case 'failed':
        this.remove(experiment);
        experiment.problem = event.message;
        this.graph.settle(experiment);
        break;
      case 'sample':
        this.takeSample(experiment, event);
        break;
    }
  }

  private takeSample(experiment: Experiment, { value, start, end }: Event<'sample'>): void {
    if (this.phase === 'paused') return;
    if (!Number.isFinite(value) || !(start < end) || !Number.isFinite(end - start)) {
      this.notices.add('sample', this.now, `A sample of ${value} over ${start} to ${end} s was ignored.`);
      return;
    }
    if (experiment.activity !== 'active') this.activate(experiment, start);
    if (!experiment.hasData) this.options.budget.visible(experiment.id);
    const says = experiment.observe({ value, start, end }, this.rules);
    this.changed.add(experiment);
    if (says === undefined) return;
    this.undecided.delete(experiment);
    const truth = says ? 'true' : 'false';
    if (experiment.truth !== truth) this.graph.setTruth(experiment, truth);
    if (experiment.isPersistent) return;
    if (says) this.watched.add(experiment);
    else this.disable(experiment);
  }

  private takeCost({ share }: Event<'cost'>): void {
    if (!(share >= 0 && share <= 1)) {
      this.notices.add('cost', this.now, `A measured cost of ${share} is no share of the processor's time and was ignored.`);
      return;
    }
    this.options.budget.observe(share);
    this.costIs = 'new';
  }

  private takeResource({ tree, parent, name, time }: Event<'resource'>): void {
    const discovery = this.resources.add(tree, parent, name, time);
    if (discovery === 'added') this.graph.found(tree, parent, [...parent, name]);
    if (discovery !== 'newly suppressed') return;
    const { perSecond, quiet } = this.rules.discovery;
    const message = `Ephemeral children of ${printResource(tree, parent)} are suppressed: more than ${perSecond} per second are new. It is not refined until none is new for ${quiet} s.`;
    this.notices.add('suppressed', time, message);
  }

  /** What may come out differently is tested again; what is measured anyway concludes by itself. */
  private changeThreshold({ hypothesis: id, threshold }: Event<'threshold'>): void {
    const hypothesis = this.hypotheses.get(id);
    if (hypothesis === undefined || !Number.isFinite(threshold)) {
      this.notices.add('threshold', this.now, `The threshold ${threshold} of the hypothesis "${id}" was ignored.`);
      return;
    }
    const change = threshold - hypothesis.threshold;
    hypothesis.threshold = threshold;
    if (change === 0) return;
    const again = change < 0 === (hypothesis.record.holds === 'above') ? 'false' : 'true';
    for (const experiment of this.graph.experiments)
      if (experiment.hypothesis === hypothesis && experiment.truth === again && this.graph.isWanted(experiment))
        this.wait(experiment, again);
  }

  private lose(machine: ResourcePath): void {
    this.lost.push(machine);
    for (const experiment of this.graph.experiments) {
      if (!isWithin(experiment.focus.Machine, machine)) continue;
      experiment.isStale = true;
      this.remove(experiment);
      this.graph.settle(experiment);
    }
  }

  private end(why: 'ended' | 'stop'): void {
    for (const experiment of this.graph.experiments) {
      if (experiment.activity === 'inactive') continue;
      if (why === 'ended' || experiment.activity === 'waiting') this.remove(experiment);
      else this.disable(experiment);
    }
    this.phase = why === 'ended' ? 'ended' : 'stopped';
  }

  /** What follows from what has happened. */
  private proceed(): readonly SearchCommand[] {
    if (this.phase === 'running') {
      this.graph.refineAll();
      this.activateWaiting();
    }
    if (this.phase !== 'running' || !this.isSteady()) this.steadySince = undefined;
    else this.steadySince ??= this.now;
    const { commands } = this;
    this.commands = [];
    return commands;
  }

  private isSteady(): boolean {
    const nothingFits = this.queue.first() === undefined || (this.isBlocked && this.costIs !== 'old');
    return nothingFits && this.counts.requested === 0 && this.undecided.size === 0;
  }

  /** Puts an experiment into the queue unless its truth is known (or is another one than that which may have changed) or it cannot be measured. */
  private wait(experiment: Experiment, truth = 'unknown'): void {
    this.changed.add(experiment);
    const { activity, hypothesis, problem, isStale, focus } = experiment;
    if (activity !== 'inactive' || experiment.truth !== truth || problem !== undefined || isStale) return;
    if (hypothesis.isVirtual) return;
    if (this.options.isDelegated?.(hypothesis.record, focus) === true) {
      this.delegated.add(experiment);
      return;
    }
    this.setActivity(experiment, 'waiting');
    this.queue.push(experiment);
  }

  private activateWaiting(): void {
    const { maxActive, maxPending } = this.rules;
    this.isBlocked = false;
    for (let next = this.queue.first(); next !== undefined; next = this.queue.first()) {
      if (!this.graph.isWanted(next)) {
        this.setActivity(next, 'inactive');
        continue;
      }
      const { requested, deferred, active } = this.counts;
      if (requested >= maxPending) return;
      const isFull = requested + deferred + active >= maxActive;
      const answer = isFull ? 'later' : this.options.budget.admit(next.id, next.predictedCost, next.priority);
      if (answer === 'admitted') this.enable(next);
      else if (answer === 'never') this.skip(next);
      else if (!this.makeRoom()) {
        this.isBlocked = true;
        if (!isFull) this.slow();
        return;
      }
    }
    if (!this.isSlowed) return;
    this.isSlowed = false;
    this.notices.add('slowed', this.now, 'The cost limit does not slow the search any more.');
  }

  /**
   * Stops measuring the oldest true experiment where nothing else would ever end: it was refined, and what waits would wait for ever.
   * @returns whether there was one
   */
  private makeRoom(): boolean {
    const [oldest] = this.watched;
    if (oldest === undefined || this.undecided.size > 0 || this.counts.requested > 0 || this.costIs === 'old')
      return false;
    this.disable(oldest);
    return true;
  }

  private slow(): void {
    if (this.isSlowed) return;
    this.isSlowed = true;
    const limit = this.options.about.costLimit;
    this.notices.add(
      'slowed',
      this.now,
      `The cost limit slows the search: measuring may make the program ${limit} times as slow, and more experiments wait.`,
    );
  }

  private skip(experiment: Experiment): void {
    const { costLimit } = this.options.about;
    const factor = slowDown(experiment.predictedCost).toFixed(2);
    experiment.problem = `Its predicted cost exceeds the limit: measuring it would make the program ${factor} times as slow, and ${costLimit} is allowed.`;
    this.setActivity(experiment, 'inactive');
    this.graph.settle(experiment);
    this.graph.refineAll();
    this.notices.add('skipped', this.now, `Experiment ${experiment.id} was skipped. ${experiment.problem}`);
  }

  private enable(experiment: Experiment): void {
    this.setActivity(experiment, 'requested');
    const { id, hypothesis, focus } = experiment;
    this.commands.push({ type: 'enable', experiment: id, hypothesis: hypothesis.record.id, focus });
  }

  private activate(experiment: Experiment, time: number): void {
    experiment.begin(time);
    this.setActivity(experiment, 'active');
    this.undecided.add(experiment);
  }

  private disable(experiment: Experiment): void {
    this.remove(experiment);
    this.commands.push({ type: 'disable', experiment: experiment.id });
    if (this.costIs === 'new') this.costIs = 'old';
  }

  /** Forgets that it was asked for. */
  private remove(experiment: Experiment): void {
    this.undecided.delete(experiment);
    this.watched.delete(experiment);
    this.options.budget.release(experiment.id);
    this.setActivity(experiment, 'inactive');
  }

  private setActivity(experiment: Experiment, activity: Activity): void {
    this.counts[experiment.activity] -= 1;
    experiment.activity = activity;
    this.counts[activity] += 1;
    this.changed.add(experiment);
  }
}
