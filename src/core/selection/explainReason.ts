import { formatCount, formatPercent, formatSeconds } from '../format';
import type { ImbalanceMetric } from './imbalanceOptions';
import type { PredictedCost, Reason, Rule } from './selection';

/** Why a function is in or out: `clause` says enough where there is no room for `details`, which begin with their punctuation. */
export interface Explanation {
  readonly clause: string;
  readonly details: string;
}

/** One sentence that says why a function is in or out, with the numbers that decided. */
export function explainReason(reason: Reason, words: Partial<ReasonWords> = {}): string {
  const { clause, details } = explanationOf(reason, words);
  return `${isInRule(reason) ? 'in' : 'out'}: ${clause}${details}`;
}

/** The same sentence in its two parts, without the `in` or `out` before it. */
export function explanationOf(reason: Reason, words: Partial<ReasonWords> = {}): Explanation {
  const [clause, ...details] = clauses[reason.rule](reason, { ...usualWords, ...words });
  const counted = reason.countedFirst === undefined ? '' : '; its visits are counted before it is timed';
  return { clause, details: `${details.join('')}${counted}` };
}

export interface ReasonWords {
  /** May shorten the names of a path. */
  readonly nameOf: (name: string) => string;
  /** What shares are of. */
  readonly time: string;
}

const usualWords: ReasonWords = { nameOf: (name) => name, time: 'the run time' };

/** What the shares of a decision are of that was made before round `round`: the least that the rounds until then showed. */
export function knownBefore(round: number): string {
  if (round <= 0) return usualWords.time;
  return `the run time in ${round === 1 ? 'round 0' : `rounds 0–${round - 1}`}`;
}

const inRules: ReadonlySet<string> = new Set([
  'entry',
  'phase',
  'statements',
  'kernel',
  'hot-spot',
  'path-to-main',
  'outside',
  'expand',
  'again',
  'budget',
  'pinned-in',
  'switched-on',
  'of-interest',
  'imbalanced',
  'descend',
  'synchronisation',
  'model',
  'model-instead',
  'model-again',
  'model-untimed',
]);

function isInRule(reason: Reason): boolean {
  return inRules.has(reason.rule);
}

/** The clause, then the details. */
type Parts = readonly [clause: string, ...details: string[]];

const clauses: Readonly<Record<Rule, (reason: Reason, words: ReasonWords) => Parts>> = {
  entry: (reason) => ['the program begins here', costing(reason)],
  phase: (reason) => ['the phase, whose visits are the iterations', costing(reason)],
  statements: inclusiveStatements,
  kernel: ({ value = 1 }) => [
    `few statements, but ${value === 1 ? 'a loop' : `${value} nested loops`}`,
    ': cheap to record by estimate',
  ],
  'hot-spot': (reason, words) => [...shareOfTime(reason, words), costing(reason)],
  'path-to-main': (reason, { nameOf }) => [
    `on a path from the entry function to ${pathEnd(reason)}`,
    pathText(reason, nameOf),
    costing(reason),
  ],
  outside: () => [
    'no caller is known',
    ' (found by name while the program runs, a handler, a callback): recorded once to find out',
  ],
  expand: expansion,
  again: (reason) => [
    'the cost of recording blurred its time',
    ': recorded once more beside little else',
    costing(reason),
  ],
  budget: (reason) => ['the overhead target has room for it', costing(reason)],
  'pinned-in': (reason) => ['pinned by the user', costing(reason)],
  'switched-on': (reason) => ['switched on while the program ran', costing(reason)],
  'of-interest': ofInterest,
  imbalanced: (reason) => [...spread('unbalanced', reason), costing(reason)],
  balanced: (reason) => spread('balanced', reason),
  descend: descent,
  synchronisation: (reason, { nameOf }) => [
    'it calls MPI where others may wait for an unbalanced function',
    pathText(reason, nameOf),
    costing(reason),
  ],
  model: (reason) => [...modelParts(reason), costing(reason)],
  'model-instead': (reason, words) => [
    `its time contains that of ${calleeOf(reason, words)}, which is too expensive to record`,
    reason.model === undefined ? '' : `: ${modelParts(reason).join('')}`,
    costing(reason),
  ],
  'model-again': (reason, words) => [
    `its caller ${callerOf(reason, words)} grows by more than their models explain`,
    `: recorded once more; ${modelParts(reason).join('')}`,
    costing(reason),
  ],
  'model-untimed': (reason) => [
    'its visits were only counted',
    ': timed to learn how it grows',
    costing(reason),
  ],
  'model-small': modelParts,
  'model-constant': (reason) => ['its model is constant', `: ${modelParts(reason).join('')}`],
  'too-small': inclusiveStatements,
  'not-hot': shareOfTime,
  'too-expensive': tooExpensive,
  'total-overhead': (reason) =>
    blackListed((value) => `recording it adds ${value} or more to its own time`, reason),
  'prolog-overhead': (reason) =>
    blackListed((value) => `recording it distorts its own time by ${value} or more`, reason),
  'not-needed': (reason) => ['the analysis does not ask for it by now', costing(reason)],
  'not-measured': notMeasured,
  unreachable: () => ['no call path from the entry function'],
  'no-site': () => ['inlined', ' (or built without Kymo): the executable has no patch point for it'],
  'not-executed': () => ['it was recorded and never called'],
  'pinned-out': () => ['excluded by the user'],
};

