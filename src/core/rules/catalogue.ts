import { elapsedMetric, preemptedMetric } from '../series/series';
import {
  checkTogether,
  compileRule,
  isStatic,
  type Rule,
  type RuleDefinition,
  type StaticRule,
  type StaticRuleDefinition,
} from './rule';

const dynamic = ['significant-variability'];
/** (maximum − mean) ÷ maximum over ranks or threads from which work is unbalanced. */
export const leastImbalance = 0.1;

const ownCode = ['function', 'loop', 'call', 'user'] as const;

/** A rule that holds where a metric takes a large share of the time. */
function shareRule({
  metric = 'time',
  ...definition
}: Pick<StaticRuleDefinition, 'id' | 'kind' | 'title' | 'quantity' | 'regions'> & {
  readonly metric?: string;
}): StaticRuleDefinition {
  const severity = `sum(${metric}) / phaseTime`;
  const condition = `${severity} > reportThreshold`;
  return { level: 'static', condition, severity, impact: `sum(${metric})`, next: dynamic, ...definition };
}

/**
 * The static rules that come with the tool (§10.2). Times are exclusive where regions call each other, so that no time counts twice. `core/problems` tries
 * them on a profile, which is one burst; `core/degradations` on each burst of a run.
 */
const staticRules: readonly StaticRuleDefinition[] = [
  shareRule({ id: 'hot-spot', kind: 'hot-spot', title: 'Hot spot', quantity: 'Time', regions: ownCode }),
  shareRule({
    id: 'communication',
    kind: 'communication',
    title: 'Excessive communication time',
    quantity: 'Communication time',
    regions: ['mpi'],
  }),
  shareRule({
    id: 'waiting',
    kind: 'communication',
    title: 'Excessive waiting time',
    quantity: 'Waiting time',
    regions: ['mpi', 'function', 'call', 'user'],
    metric: 'wait',
  }),
  shareRule({
    id: 'synchronisation',
    kind: 'synchronisation',
    title: 'Excessive synchronisation time',
    quantity: 'Synchronisation time',
    regions: ['openmp'],
  }),
  shareRule({
    id: 'io',
    kind: 'io',
    title: 'Excessive input and output time',
    quantity: 'Input and output time',
    regions: ['io'],
  }),
  {
    id: 'imbalance',
    level: 'static',
    title: 'Imbalance',
    kind: 'imbalance',
    regions: ownCode,
    across: 'ranks',
    let: { lost: 'sum(slowest) - sum(average)' },
    condition: `lost / phaseTime > reportThreshold && lost / sum(slowest) > ${leastImbalance}`,
    // Ranks that do not wait for each other can lose more than there is.
    severity: 'min(1, lost / phaseTime)',
    impact: 'sum(slowest) - sum(average)',
    next: dynamic,
  },
  {
    id: 'overhead',
    level: 'static',
    title: 'Excessive cost of recording',
    quantity: 'Cost of recording',
    kind: 'excessive-overhead',
    let: { own: 'sum(time) - sum(overhead)' },
    // Where the cost is all there is, nothing is left to divide by.
    condition: 'sum(overhead) > overheadThreshold * own && sum(overhead) / phaseTime > thresholdTime',
    severity: 'sum(overhead) / phaseTime',
    impact: 'sum(overhead)',
    next: dynamic,
  },
  {
    id: 'pre-empted',
    level: 'static',
    title: 'Pre-empted by other programs',
    quantity: 'Pre-empted time',
    kind: 'pre-empted',
    regions: ['phase'],
    base: elapsedMetric,
    // Other programs have no share that a run should have.
    condition: `sum(${preemptedMetric}) / phaseTime > thresholdTime`,
    severity: `sum(${preemptedMetric}) / phaseTime`,
    impact: `sum(${preemptedMetric})`,
    // It grows with the time of an iteration: only moments of it are findings of their own.
    next: ['degradation-peaks'],
  },
  {
    id: 'stalls',
    level: 'static',
    title: 'Excessive stalled cycles',
    quantity: 'Stalled cycles',
    kind: 'hot-spot',
    let: { stalled: 'sum(stall_cycles) / sum(cycles)' },
    condition: 'stalled > 0.3 && sum(time) / phaseTime > reportThreshold',
    severity: 'stalled * sum(time) / phaseTime',
    impact: 'sum(stall_cycles) / sum(cycles) * sum(time)',
    next: dynamic,
  },
];

