import { assertNever } from '../../errors';
import { at } from '../../at';
import { CallGraph } from '../resources/callGraph';
import { isWithin } from '../resources/containment';
import { discoveryLimits } from '../resources/discoveryControl';
import { wholeProgram, type Focus, type ResourcePath, type ResourceTree } from '../resources/focus';
import { printResource } from '../resources/focusText';
import { Resources } from '../resources/resources';
import { Activation } from './activation';
import type { Experiment } from './experiment';
import { liveHypotheses, topHypotheses, type LiveHypothesis } from './liveHypothesis';
import type { SearchCommand, SearchEvent } from './messages';
import { Notices } from './notices';
import { SearchGraph } from './searchGraph';
import type {
  Refinement,
  SearchBegin,
  SearchNews,
  SearchOptions,
  SearchRoot,
  SearchRules,
  Starter,
} from './searchOptions';
import type { SearchNode, SearchRecord } from './searchRecord';
import { way, type Way } from './way';

/** As in Paradyn; a complete search has been steady for 30 s. */
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
type AnswerType = 'accepted' | 'deferred' | 'failed' | 'sample';

/**
 * Searches why and where a program is slow (Roth 2005, chapter 3): it tests hypotheses at the whole program, refines those that are true, and stops
 * measuring those that are false, within a limit of what measuring may cost. It knows no clock and no program: events go in, commands come out, and
 * the same events give the same commands. Wrong events are ignored with a notice.
 */
export class Search {
  private readonly rules: SearchRules;
  private readonly hypotheses: ReadonlyMap<string, LiveHypothesis>;
  private readonly resources: Resources;
  private readonly calls: CallGraph;
  private readonly graph: SearchGraph;
  private readonly activation: Activation;
  private readonly notices = new Notices();
  private readonly lost: ResourcePath[] = [];
  private now = 0;
  private phase: 'running' | 'paused' | 'ended' | 'stopped' = 'running';
  private steadySince: number | undefined;
  private readonly changed = new Set<Experiment>();
  private refined: Refinement[] = [];
  private delegated: number[] = [];

  constructor(private readonly options: SearchOptions) {
    const { hypotheses, program, rules, budget, about } = options;
    this.rules = { ...searchRules, ...rules };
    this.hypotheses = liveHypotheses(hypotheses);
    this.resources = new Resources(program.children, this.rules.discovery);
    this.calls = new CallGraph(program);
    const time = (): number => this.now;
    const changed = (experiment: Experiment): void => void this.changed.add(experiment);
    const predictedCost = ({ record }: LiveHypothesis, focus: Focus): number => {
      const cost = program.predictedCost(record, focus);
      return Number.isNaN(cost) ? 1 : Math.min(1, Math.max(0, cost));
    };
    this.graph = new SearchGraph({
      get now() {
        return time();
      },
      partsOf: (tree, of) => this.partsOf(tree, of),
      predictedCost,
      reached: (experiment) => this.test(experiment),
      doubtful: (experiment) => this.test(experiment, 'false'),
      raised: (experiment) => this.activation.raised(experiment),
      changed,
      refined: ({ id }, functions) =>
        void this.refined.push({ experiment: id, functions: functions.map((made) => made.id) }),
    });
    this.activation = new Activation({
      get now() {
        return time();
      },
      rules: this.rules,
      budget,
      costLimit: about.costLimit,
      notices: this.notices,
      isWanted: (experiment) => this.graph.isWanted(experiment),
      predictedCost: ({ hypothesis, focus }) => predictedCost(hypothesis, focus),
      changed,
      skipped: (experiment) => {
        this.graph.settle(experiment);
        this.graph.refineAll();
      },
    });
  }

  /** Begins with all hypotheses that make no other one more precise; these stay measured also when they are false. */
  start({ focus, along, searched }: SearchBegin = { focus: wholeProgram }): readonly SearchCommand[] {
    for (const hypothesis of topHypotheses(this.hypotheses))
      this.graph.addRoot(hypothesis, focus, {
        priority: 'why',
        isPersistent: true,
        from: way(along, searched),
      });
    return this.proceed();
  }

