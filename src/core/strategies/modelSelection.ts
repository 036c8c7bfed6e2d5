import { at, atFloat } from '../at';
import { inclusiveStatements } from '../callgraph/inclusiveStatements';
import {
  calleesOf,
  callersOf,
  entryOf,
  pathsToMain,
  reachableFrom,
  reachableFromEntry,
  recordableAbove,
  recordableBelow,
} from '../callgraph/reachability';
import { scaledCost, visitCost } from '../cost/pairCost';
import { shareOf } from '../functions/share';
import { wayDown } from '../knowledge/explore';
import { chargedVisits, percentOf } from '../knowledge/recordingCost';
import { briefVisitSeconds } from '../knowledge/visitEstimate';
import { present } from '../present';
import { remembered } from '../remembered';
import { defaultModelOptions } from '../selection/modelOptions';
import type { ModelReason, PredictedCost, Reason, Selection } from '../selection/selection';
import type { Candidate } from './budget';
import { countFirst } from './countFirst';
import type { Verdict } from './decideAll';
import type { KnownModel, ModelKnowledge } from './modelKnowledge';
import { decideEach, type AdaptiveStep } from './overheadReduction';
import { chooseIntervals } from './sampling';

/**
 * PIRA II (instrumentation-refinement §2.7): records the functions that matter at a point beyond the measured ones by their models, all
 * functions on paths from the entry function to them, and their callees that have no model yet. Unlike in PIRA,
 * - what recording costs at that point stays below the target. Where a function is too expensive, its callers are recorded in its place: its time is in theirs.
 * - models of functions that are no longer recorded stay. Such a function comes back when its share reaches the threshold, and when its
 *   callers' models, right after it was left out, grow by more than its own model explains.
 * - functions whose visits were only counted are timed before their models count.
 * - a function whose model cannot be relied on is judged by its largest measured time (`combineModels`), so that none is lost to noise.
 * @param canTry another run follows, so that functions of unknown cost can be recorded
 */
export function modelSelection(step: AdaptiveStep, models: ModelKnowledge, canTry: boolean): Selection {
  const { graph, options, sites } = step;
  const choice = affordable(step, models, judgedFunctions(step, models), canTry);
  const { chosen, intervals, tooExpensive } = choice;
  const positions = new Map(graph.functions.map(({ key }, index) => [key, index]));
  const indices = (keys: Iterable<string>): readonly number[] =>
    [...keys].flatMap((key) => positions.get(key) ?? []);
  const isNew = (index: number): boolean => !step.knowledge.functions.has(at(graph.functions, index).key);
  const expanded =
    canTry && options.mode === 'filter-and-expand'
      ? calleesWithoutModel(step, indices([...chosen.keys()].filter((key) => !intervals.has(key))))
      : new Map<number, Reason>();
  const targets = new Set([...indices([...chosen.keys(), ...options.pinnedIn]), ...expanded.keys()]);
  const reachable = reachableFromEntry(graph);
  const context = pathsToMain(callersOf(graph), reachable, targets);
  const below = reachableFrom(
    graph,
    indices(intervals.keys()).flatMap((index) => calleesOf(graph, index)),
  );
  // Few visits that were only counted show no time, and a model of it would say that the function takes none.
  const isUntimed = (key: string): boolean => step.knowledge.functions.get(key)?.counted === true;
  const room = new Room(limitOf(step), choice.percent);
  const fits = new Map(
    graph.functions
      .flatMap(({ key }, index) => {
        const percent = costAt(step, models, key)?.overheadPercent ?? 0;
        const isWanted = context[index] === 1 || isUntimed(key);
        const canRecord = below[index] === 0 && sites.has(key);
        return isWanted && canRecord && !chosen.has(key) && !tooExpensive.has(key)
          ? [{ index, percent }]
          : [];
      })
      .sort((a, b) => a.percent - b.percent || a.index - b.index)
      .map(({ index, percent }) => [index, room.takes(percent)]),
  );
  const { decisions } = decideEach(step, new Map(), (key, index): Verdict => {
    const interval = intervals.get(key);
    const cost = costAt(step, models, key, interval);
    const why = chosen.get(key);
    if (why !== undefined) return [true, { ...why, ...present({ cost }) }];
    const model = models.functions.get(key);
    const facts = model === undefined ? undefined : modelReason(step, models, model);
    if (tooExpensive.has(key) || fits.get(index) === false)
      return [false, { ...expensive(step, cost), ...present({ model: facts }) }];
    const expansion = expanded.get(index);
    if (expansion !== undefined) return [true, expansion];
    if (fits.get(index) === true && isUntimed(key))
      return [true, { rule: 'model-untimed', ...present({ cost }) }];
    if (fits.get(index) === true && (canTry || !isNew(index))) {
      const path = wayDown(graph, index, (node) => targets.has(node) && node !== index);
      return [true, { rule: 'path-to-main', goal: 'model', ...present({ path, cost, model: facts }) }];
    }
    if (model !== undefined) return [false, judge(step, models, model, model.seconds).reason];
    return [false, { rule: reachable[index] === 1 ? 'not-needed' : 'unreachable' }];
  });
  const unknown = new Map([...decisions].filter(([key]) => !step.knowledge.functions.has(key)));
  const counted = countFirst(unknown, { ...step, briefSeconds: briefVisitSeconds(graph) });
  return { decisions: new Map([...decisions].map(([key, one]) => [key, counted.get(key) ?? one])) };
}

