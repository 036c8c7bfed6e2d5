import { getOrMake } from '../../getOrMake';
import { assertNever } from '../../errors';
import { GlobalBudget } from '../budget/budgets';
import { noCost, type CostReport } from '../budget/costReport';
import { compose, noFolding, type Folding, type Owners } from '../folding/folding';
import { runsOf } from '../folding/runs';
import { Numbering } from '../folding/searchSource';
import { CostThrottle } from '../search/costThrottle';
import type { Budget, SearchCommand, SearchEvent, SearchedProgram } from '../search/messages';
import { searchRules } from '../search/search';
import type { SearchRecord } from '../search/searchRecord';
import type { Way } from '../search/way';
import type { AgentPlace } from './agent';
import { foldedSearch } from './foldedSearch';
import { limitsOf } from './limits';
import type { SearchStart, ToAgent, ToFrontEnd } from './messages';
import { SteeredSearch } from './steeredSearch';

export interface FrontEndSinks {
  /** @param host the agent that it is for; all of them if left out */
  readonly down: (message: ToAgent, host?: string) => void;
}

/**
 * The front end's part of a search by any of the three strategies ([D 5.1], specification 5.1). Centralised: it makes all experiments itself. Partially
 * distributed: those with the whole program, and each that is refined to a host is delegated to the agent there. Truly distributed: none, and
 * nothing is sent after the start; what agents find out arrives folded.
 */
export class FrontEnd {
  private readonly steered: SteeredSearch | undefined;
  private readonly global: GlobalBudget | undefined;
  private readonly metrics: ReadonlyMap<string, string | undefined>;
  private readonly numbering = new Numbering();
  /** The host of each request for one. */
  private readonly hostOf = new Map<number, string | undefined>();
  private readonly delegated = new Map<number, Set<Way>>();
  private readonly lostPlaces: AgentPlace[] = [];
  private results: Folding = noFolding;
  private cost: CostReport = noCost;
  private isCostNew = false;
  private wasWaiting = false;
  private areAgentsSteady = false;
  private steadySince: number | undefined;
  private now = 0;
  private hasEnded = false;
  /** By the user: of a truly distributed search, nobody else here knows. */
  private halted: 'paused' | 'stopped' | undefined;

  constructor(
    private readonly start: SearchStart,
    private readonly places: readonly AgentPlace[],
    program: SearchedProgram,
    private readonly sinks: FrontEndSinks,
  ) {
    const { strategy, hypotheses, costLimit, margin, run, clock, rules, deepStart } = start;
    this.metrics = new Map(hypotheses.map(({ id, metric }) => [id, metric]));
    for (const { host, processes } of places) {
      this.numbering.host(host);
      for (const process of processes) this.numbering.process(host, process);
    }
    if (strategy === 'truly distributed') return;
    let budget: Budget = new CostThrottle(costLimit);
    if (strategy === 'partially distributed') {
      this.global = new GlobalBudget(limitsOf(start), margin);
      budget = this.global;
    }
    const about = { strategy, run, clock, costLimit, deepStart: deepStart !== undefined };
    const options = { hypotheses, program, budget, about, ...(rules && { rules }) };
    this.steered = new SteeredSearch(
      this.global === undefined
        ? options
        : { ...options, isDelegated: (_, { Machine }) => Machine.length > 0 },
      start,
    );
  }

  begin(): void {
    this.sinks.down({ type: 'start', start: this.start });
    if (this.steered !== undefined) this.apply(this.steered.search.start());
  }

  /** How often the front end itself has concluded anything. */
  get conclusions(): number {
    return this.steered?.search.conclusions ?? 0;
  }

  /** What the front end found out by itself; absent where agents alone search. */
  get record(): SearchRecord | undefined {
    return this.steered?.search.record();
  }

  /** The results of all, folded. */
  get folded(): Folding {
    if (this.steered === undefined) return this.results;
    const isOwn = ({ id }: { readonly id: number }): boolean => !this.delegated.has(id);
    return compose(this.results, foldedSearch(this.steered.search.record(), this.numbering, isOwn));
  }

  /** Hosts and processes whose agents were lost: what is folded of them is of an earlier time. */
  get stale(): Owners {
    const processes = this.lostPlaces.flatMap((place) =>
      place.processes.map((_, i) => place.firstProcess + i),
    );
    return {
      program: [],
      host: runsOf(this.lostPlaces.map(({ hostNumber }) => hostNumber)),
      process: runsOf(processes),
    };
  }

  /** The largest costs of all processes, as far as they are known. */
  get largestCost(): CostReport {
    return this.cost;
  }

  get state(): SearchRecord['state'] {
    if (this.hasEnded) return 'ended';
    if (this.halted !== undefined) return this.halted;
    const own = this.steered?.search.state ?? 'steady';
    if (own !== 'steady' && own !== 'complete') return own;
    if (this.steadySince === undefined) return 'searching';
    const { completeAfter = searchRules.completeAfter } = this.start.rules ?? {};
    return this.now - this.steadySince >= completeAfter ? 'complete' : 'steady';
  }