/** Static rules for what only a whole profile contains. */
const profileRules: readonly StaticRuleDefinition[] = [
  shareRule({ id: 'memory', kind: 'memory', title: 'Excessive time for memory' }),
  shareRule({ id: 'start-up', kind: 'start-up', title: 'Start and end of MPI' }),
  shareRule({ id: 'unknown-time', kind: 'unknown-time', title: 'Unknown time' }),
  shareRule({ id: 'parallel-efficiency', kind: 'parallel-efficiency', title: 'Low parallel efficiency' }),
  shareRule({ id: 'one-thread', kind: 'imbalance', title: 'One thread works alone' }),
  shareRule({ id: 'recording', kind: 'excessive-overhead', title: 'Disturbed profile', metric: 'overhead' }),
];

/**
 * P1 to P4 of §10.1. The printed rule for trends looks at the energy of the short scales, although it is the wide ones that hold trends and the
 * text says so: the wide ones it is.
 */
const dynamicRules: readonly RuleDefinition[] = [
  {
    id: 'significant-variability',
    level: 'dynamic',
    title: 'Significant variability',
    kind: 'significant-variability',
    condition: 'dynamicEnergy / totalEnergy > thresholdEnergy',
    next: ['degradation-peaks', 'degradation-trends', 'improvement', 'irregular-variability'],
    gate: true,
  },
  {
    id: 'irregular-variability',
    level: 'dynamic',
    title: 'Variability without a pattern',
    kind: 'significant-variability',
    // A coefficient of variation of 32 %.
    condition: 'dynamicEnergy / totalEnergy > 0.1 && count(patterns) == 0',
  },
  {
    id: 'degradation-peaks',
    level: 'dynamic',
    title: 'Degradation peaks',
    kind: 'degradation-peaks',
    // A peak that costs next to nothing is the noise of iterations that take longer than others.
    condition:
      'sum(peaks) / phaseTime > thresholdTime && excess(peaks) / phaseTime > thresholdTime / 4 && shortEnergy / totalEnergy > shortGate',
    severity: 'sum(peaks) / phaseTime',
    next: ['degradation-peak'],
  },
  {
    id: 'degradation-trends',
    level: 'dynamic',
    title: 'Degradation trends',
    kind: 'degradation-trends',
    condition:
      'max(sum(trends), excess(trends) + aftermath(trends)) / phaseTime > thresholdTime && wideEnergy / totalEnergy > wideGate',
    severity: 'sum(trends) / phaseTime',
    next: ['degradation-trend'],
  },
  {
    id: 'degradation-peak',
    level: 'dynamic',
    title: 'Degradation peak',
    kind: 'degradation-peak',
    each: 'peaks',
    condition: 'patternSum / phaseTime > thresholdTime && patternExcess / phaseTime > thresholdTime / 4',
    severity: 'patternSum / phaseTime',
  },
  {
    id: 'degradation-trend',
    level: 'dynamic',
    title: 'Degradation trend',
    kind: 'degradation-trend',
    each: 'trends',
    // Next to no time passes during a step; what it costs comes after it.
    condition: 'max(patternSum, patternExcess + patternAftermath) / phaseTime > thresholdTime',
    confidence: 'fit',
    severity: 'patternSum / phaseTime',
  },
  {
    id: 'improvement',
    level: 'dynamic',
    title: 'Improvement',
    kind: 'improvement',
    each: 'improvements',
    condition: 'patternExcess / phaseTime > thresholdTime',
    confidence: 'fit',
    severity: 'patternExcess / phaseTime',
  },
];

/** The rules that an analysis of dynamics uses unless the user gives others. */
export const catalogue: readonly Rule[] = checkTogether([...staticRules, ...dynamicRules].map(compileRule));

/** The static rules by id, for profiles. */
export const staticRule: ReadonlyMap<string, StaticRule> = new Map(
  [...catalogue, ...profileRules.map(compileRule)].filter(isStatic).map((rule) => [rule.definition.id, rule]),
);