function inclusiveStatements({ value = 0, threshold = 0, loops }: Reason): Parts {
  const executed = loops === true ? ', as often as loops execute them,' : '';
  return [
    `${formatCount(value)} statements${executed} in it and its callees`,
    ` (threshold ${formatCount(threshold)})`,
  ];
}

function shareOfTime({ value = 0, threshold = 0, measure, estimated }: Reason, { time }: ReasonWords): Parts {
  const where = measure === 'exclusive' ? 'in itself' : 'in it and its callees';
  const how = estimated === true ? ', estimated from few visits, the others were only counted' : '';
  return [
    `${formatPercent(value)} of ${time} is spent ${where}`,
    ` (threshold ${formatPercent(threshold)})${how}`,
  ];
}

/** How evenly computation is spread over ranks and threads. */
function spread(
  what: 'balanced' | 'unbalanced',
  { value = 0, threshold = 0, metric }: Reason,
): readonly [string, string] {
  const format = metric === 'efficiency' ? (ratio: number): string => ratio.toFixed(2) : formatPercent;
  return [
    `${what} over ranks and threads: ${spreadWords[metric ?? 'imbalance-percentage'](format(value))}`,
    ` (threshold ${format(threshold)})`,
  ];
}

const spreadWords: Readonly<Record<ImbalanceMetric, (value: string) => string>> = {
  'imbalance-percentage': (value) => `the imbalance of its computation is ${value}`,
  efficiency: (value) => `the slowest computes ${value} times as long as the average`,
  variation: (value) => `its computation varies by ${value}`,
};

function descent(reason: Reason, words: ReasonWords): Parts {
  const { value, path = [] } = reason;
  const [caller] = path;
  const share = value === undefined ? '' : `, which takes ${formatPercent(value)} of ${words.time}`;
  return [
    `called by ${caller === undefined ? 'a relevant function' : words.nameOf(caller)}${share}`,
    ': recorded to see whether it is balanced',
    costing(reason),
  ];
}

function pathEnd({ metric, goal, path = [] }: Reason): string {
  if (goal === 'model') return 'a function that its model keeps';
  if (metric !== undefined) return 'an unbalanced function';
  return path.length > 0 ? 'a hot spot' : 'a hot spot or kernel';
}

/** What a model predicts, and what that is compared with. */
function modelParts({ value = 0, threshold = 0, model }: Reason): readonly [string, string] {
  if (model === undefined) return ['', ''];
  const { formula, otherPaths, point, seconds, judgedBy, growth, doubt, round } = model;
  const others = otherPaths === undefined ? '' : ` and ${formatCount(otherPaths)} more`;
  const name = `model ${formula}${others}`;
  const trust =
    doubt === undefined
      ? ''
      : `; the model cannot be relied on (${doubt}): its largest measured time counts, grown as its visits or as the time of the program`;
  const age = round === undefined ? '' : `; the model is of round ${round}`;
  switch (judgedBy) {
    case 'share':
      return [
        `${formatPercent(value)} of the time at ${point}`,
        ` (threshold ${formatPercent(threshold)}) by its ${name}: ${formatSeconds(seconds)}${trust}${age}`,
      ];
    case 'seconds':
      return [
        `${formatSeconds(value)} at ${point}`,
        ` (threshold ${formatSeconds(threshold)}) by its ${name}${trust}${age}`,
      ];
    case 'growth':
      return [
        `grows faster than ${growth ?? ''} with a probability of ${formatPercent(value)}`,
        ` (threshold ${formatPercent(threshold)}) by its ${name}: ${formatSeconds(seconds)} at ${point}${age}`,
      ];
  }
}