/** What predictions may fill of the target. */
const limitOf = ({ options }: AdaptiveStep): number => options.overheadPercent * options.aimShare;

class Room {
  constructor(
    private readonly limit: number,
    private percent: number,
  ) {}

  takes(percent: number): boolean {
    if (percent > 0 && this.percent + percent > this.limit) return false;
    this.percent += percent;
    return true;
  }
}

function expensive(step: AdaptiveStep, cost: PredictedCost | undefined): Reason {
  const { overheadPercent: threshold, idlePercent: idle } = step.options;
  return {
    rule: 'too-expensive',
    value: cost?.overheadPercent ?? 0,
    threshold,
    limit: limitOf(step),
    ...present({ cost, idle }),
  };
}

/**
 * What recording a function costs: at the point, by its model of visits, or in the largest measured run, where that is more. The target
 * holds for both.
 */
function costAt(
  step: AdaptiveStep,
  models: ModelKnowledge,
  key: string,
  interval?: number,
): PredictedCost | undefined {
  const { pairCosts, sites, scale, knowledge, costBase } = step;
  const pairSeconds = visitCost(scaledCost(pairCosts[sites.get(key) ?? 'entry'], scale), interval);
  const cost = (visits: number, base: typeof costBase): PredictedCost => ({
    visits,
    pairSeconds,
    overheadPercent: percentOf(base, visits * pairSeconds),
    ...present({ interval }),
  });
  const measured = cost(chargedVisits(knowledge.functions.get(key), costBase.clock), costBase);
  const model = models.functions.get(key);
  const predicted =
    model === undefined ? measured : cost(model.visits, { ...costBase, seconds: models.baseSeconds });
  const larger = predicted.overheadPercent > measured.overheadPercent ? predicted : measured;
  return larger.visits > 0 ? larger : undefined;
}

/** A function that was kept stays until it falls below this part of the threshold: each change costs a round. */
const stillKept = 0.75;

/** Whether a function is kept that takes `seconds` at the point, with what is in it of others. */
function judge(
  step: AdaptiveStep,
  models: ModelKnowledge,
  model: KnownModel,
  seconds: number,
  wasKept = false,
): { readonly isKept: boolean; readonly reason: Reason } {
  const { keep, threshold, constants } = step.options.model;
  const facts = modelReason(step, models, model);
  const share = shareOf(seconds, { seconds: models.totalSeconds });
  const isGrowth = keep === 'growth' && model.faster !== undefined;
  const value = isGrowth ? model.faster : keep === 'seconds' ? seconds : share;
  // A model that cannot be relied on does not show a growth: its share decides.
  const least = isGrowth ? 0.5 : keep === 'growth' ? defaultModelOptions.threshold : threshold;
  const isEnough = value > (wasKept ? stillKept : 1) * least;
  if (isEnough && model.isConstant && constants === 'drop')
    return { isKept: false, reason: { rule: 'model-constant', value, threshold: least, model: facts } };
  const rule = isEnough ? 'model' : 'model-small';
  return { isKept: isEnough, reason: { rule, value, threshold: least, model: facts } };
}