  /** Tests what another process has delegated. It is refined here, and not measured any more when it is false. */
  addRoot({ time, hypothesis: id, focus, along, searched, priority }: SearchRoot): readonly SearchCommand[] {
    if (!this.goesTo(time)) return [];
    const hypothesis = this.hypotheses.get(id);
    if (hypothesis === undefined) this.notice('hypothesis', `The search has no hypothesis "${id}".`);
    else this.graph.addRoot(hypothesis, focus, { priority, isPersistent: false, from: way(along, searched) });
    return this.proceed();
  }

  /** @throws RangeError when the trigger does not exist */
  addStarter({ time, trigger: id, function: starter, connecting }: Starter): readonly SearchCommand[] {
    const trigger = at(this.graph.experiments, id);
    if (!this.goesTo(time)) return [];
    let from = trigger;
    for (const path of connecting)
      from = this.graph.addFunction(trigger, { from, function: path, by: 'connecting' });
    this.graph.addFunction(trigger, { from, function: starter, by: 'deep starter' });
    return this.proceed();
  }

  handle(event: SearchEvent): readonly SearchCommand[] {
    if (!this.goesTo(event.time)) return [];
    this.take(event);
    return this.proceed();
  }

  takeNews(): SearchNews {
    const changed = [...this.changed].sort((a, b) => a.id - b.id).map(({ node }) => node);
    const news = { changed, refined: this.refined, delegated: this.delegated };
    this.changed.clear();
    this.refined = [];
    this.delegated = [];
    return news;
  }

  /** @throws RangeError when there is no such experiment */
  node(id: number): SearchNode {
    return at(this.graph.experiments, id).node;
  }

  /** The ways on which an experiment was reached. @throws RangeError when there is no such experiment */
  waysTo(id: number): readonly Way[] {
    return [...at(this.graph.experiments, id).ways];
  }

