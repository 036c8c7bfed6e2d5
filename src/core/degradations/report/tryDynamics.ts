import type { Pattern } from '../../signal/signal';
import { evaluateBriefly, evaluateRule, type Evaluation } from '../../rules/evaluateRule';
import type { RecordedDynamics } from '../bursts/impactRecord';
import { lengthOf } from '../bursts/extent';
import type { OthersOfType } from '../bursts/largestPatterns';
import type { DynamicsOptions } from '../model/options';
import { isStatic, type DynamicRule, type PatternSet, type Rule } from '../../rules/rule';
import { shareOf } from '../../rules/share';
import { namedSetting } from '../places/subject';

/** The data of one static property that dynamic rules can use. */
export interface DynamicInput {
  readonly dynamics: RecordedDynamics;
  readonly options: DynamicsOptions;
  readonly rank: number;
  readonly thread: number;
  readonly iterations: number;
  readonly impact: number;
  readonly phaseTime: number;
  /** Whether the numbers of each evaluation are stored. */
  readonly explains: boolean;
}

/** The evaluation of a rule on the whole run or on one pattern. */
export interface Tried extends Evaluation {
  readonly rule: DynamicRule;
  readonly pattern?: Pattern;
}

/** A rule that holds, and that no rule in its `next` refines. */
export interface DynamicFinding {
  readonly rule: DynamicRule;
  readonly confidence: number;
  readonly severity: number | undefined;
  /** Patterns by position; empty: the finding extends over the whole run. */
  readonly patterns: readonly Pattern[];
  /** Patterns that were only counted, for a rule about all patterns of a type. */
  readonly others: readonly OthersOfType[];
  /** Quantities of the rule, for the first pattern. */
  readonly quantities: Readonly<Record<string, number>>;
}

/** Evaluates rules as the strategy refines hypotheses (§9): a rule that holds leads to the rules in its `next`. */
export function tryDynamics(
  first: readonly string[],
  rules: ReadonlyMap<string, Rule>,
  input: DynamicInput,
): { readonly tried: readonly Tried[]; readonly found: readonly DynamicFinding[] } {
  const tried: Tried[] = [];
  const held = new Map<string, readonly Tried[]>();
  const queue = [...first];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const rule = rules.get(id);
    if (rule === undefined || isStatic(rule) || held.has(id)) continue;
    const evaluations = evaluationsOf(rule, input);
    tried.push(...evaluations);
    const holding = evaluations.filter((evaluation) => evaluation.holds);
    held.set(id, holding);
    if (holding.length > 0) queue.push(...(rule.definition.next ?? []));
  }
  const leaves = [...held.values()].flatMap((holding) => {
    const [first] = holding;
    if (first === undefined) return [];
    const isRefined = (first.rule.definition.next ?? []).some((id) => (held.get(id) ?? []).length > 0);
    return isRefined || first.rule.definition.gate === true ? [] : [finding(first.rule, holding, input)];
  });
  return { tried, found: withoutParts(leaves, input.iterations) };
}

/** A peak is the summit of a rise if the rise covers this share of it, or if the peak takes this share of the run. */
const summitShare = 0.5;
const summitOfRun = 0.25;

/**
 * A bump is found twice: as a rise, and as the peak at its end (§8.3). The peak has no row of its own where it is nothing but the summit of the
 * rise, and the rise has none where it is nothing but the flank of the peak.
 */
function withoutParts(findings: readonly DynamicFinding[], iterations: number): readonly DynamicFinding[] {
  const patterns = findings.flatMap((finding) =>
    finding.patterns.filter(({ improvement }) => improvement !== true),
  );
  const peaks = patterns.filter(({ type }) => type === 'peak');
  const rises = patterns.filter(({ type }) => type !== 'peak');
  const isSummit = (peak: Pattern): boolean =>
    rises.some(({ type, from, to }) => {
      if (type === 'step' || from > peak.from || to < peak.from || to > peak.to) return false;
      const length = lengthOf(peak);
      return to - peak.from + 1 >= summitShare * length || length >= summitOfRun * iterations;
    });
  const isFlank = (rise: Pattern): boolean =>
    peaks.some(({ from, to }) => rise.from >= from - 2 && rise.to <= to);
  const isPart = (pattern: Pattern): boolean =>
    pattern.type === 'peak' ? isSummit(pattern) : isFlank(pattern);
  return findings.flatMap((finding) => {
    const remaining = finding.patterns.filter((pattern) => pattern.improvement === true || !isPart(pattern));
    if (remaining.length === finding.patterns.length) return [finding];
    if (remaining.length === 0) return [];
    const all = finding.patterns.reduce((sum, pattern) => sum + pattern.sum, 0);
    const share = all > 0 ? remaining.reduce((sum, pattern) => sum + pattern.sum, 0) / all : 0;
    const severity = finding.severity === undefined ? undefined : finding.severity * share;
    return [{ ...finding, patterns: remaining, severity }];
  });
}

function evaluationsOf(rule: DynamicRule, input: DynamicInput): readonly Tried[] {
  const { each } = rule.definition;
  const evaluated = input.explains ? evaluateRule : evaluateBriefly;
  if (each === undefined) return [{ ...evaluated(rule, quantitiesOf(input, undefined)), rule }];
  return patternsOf(input, each).map((pattern) => ({
    ...evaluated(rule, quantitiesOf(input, pattern)),
    rule,
    pattern,
  }));
}