function calleeOf({ path = [] }: Reason, { nameOf }: ReasonWords): string {
  return nameOf(path.at(-1) ?? '');
}

function callerOf({ path = [] }: Reason, { nameOf }: ReasonWords): string {
  return nameOf(path[0] ?? '');
}

function costing({ cost }: Reason): string {
  if (cost === undefined) return '';
  const part = cost.interval === undefined ? '' : `: 1 in ${formatCount(cost.interval)} visits is timed`;
  return `; costs ${percent(cost.overheadPercent)} (${product(cost)}${part})`;
}

function product(cost: PredictedCost): string {
  return `${formatCount(cost.visits)} ${cost.visits === 1 ? 'visit' : 'visits'} × ${formatSeconds(cost.pairSeconds)}`;
}

function pathText({ path = [] }: Reason, nameOf: (name: string) => string): string {
  return path.length === 0 ? '' : ` (${path.map(nameOf).join(' → ')})`;
}

function expansion(reason: Reason, { nameOf, time }: ReasonWords): Parts {
  const { value } = reason;
  const path = pathText(reason, nameOf);
  if (value === undefined && reason.measure === undefined && path !== '')
    return ['below a function that its model keeps', `${path}: recorded to learn how it grows`];
  if (reason.measure === 'inclusive')
    return value === undefined
      ? ['below a function that the analysis asks for too', path]
      : [`the analysis asks what a function that takes ${formatPercent(value)} of ${time} calls`, path];
  return value === undefined
    ? ['nothing is known of its statements', ': recorded once to find out']
    : [`below a function that spends ${formatPercent(value)} of ${time} in itself`, path];
}

function ofInterest(reason: Reason): Parts {
  return reason.value === undefined
    ? ['recorded with everything else once, to learn what it costs']
    : [
        `recording it adds ${percent(reason.value)} to its own time`,
        ` (limit ${percent(reason.threshold ?? 0)})`,
        costing(reason),
      ];
}

/** Beyond this, percent, the cost is all that was seen of it. */
const nothingButCost = 100_000;

/** From such a cost on, percent of the run, the calls of a small function are many. */
const worthOptimising = 0.1;

function blackListed(explain: (percent: string) => string, reason: Reason): Parts {
  const { value = 0, threshold = 0, cost } = reason;
  const nothingElse = value > nothingButCost;
  const visits = cost === undefined ? '' : `; ${product(cost)}`;
  const hint =
    cost === undefined || cost.overheadPercent >= worthOptimising
      ? ': small and called often, so worth inlining or optimising itself'
      : '';
  return [
    nothingElse ? 'nothing was seen of it but the cost of recording it' : explain(percent(value)),
    ` (limit ${percent(threshold)}${visits})${hint}`,
  ];
}

/** The target is the user's number; the limit for predictions is named only where it makes the difference. */
function tooExpensive({ value = 0, threshold = 0, limit = threshold, idle, cost }: Reason): Parts {
  const target =
    idle === undefined
      ? percent(threshold)
      : `${percent(threshold + idle)}, ${percent(idle)} of it for idle patch points`;
  const price = `${cost === undefined ? 'recording it' : product(cost)} would cost ${percent(value)}`;
  if (value > threshold) return [price, ` (target ${target})`];
  const below = limit < threshold ? `; predictions stay below ${percent(limit)} to meet it` : '';
  return value > limit
    ? [`${price}, too near the target`, ` (${target}${below})`]
    : [`${price}, more than the more informative functions leave of the target`, ` (${target}${below})`];
}

function notMeasured({ value, threshold = 0 }: Reason): Parts {
  if (value === undefined) return ['never recorded', '; nothing hot leads to it'];
  return value > threshold
    ? [
        'never recorded',
        `: it may slow the run by up to ${percent(value)}, by estimate (limit for looking ${percent(threshold)})`,
      ]
    : ['never recorded', '; no run is left to learn what it costs'];
}

/** Overheads are kept in percent, as the target is. */
function percent(value: number): string {
  return formatPercent(value / 100);
}