  /** How often anything was concluded: the record says something new when there are more. */
  get conclusions(): number {
    return this.graph.experiments.reduce((sum, { concluded }) => sum + concluded, 0);
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

  private partsOf(tree: ResourceTree, of: ResourcePath): readonly ResourcePath[] {
    if (tree === 'Code') return this.calls.callees(of);
    const parts = this.resources.children(tree, of).map((name) => [...of, name]);
    if (tree !== 'Machine') return parts;
    return parts.filter((part) => !this.lost.some((lost) => isWithin(part, lost)));
  }

  /** @returns whether the search may go on to that time */
  private goesTo(time: number): boolean {
    if (this.isOver) return false;
    if (!(time >= this.now && time < Infinity)) {
      this.notice('late', `A message of ${time} s came after ${this.now} s and was ignored.`);
      return false;
    }
    this.now = time;
    for (const { tree, path } of this.resources.revived(time)) {
      this.graph.relist(tree, path);
      this.notice('suppressed', `${printResource(tree, path)} is refined again.`);
    }
    return true;
  }

  private take(event: SearchEvent): void {
    switch (event.type) {
      case 'accepted':
      case 'deferred':
      case 'failed':
      case 'sample':
        this.takeAnswer(event);
        break;
      case 'resource':
      case 'call':
      case 'lost':
        this.takeChange(event);
        break;
      case 'cost':
        this.takeCost(event);
        break;
      case 'threshold':
        this.takeThreshold(event);
        break;
      case 'time':
        break;
      case 'pause':
      case 'resume':
      case 'ended':
      case 'stop':
        this.takePhase(event.type);
        break;
      default:
        assertNever(event);
    }
  }

  private takeAnswer(event: Event<AnswerType>): void {
    const experiment = this.graph.experiments[event.experiment];
    // Answers to what is not asked for any more.
    if (experiment === undefined || experiment.activity === 'inactive' || experiment.activity === 'waiting')
      return;
    switch (event.type) {
      case 'accepted':
        if (experiment.activity !== 'active') this.activation.begin(experiment, event.time);
        break;
      case 'deferred':
        if (experiment.activity === 'requested') this.activation.defer(experiment);
        break;
      case 'failed':
        this.activation.forget(experiment);
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
      this.notice('sample', `A sample of ${value} over ${start} to ${end} s was ignored.`);
      return;
    }
    if (experiment.activity !== 'active') this.activation.begin(experiment, start);
    if (!experiment.hasData) this.options.budget.visible(experiment.id);
    const says = experiment.observe({ value, start, end }, this.rules);
    this.changed.add(experiment);
    if (says === undefined) {
      this.activation.doubted(experiment);
      return;
    }
    const truth = says ? 'true' : 'false';
    if (experiment.truth !== truth) this.graph.setTruth(experiment, truth);
    this.activation.decided(experiment, says);
  }

  private takeCost({ share }: Event<'cost'>): void {
    if (share >= 0 && share <= 1) this.activation.observe(share);
    else this.notice('cost', `A cost of ${share} is no share of the processor's time and was ignored.`);
  }

  private takeChange(event: Event<'resource' | 'call' | 'lost'>): void {
    switch (event.type) {
      case 'call':
        if (this.calls.add(event.caller, event.callee)) this.graph.found('Code', event.caller, event.callee);
        break;
      case 'resource':
        this.takeResource(event);
        break;
      case 'lost':
        this.lose(event.machine);
        break;
    }
  }

  private takeResource({ tree, parent, name, time }: Event<'resource'>): void {
    const discovery = this.resources.add(tree, parent, name, time);
    if (discovery === 'added') this.graph.found(tree, parent, [...parent, name]);
    if (discovery !== 'newly suppressed') return;
    const { perSecond, quiet } = this.rules.discovery;
    this.notice(
      'suppressed',
      `Ephemeral children of ${printResource(tree, parent)} are suppressed, because more than ${perSecond} appear per second. It is not refined until none has appeared for ${quiet} s.`,
    );
  }

  /** What may come out differently is tested again, or concludes anew where it is measured anyway. */
  private takeThreshold({ hypothesis: id, threshold }: Event<'threshold'>): void {
    const hypothesis = this.hypotheses.get(id);
    if (hypothesis === undefined || !Number.isFinite(threshold)) {
      this.notice('threshold', `The threshold ${threshold} of the hypothesis "${id}" was ignored.`);
      return;
    }
    const change = threshold - hypothesis.threshold;
    hypothesis.threshold = threshold;
    if (change === 0) return;
    const maybeChanged = change < 0 === (hypothesis.record.holds === 'above') ? 'false' : 'true';
    for (const experiment of this.graph.experiments)
      if (
        experiment.hypothesis === hypothesis &&
        experiment.truth === maybeChanged &&
        this.graph.isWanted(experiment)
      ) {
        this.activation.reopen(experiment);
        this.test(experiment, maybeChanged);
      }
  }

  private lose(machine: ResourcePath): void {
    this.lost.push(machine);
    for (const experiment of this.graph.experiments) {
      if (!isWithin(experiment.focus.Machine, machine)) continue;
      this.activation.forget(experiment);
      experiment.isStale = true;
      this.graph.settle(experiment);
    }
  }

  private takePhase(type: 'pause' | 'resume' | 'ended' | 'stop'): void {
    this.phase = ({ pause: 'paused', resume: 'running', ended: 'ended', stop: 'stopped' } as const)[type];
    if (!this.isOver) return;
    for (const experiment of this.graph.experiments) {
      if (type === 'ended') this.activation.forget(experiment);
      else this.activation.disable(experiment);
    }
  }

  private get isOver(): boolean {
    return this.phase === 'ended' || this.phase === 'stopped';
  }

  /** What follows from what has happened. */
  private proceed(): readonly SearchCommand[] {
    if (this.phase === 'running') {
      this.graph.refineAll();
      this.activation.advance();
    }
    if (this.phase !== 'running' || !this.activation.isAtRest) this.steadySince = undefined;
    else this.steadySince ??= this.now;
    return this.activation.takeCommands();
  }

  /** Has an experiment measured unless that is not possible, or its truth is not the given one. */
  private test(experiment: Experiment, truth = 'unknown'): void {
    this.changed.add(experiment);
    const { activity, hypothesis, problem, isStale, focus } = experiment;
    if (activity !== 'inactive' || experiment.truth !== truth || problem !== undefined || isStale) return;
    if (hypothesis.isVirtual) return;
    if (this.options.isDelegated?.(hypothesis.record, focus) !== true) this.activation.wait(experiment);
    else if (!experiment.isDelegated) {
      experiment.isDelegated = true;
      this.delegated.push(experiment.id);
    }
  }

  private notice(kind: string, message: string): void {
    this.notices.add(kind, this.now, message);
  }
}