function modelReason(
  { options }: AdaptiveStep,
  { point, round }: ModelKnowledge,
  model: KnownModel,
): ModelReason {
  const { keep, growth } = options.model;
  const isGrowth = keep === 'growth' && model.faster !== undefined;
  return {
    formula: model.formula,
    point,
    seconds: model.seconds,
    judgedBy: keep === 'growth' && !isGrowth ? 'share' : keep,
    ...(isGrowth ? { growth } : {}),
    ...(model.otherPaths > 0 ? { otherPaths: model.otherPaths } : {}),
    ...present({ doubt: model.doubt }),
    ...(model.round < round ? { round: model.round } : {}),
  };
}

/** The functions that are kept by their models if they are not too expensive, with the reason. */
function judgedFunctions(step: AdaptiveStep, models: ModelKnowledge): ReadonlyMap<string, Reason> {
  const { graph, sites, options, knowledge, previous } = step;
  const names = new Map(graph.functions.map(({ key, name }) => [key, name]));
  const unexplained = unexplainedSeconds(step, models);
  const judged = new Map<string, Reason>();
  const again = (key: string, name: string, model: KnownModel): Reason | undefined => {
    if (model.round !== models.round - 1 || model.returned === true) return undefined;
    for (const [caller] of knowledge.functions.get(key)?.callers ?? []) {
      const more = unexplained.get(caller) ?? 0;
      const { isKept, reason } = judge(step, models, { ...model, isConstant: false }, model.seconds + more);
      if (more > 0 && isKept)
        return { ...reason, rule: 'model-again', path: [names.get(caller) ?? caller, name] };
    }
    return undefined;
  };
  for (const { key, name } of graph.functions) {
    const model = models.functions.get(key);
    if (model === undefined || !sites.has(key) || options.pinnedOut.has(key)) continue;
    const wasKept = previous?.decisions.get(key)?.reason.rule === 'model';
    const own = judge(step, models, model, model.seconds, wasKept);
    const reason = own.isKept ? own.reason : again(key, name, model);
    if (reason !== undefined) judged.set(key, reason);
  }
  return judged;
}

/** By function: what its model predicts more than that of the round before, and than the models of the functions that were left out since. */
function unexplainedSeconds(
  { knowledge }: AdaptiveStep,
  { functions, round }: ModelKnowledge,
): ReadonlyMap<string, number> {
  const unexplained = new Map<string, number>();
  for (const [key, { before, seconds, doubt }] of functions)
    if (before !== undefined && doubt === undefined) unexplained.set(key, seconds - before);
  for (const [key, { round: made, seconds }] of functions) {
    if (made !== round - 1) continue;
    for (const [caller, share] of knowledge.functions.get(key)?.callers ?? [])
      unexplained.set(caller, (unexplained.get(caller) ?? 0) - share * seconds);
  }
  return unexplained;
}

interface Affordable {
  readonly chosen: ReadonlyMap<string, Reason>;
  readonly intervals: ReadonlyMap<string, number>;
  readonly tooExpensive: ReadonlySet<string>;
  readonly percent: number;
}

