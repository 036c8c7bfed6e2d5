import { at, atFloat, atUint } from '../../at';
import { preemptionSentence } from '../../cost/runConditions';
import type { Base } from '../../functions/base';
import { shareOf } from '../../functions/share';
import { getOrMake } from '../../getOrMake';
import { suggestion } from '../../nearest';
import type { PropertyContext } from '../../problems/context/propertyContext';
import { valuesOf } from '../../profile/workGroups';
import { largestOf } from '../../sums';
import { isMetricId, metricIds, wholeOf, type MetricId } from '../hypotheses/metrics';
import { resourceTrees, type Focus, type ResourcePath } from '../resources/focus';
import { printResource } from '../resources/focusText';
import type { SearchedThread } from '../search/searchRecord';
import { amountsOf, type Amount, type Amounts } from './amounts';
import { formulasOf, type Formula } from './formulas';
import { InclusiveRows, type IsChosen, type Rows } from './inclusiveRows';
import { missingMetric } from './missing';
import { pathKey } from '../resources/pathKey';
import { recordedResources, type RecordedResources } from './recordedResources';

/** For readers of values of which threads were pre-empted. */
export const whatPreemptionMeans =
  'Computing is without that time; waiting is not: who waits for a thread that is pre-empted waits for longer.';

/** What a profile says of a metric at a focus, or why it cannot. */
export type Answer = { readonly value: number } | { readonly missing: string };

/** Processes, or threads of one, by how much they compute. */
interface Spread {
  readonly rank?: number;
  readonly members: readonly number[];
  readonly seconds: readonly number[];
}

/**
 * Answers what a search asks from one finished measurement. What functions have with their callees is added up once for each amount and synchronisation object, for all functions and
 * locations; a focus then takes some columns of one row.
 */
export class RecordedValues {
  readonly resources: RecordedResources;
  private readonly amounts: Amounts;
  private readonly formulas: Readonly<Record<MetricId, Formula>>;
  private readonly inclusive: InclusiveRows;
  private readonly rows = new Map<Amount, Map<string, Rows>>();
  private readonly wholes = new Map<Amount, Map<string, Float64Array>>();
  /** Seconds by location: of its process, whose first thread is there longest. */
  private readonly threadTime: Float64Array;
  /** The same of the first threads of processes that have several, 0 of all others. */
  private readonly teamTime: Float64Array;

  constructor(readonly context: PropertyContext) {
    this.amounts = amountsOf(context);
    this.formulas = formulasOf(this.amounts);
    this.resources = recordedResources(context, this.amounts.synchronisation);
    this.inclusive = new InclusiveRows(context.profile, this.resources.code.paths);
    const width = context.profile.locations.length;
    const { groups, resting } = this.amounts;
    const { ranks, teams } = groups;
    this.threadTime = new Float64Array(width);
    this.teamTime = new Float64Array(width);
    for (const { locations } of ranks) {
      // Those that rest have the time of the wall, in which the first one may have been pre-empted.
      const longest = largestOf(
        valuesOf(context.elapsed.parts.own, locations).map(
          (seconds, index) => seconds - atFloat(resting, at(locations, index)),
        ),
        0,
      );
      // Threads wait by the clock of the wall, also while the first one is pre-empted: the process runs for at least as long as what any of its threads does.
      const seconds =
        locations.length < 2
          ? longest
          : largestOf(
              locations.map((location) => this.secondsOf(location)),
              longest,
            );
      for (const location of locations) this.threadTime[location] = seconds;
    }
    for (const { locations } of teams)
      this.teamTime[at(locations, 0)] = atFloat(this.threadTime, at(locations, 0));
  }

  /** Of a thread, in all that excludes each other. */
  private secondsOf(location: number): number {
    const { computing, synchronisation, inputOutput = [], blocked = [] } = this.amounts;
    const width = this.context.profile.locations.length;
    let seconds = 0;
    for (const { cells, counts } of [...computing, ...synchronisation, ...inputOutput, ...blocked])
      for (let path = 0; path * width < cells.length; path++)
        if (counts(path)) seconds += atFloat(cells, path * width + location);
    return seconds;
  }

  /** Why no focus has a value of the metric, and what to record; undefined where some have. */
  missing(metric: string): string | undefined {
    return isMetricId(metric)
      ? missingMetric(metric, this.amounts, this.context.profile)
      : `There is no metric ${JSON.stringify(metric)}${suggestion(metric, metricIds) || '.'}`;
  }

  answer(metric: string, focus: Focus): Answer {
    const missing = this.missing(metric);
    if (missing !== undefined || !isMetricId(metric)) return { missing: missing ?? '' };
    const unknown = resourceTrees.find((tree) => !this.resources.knows(tree, focus[tree]));
    if (unknown !== undefined)
      return { missing: `The profile has no ${printResource(unknown, focus[unknown])}.` };
    const formula = this.formulas[metric];
    if (focus.SyncObject.length > 0 && formula.amount.every(({ sync }) => sync === undefined))
      return { missing: 'Only waiting for others belongs to synchronisation objects.' };
    switch (formula.kind) {
      case 'share':
        return {
          value: shareOf(this.sum(formula.amount, focus), { seconds: this.timeOf(metric, focus.Machine) }),
        };
      case 'ratio':
        return this.ratio(formula, focus);
      case 'spread':
        return this.lost(formula, focus);
    }
  }