/** Patterns of at least this share of the largest one that holds belong to the same row. */
const sameOrder = 0.25;

function finding(rule: DynamicRule, holding: readonly Tried[], input: DynamicInput): DynamicFinding {
  const { each } = rule.definition;
  const { phaseTime } = input;
  const { quantities } = evaluateRule(rule, quantitiesOf(input, holding[0]?.pattern));
  if (each === undefined) {
    const first = holding[0];
    const set = setOf(rule);
    return {
      rule,
      confidence: first?.confidence ?? 0,
      severity: first?.severity,
      patterns: set === undefined ? [] : patternsOf(input, set),
      others: set === undefined ? [] : othersOf(input, set),
      quantities,
    };
  }
  const largest = Math.max(...holding.map(({ pattern }) => pattern?.sum ?? 0));
  const chosen = patternsOf(input, each).filter(
    (pattern) =>
      holding.some((evaluation) => evaluation.pattern === pattern) || pattern.sum >= sameOrder * largest,
  );
  const severities = chosen.map((pattern) => {
    const own = holding.find((evaluation) => evaluation.pattern === pattern)?.severity;
    const time = pattern.improvement === true ? pattern.excess : pattern.sum;
    return own ?? shareOf(time, phaseTime);
  });
  return {
    rule,
    confidence: Math.min(...holding.map(({ confidence }) => confidence)),
    severity: rule.severity === undefined ? undefined : severities.reduce((sum, own) => sum + own, 0),
    patterns: chosen,
    others: [],
    quantities,
  };
}

/** A rule about all patterns of a sort shows where they are; one about something else extends over the run. */
function setOf({ definition: { kind } }: DynamicRule): PatternSet | undefined {
  if (kind === 'degradation-peaks') return 'peaks';
  return kind === 'degradation-trends' ? 'trends' : undefined;
}

function patternsOf({ dynamics: { patterns } }: DynamicInput, set: PatternSet): readonly Pattern[] {
  switch (set) {
    case 'peaks':
      return patterns.filter(({ type, improvement }) => type === 'peak' && improvement !== true);
    case 'trends':
      return patterns.filter(({ type, improvement }) => type !== 'peak' && improvement !== true);
    case 'patterns':
      return patterns.filter(({ improvement }) => improvement !== true);
    case 'improvements':
      return patterns.filter(({ improvement }) => improvement === true);
  }
}

function quantitiesOf(input: DynamicInput, pattern: Pattern | undefined): Parameters<typeof evaluateRule>[1] {
  return {
    name: (name) =>
      namedSetting(input.options, name) ??
      ofRun.get(name)?.(input) ??
      (pattern === undefined ? undefined : ofPattern.get(name)?.(pattern)) ??
      0,
    figure: (figure, of) => figureOf(input, figure, of),
  };
}

/** Quantities of the whole run by the names that rules use. */
const ofRun: ReadonlyMap<string, (input: DynamicInput) => number> = new Map<
  string,
  (input: DynamicInput) => number
>([
  ['phaseTime', ({ phaseTime }) => phaseTime],
  ['iterations', ({ iterations }) => iterations],
  ['impact', ({ impact }) => impact],
  ['rank', ({ rank }) => rank],
  ['thread', ({ thread }) => thread],
  ['noise', ({ dynamics }) => dynamics.analysis.noise],
  ['totalEnergy', ({ dynamics }) => dynamics.energies.total],
  ['dynamicEnergy', ({ dynamics }) => dynamics.energies.dynamic],
  ['shortEnergy', ({ dynamics }) => dynamics.energies.short],
  ['wideEnergy', ({ dynamics }) => dynamics.energies.wide],
]);

/** And of the pattern that a rule is tried on. */
const ofPattern: ReadonlyMap<string, (pattern: Pattern) => number> = new Map<
  string,
  (pattern: Pattern) => number
>([
  ['patternSum', ({ sum }) => sum],
  ['patternExcess', ({ excess }) => excess],
  ['patternAftermath', ({ aftermath }) => aftermath],
  ['patternLength', lengthOf],
  ['patternFirst', ({ from }) => from + 1],
  ['patternLast', ({ to }) => to + 1],
  ['levelBefore', ({ levels }) => levels[0]],
  ['levelAfter', ({ levels }) => levels[1]],
  ['fit', ({ confidence }) => confidence],
  ['stability', ({ stability }) => stability],
]);

function figureOf(input: DynamicInput, figure: string, of: string): number {
  const patterns = patternsOf(input, of as PatternSet);
  const others = othersOf(input, of as PatternSet).reduce((sum, part) => sum + part[figure as Figure], 0);
  if (figure === 'count') return patterns.length + others;
  const value = figure as Exclude<Figure, 'count'>;
  return patterns.reduce((sum, pattern) => sum + pattern[value], others);
}

type Figure = 'sum' | 'count' | 'excess' | 'aftermath';

/** Sums over the patterns that were only counted. */
function othersOf({ dynamics: { others } }: DynamicInput, set: PatternSet): readonly OthersOfType[] {
  switch (set) {
    case 'peaks':
      return [others.peaks];
    case 'trends':
      return [others.trends];
    case 'patterns':
      return [others.peaks, others.trends];
    case 'improvements':
      return [];
  }
}