/** While the kept functions cost too much, the one with the least time per visit goes, and its callers come in its place. */
function affordable(
  step: AdaptiveStep,
  models: ModelKnowledge,
  judged: ReadonlyMap<string, Reason>,
  canTry: boolean,
): Affordable {
  const { graph, sites, options, pairCosts, knowledge } = step;
  const entry = entryOf(graph);
  const fixed = new Set([...options.pinnedIn, ...options.phase]);
  if (entry !== undefined) fixed.add(at(graph.functions, entry).key);
  const names = new Map(graph.functions.map(({ key, name }) => [key, name]));
  const below = belowOf(step);
  const chosen = new Map(judged);
  const worth = new Map([...models.functions].map(([key, { seconds }]) => [key, seconds]));
  const tooExpensive = new Set<string>();
  // By the call graph: a run that only counts visits does not show who calls whom.
  const callers = callersOf(graph);
  const positions = new Map(graph.functions.map(({ key }, index) => [key, index]));
  const above = (key: string): readonly string[] => {
    const position = positions.get(key);
    if (position === undefined) return [];
    return recordableAbove(callers, position, (index) => {
      const caller = at(graph.functions, index).key;
      const isOut = options.pinnedOut.has(caller) || tooExpensive.has(caller);
      return sites.has(caller) && !isOut && knowledge.functions.get(caller)?.visits !== 0;
    }).map((index) => at(graph.functions, index).key);
  };
  const costOf = (key: string, interval?: number): number =>
    costAt(step, models, key, interval)?.overheadPercent ?? 0;
  const fixedPercent = [...fixed].reduce((sum, key) => sum + costOf(key), 0);
  for (;;) {
    const candidates = [...chosen.keys()].flatMap(
      (key): readonly (Candidate & { readonly perVisit: number })[] => {
        const measured = knowledge.functions.get(key);
        if (fixed.has(key) || measured === undefined) return [];
        const canSample = pairCosts[sites.get(key) ?? 'entry'].sampled !== undefined;
        const visits = models.functions.get(key)?.visits ?? measured.visits;
        return [
          {
            key,
            measured,
            overheadPercent: costOf(key),
            perVisit: (worth.get(key) ?? 0) / Math.max(1, visits),
            ...(canSample ? { sampledPercent: (interval: number) => costOf(key, interval) } : {}),
          },
        ];
      },
    );
    candidates.sort((a, b) => a.perVisit - b.perVisit || (a.key < b.key ? -1 : 1));
    const recorded = new Set([...fixed, ...chosen.keys()]);
    const { intervals, percent } = chooseIntervals(candidates, recorded, below, fixedPercent, limitOf(step));
    const worst = candidates.find(({ overheadPercent }) => overheadPercent > 0);
    if (percent <= limitOf(step) || worst === undefined) return { chosen, intervals, tooExpensive, percent };
    tooExpensive.add(worst.key);
    chosen.delete(worst.key);
    const heirs = above(worst.key).filter((key) => canTry || knowledge.functions.has(key));
    for (const heir of heirs) {
      worth.set(heir, (worth.get(heir) ?? 0) + (worth.get(worst.key) ?? 0) / heirs.length);
      const model = models.functions.get(heir);
      if (chosen.has(heir) || containsTime(models, heir, worst.key)) continue;
      const facts = model === undefined ? {} : judge(step, models, model, model.seconds).reason;
      const path = [heir, worst.key].map((key) => names.get(key) ?? key);
      chosen.set(heir, { ...facts, rule: 'model-instead', path });
    }
  }
}

/** Whether the model of a function was made while one that it calls was not recorded, so that it says what both take. */
function containsTime({ functions }: ModelKnowledge, caller: string, callee: string): boolean {
  const [above, below] = [functions.get(caller), functions.get(callee)];
  return above !== undefined && below !== undefined && above.round > below.round;
}

/** For each key, the keys of the functions that it may call at any depth. */
function belowOf({ graph }: AdaptiveStep): (key: string) => ReadonlySet<string> {
  const positions = new Map(graph.functions.map((f, index) => [f.key, index]));
  const memo = new Map<string, ReadonlySet<string>>();
  return (key) =>
    remembered(memo, key, () => {
      const position = positions.get(key);
      const marks = reachableFrom(graph, position === undefined ? [] : calleesOf(graph, position));
      return new Set(graph.functions.filter((_, index) => marks[index] === 1).map((f) => f.key));
    });
}

/** The nearest callees of these functions that can be recorded, were never recorded, and have enough statements. */
function calleesWithoutModel(step: AdaptiveStep, above: readonly number[]): ReadonlyMap<number, Reason> {
  const { graph, sites, options, knowledge } = step;
  const statements = inclusiveStatements(graph);
  const key = (index: number): string => at(graph.functions, index).key;
  const canRecord = (index: number): boolean => sites.has(key(index)) && !options.pinnedOut.has(key(index));
  const found = new Map<number, Reason>();
  for (const caller of above)
    for (const callee of recordableBelow(graph, caller, canRecord)) {
      const isNew = !knowledge.functions.has(key(callee)) && !found.has(callee);
      if (!isNew || atFloat(statements, callee) < options.model.statements) continue;
      const path = [caller, callee].map((index) => at(graph.functions, index).name);
      found.set(callee, { rule: 'expand', path });
    }
  return found;
}