  /** The time of all threads. */
  get base(): Base {
    return { ...this.context.elapsed.base, seconds: this.over(this.threadTime, []) };
  }

  /** Of the process that runs longest. */
  get runSeconds(): number {
    return largestOf(this.threadTime);
  }

  get threads(): readonly SearchedThread[] {
    const { locations } = this.context.profile;
    return this.resources.machine.threads.map(({ location, machine }) => ({
      machine,
      rank: at(locations, location).rank,
      seconds: atFloat(this.threadTime, location),
    }));
  }

  /** Of an imbalance, the ranks that compute longest in a focus. */
  lateRanks(metric: string, focus: Focus): readonly number[] | undefined {
    const formula = isMetricId(metric) ? this.formulas[metric] : undefined;
    const spread = formula?.kind === 'spread' ? this.spread(formula, focus) : undefined;
    if (spread === undefined) return undefined;
    return spread.rank === undefined ? lateOf(spread) : [spread.rank];
  }

  /** What a reader has to know of all values: sentences. */
  get notes(): readonly string[] {
    const preempted = preemptionSentence(this.context.profile);
    return [
      ...(this.amounts.seen.mpi
        ? []
        : ['Waiting in MPI counts as computing: the profile has no MPI functions.']),
      ...(preempted === undefined ? [] : [`${preempted} ${whatPreemptionMeans}`]),
    ];
  }

  private ratio({ amount, by, factor }: Formula & { kind: 'ratio' }, focus: Focus): Answer {
    const whole = this.sum(by, focus);
    return whole > 0
      ? { value: (factor * this.sum(amount, focus)) / whole }
      : { missing: 'Nothing of it was counted there.' };
  }

  private lost(formula: Formula & { kind: 'spread' }, focus: Focus): Answer {
    const spread = this.spread(formula, focus);
    if (spread === undefined || spread.members.length < 2)
      return { missing: `There is one ${formula.over === 'processes' ? 'process' : 'thread'} only.` };
    return { value: shareOf(lostSeconds(spread), { seconds: this.runSeconds }) };
  }

  /** Of threads: of the process that loses most. */
  private spread({ amount, over }: Formula & { kind: 'spread' }, focus: Focus): Spread | undefined {
    const row = this.row(amount, focus.Code);
    const { ranks, teams } = this.amounts.groups;
    const chosen = new Set(this.locations(focus.Machine));
    const within = (own: readonly number[]): readonly number[] =>
      own.filter((location) => chosen.has(location));
    if (over === 'processes') {
      const own = ranks
        .map(({ rank, locations }) => ({ rank, locations: within(locations) }))
        .filter(({ locations }) => locations.length > 0);
      return {
        members: own.map(({ rank }) => rank),
        seconds: own.map(({ locations }) => largestOf(valuesOf(row, locations), 0)),
      };
    }
    const works = this.row(amount, []);
    return teams
      .map(({ rank, locations }): Spread => {
        const members = within(locations).filter((location) => atFloat(works, location) > 0);
        return { rank, members, seconds: valuesOf(row, members) };
      })
      .sort((a, b) => lostSeconds(b) - lostSeconds(a))[0];
  }

  private timeOf(metric: MetricId, machine: ResourcePath): number {
    return this.over(wholeOf(metric) === 'teams' ? this.teamTime : this.threadTime, machine);
  }

  private sum(amount: Amount, { Code, Machine, SyncObject }: Focus): number {
    return this.over(this.row(amount, Code, SyncObject), Machine);
  }

  private over(row: Float64Array, machine: ResourcePath): number {
    const locations = this.locations(machine);
    let sum = 0;
    for (let i = 0; i < locations.length; i++) sum += atFloat(row, atUint(locations, i));
    return sum;
  }

  private locations(machine: ResourcePath): Uint32Array {
    return this.resources.machine.locations.get(pathKey(machine)) ?? new Uint32Array();
  }

  private row(amount: Amount, code: ResourcePath, sync: ResourcePath = []): Float64Array {
    const key = pathKey(sync);
    const isChosen: IsChosen = (own) =>
      sync.length === 0 || sync.every((name, level) => own?.[level] === name);
    if (code.length === 0)
      return getOrMake(
        getOrMake(this.wholes, amount, () => new Map<string, Float64Array>()),
        key,
        () => this.inclusive.whole(amount, isChosen),
      );
    const rows = getOrMake(
      getOrMake(this.rows, amount, () => new Map<string, Rows>()),
      key,
      () => this.inclusive.of(amount, isChosen),
    );
    return rows.get(pathKey(code)) ?? new Float64Array(this.context.profile.locations.length);
  }
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function lostSeconds({ seconds }: Spread): number {
  return largestOf(seconds, 0) - meanOf(seconds);
}

/** Nearer to the largest than to the mean, as elsewhere. */
function lateOf({ members, seconds }: Spread): readonly number[] {
  const limit = (largestOf(seconds, 0) + meanOf(seconds)) / 2;
  return members.filter((_, index) => at(seconds, index) > limit);
}
