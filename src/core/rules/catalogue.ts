import { checkTogether, compileRule, type Rule, type RuleDefinition } from './rule';

const dynamic = ['significant-variability'];

/**
 * The static rules that come with the tool (§10.2). Times are exclusive where regions call each other: a source counts nothing twice.
 */
const staticRules: readonly RuleDefinition[] = [
  {
    id: 'hot-spot',
    level: 'static',
    title: 'Hot spot',
    quantity: 'Time',
    kind: 'hot-spot',
    regions: ['function', 'loop', 'call', 'user'],
    condition: 'sum(time) / phaseTime > reportThreshold',
    severity: 'sum(time) / phaseTime',
    impact: 'sum(time)',
    next: dynamic,
  },
  {
    id: 'communication',
    level: 'static',
    title: 'Excessive communication time',
    quantity: 'Communication time',
    kind: 'communication',
    regions: ['mpi'],
    condition: 'sum(time) / phaseTime > reportThreshold',
    severity: 'sum(time) / phaseTime',
    impact: 'sum(time)',
    next: dynamic,
  },
  {
    id: 'waiting',
    level: 'static',
    title: 'Excessive waiting time',
    quantity: 'Waiting time',
    kind: 'communication',
    regions: ['mpi', 'function', 'call', 'user'],
    condition: 'sum(wait) / phaseTime > reportThreshold',
    severity: 'sum(wait) / phaseTime',
    impact: 'sum(wait)',
    next: dynamic,
  },
  {
    id: 'synchronisation',
    level: 'static',
    title: 'Excessive synchronisation time',
    quantity: 'Synchronisation time',
    kind: 'synchronisation',
    regions: ['openmp'],
    condition: 'sum(time) / phaseTime > reportThreshold',
    severity: 'sum(time) / phaseTime',
    impact: 'sum(time)',
    next: dynamic,
  },
  {
    id: 'io',
    level: 'static',
    title: 'Excessive input and output time',
    quantity: 'Input and output time',
    kind: 'io',
    regions: ['io'],
    condition: 'sum(time) / phaseTime > reportThreshold',
    severity: 'sum(time) / phaseTime',
    impact: 'sum(time)',
    next: dynamic,
  },
  {
    id: 'imbalance',
    level: 'static',
    title: 'Imbalance',
    kind: 'imbalance',
    regions: ['function', 'loop', 'call', 'user'],
    across: 'ranks',
    let: { lost: 'sum(slowest) - sum(average)' },
    condition: 'lost / phaseTime > reportThreshold && lost / sum(slowest) > 0.1',
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
    condition: 'sum(overhead) / own > overheadThreshold && sum(overhead) / phaseTime > thresholdTime',
    severity: 'sum(overhead) / phaseTime',
    impact: 'sum(overhead)',
    next: dynamic,
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
    condition: 'dynamicEnergy / totalEnergy > 10 * thresholdEnergy && count(patterns) == 0',
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

/** The rules that come with the tool. */
export const catalogue: readonly Rule[] = checkTogether([...staticRules, ...dynamicRules].map(compileRule));