  receive(time: number, message: ToFrontEnd): void {
    this.now = time;
    switch (message.type) {
      case 'sample':
        this.hear(message.cost);
        this.search({ ...message, time, experiment: message.request });
        break;
      case 'cost':
        this.hear(message.cost);
        break;
      case 'reply':
        this.answered(time, message);
        break;
      case 'deferred':
        this.search({ type: 'deferred', time, experiment: message.request });
        break;
      case 'results':
        this.results = compose(this.results, message.change);
        break;
      case 'steady':
        this.areAgentsSteady = message.isSteady;
        break;
      case 'stacks':
        this.steered?.addStacks(message.stacks);
        break;
      case 'resource':
      case 'call':
        this.search({ ...message, time });
        break;
      default:
        assertNever(message);
    }
  }

  /** At least once per sampling interval: observes the cost, delegates what was reached, and sees the time. */
  tick(time: number): void {
    this.now = time;
    if (this.steered !== undefined) {
      if (this.isCostNew) this.search({ type: 'cost', time, share: Math.min(1, this.cost.total) });
      this.isCostNew = false;
      this.search({ type: 'time', time });
      const { delegated, commands } = this.steered.news(time);
      this.apply(commands);
      for (const id of delegated) this.delegate(id);
    }
    const isSteady = this.areSearchesSteady();
    this.steadySince = isSteady ? (this.steadySince ?? time) : undefined;
  }

  /** Changes of what is searched, by the user. */
  control(
    time: number,
    message: Extract<ToAgent, { readonly type: 'threshold' | 'pause' | 'resume' | 'stop' }>,
  ): void {
    this.sinks.down(message);
    this.search({ ...message, time });
    if (message.type === 'threshold' || this.halted === 'stopped') return;
    this.halted = ({ pause: 'paused', resume: undefined, stop: 'stopped' } as const)[message.type];
  }

  /** An agent is lost: the search goes on without it. */
  lost(time: number, host: string): void {
    const place = this.places.find((one) => one.host === host);
    if (place === undefined || this.lostPlaces.includes(place)) return;
    this.lostPlaces.push(place);
    this.search({ type: 'lost', time, machine: [host] });
  }

  /** The program has ended. */
  end(time: number): void {
    if (this.state === 'stopped') return;
    this.now = time;
    this.search({ type: 'ended', time });
    this.hasEnded = true;
  }

  private search(event: SearchEvent): void {
    if (this.steered !== undefined) this.apply(this.steered.search.handle(event));
  }

  private hear(cost: CostReport): void {
    this.cost = cost;
    this.isCostNew = true;
    this.global?.hear(cost);
  }

  /** What one agent cannot measure is measured by none: a mean over the others would not be of the whole program. */
  private answered(
    time: number,
    { request, failures }: Extract<ToFrontEnd, { readonly type: 'reply' }>,
  ): void {
    const [failure] = failures;
    if (failure === undefined) {
      this.search({ type: 'accepted', time, experiment: request });
      return;
    }
    this.disable(request);
    // Where there is one host, or one agent of all, it need not be named.
    const isNamed = this.places.length > 1 && failure.host !== '';
    const message = isNamed ? `${failure.host}: ${failure.message}` : failure.message;
    this.search({ type: 'failed', time, experiment: request, message });
  }

  private apply(commands: readonly SearchCommand[]): void {
    for (const command of commands)
      if (command.type === 'disable') this.disable(command.experiment);
      else this.enable(command);
    const isWaiting = this.global?.isWaiting ?? false;
    if (isWaiting !== this.wasWaiting) this.sinks.down({ type: 'global waiting', isWaiting });
    this.wasWaiting = isWaiting;
  }

  private enable({
    experiment,
    hypothesis,
    focus,
  }: Extract<SearchCommand, { readonly type: 'enable' }>): void {
    const [host] = focus.Machine;
    const cost = this.steered?.search.node(experiment).predictedCost ?? 0;
    const metric = this.metrics.get(hypothesis) ?? '';
    this.hostOf.set(experiment, host);
    this.sinks.down(
      { type: 'enable', request: experiment, metric, focus, cost, isGlobal: host === undefined },
      host,
    );
  }

  private disable(request: number): void {
    if (!this.hostOf.has(request)) return;
    const host = this.hostOf.get(request);
    this.hostOf.delete(request);
    this.sinks.down({ type: 'disable', request }, host);
  }

  /** Each way on which it was reached, once: where the agent goes on depends on it. */
  private delegate(id: number): void {
    if (this.steered === undefined) return;
    const { hypothesis, focus, priority } = this.steered.search.node(id);
    const sent = getOrMake(this.delegated, id, () => new Set<Way>());
    for (const way of this.steered.search.waysTo(id)) {
      if (sent.has(way)) continue;
      sent.add(way);
      const { tree, searched } = way;
      this.sinks.down(
        { type: 'delegate', hypothesis, focus, priority, searched, ...(tree && { along: tree }) },
        focus.Machine[0],
      );
    }
  }

  private areSearchesSteady(): boolean {
    const { strategy } = this.start;
    if (strategy !== 'truly distributed' && this.steered?.search.state === 'searching') return false;
    return strategy === 'centralised' || this.areAgentsSteady;
  }
}
