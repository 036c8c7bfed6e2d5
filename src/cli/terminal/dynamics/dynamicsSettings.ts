import { KymoError } from '../../../core/errors';
import { defaultDynamicsOptions, type DynamicsOptions } from '../../../core/degradations/model/options';
import { defaultSignalOptions, type SignalOptions } from '../../../core/signal/signal';

/** Values that `--set` accepts: a number between two limits, or one of several words. */
type Allowed =
  | { readonly least: number; readonly most: number; readonly whole?: true }
  | { readonly words: readonly string[] };

const share: Allowed = { least: 0, most: 1 };

/** Settings of the rules (docs/dynamics.md), without those that have an option of their own. */
const ofRules = {
  falseAlarm: { least: 1e-6, most: 0.5 },
  overheadThreshold: { least: 0, most: 1000 },
  thresholdEnergy: share,
  shortGate: share,
  wideGate: share,
  thresholdTime: share,
  missing: { words: ['zero', 'constant', 'linear'] },
  wholeRun: { least: 0, most: 65_536, whole: true },
  patternsKept: { least: 1, most: 10_000, whole: true },
  clusterGapRelative: share,
  clusterGapAbsolute: share,
} as const satisfies Partial<Record<keyof DynamicsOptions, Allowed>>;

/** Settings of the analysis of one series. */
const ofSignals = {
  sigmaMinimum: { least: 0.1, most: 1000 },
  stepsPerOctave: { least: 1, most: 32, whole: true },
  summaryLevel: { words: ['stability-cut', 'depth', 'depth-carried', 'slice'] },
  plateauTolerance: share,
  flatTolerance: share,
  linearTolerance: share,
  bridgeDrop: share,
  peakProminence: share,
  peakStability: { least: 0, most: 64 },
  trendAmplitude: share,
  trendFit: share,
} as const satisfies Partial<Record<keyof SignalOptions, Allowed>>;

/** Names and defaults for the help text. */
export function settingNames(): string {
  const all: Readonly<Record<string, unknown>> = { ...defaultDynamicsOptions, ...defaultSignalOptions };
  return [...Object.keys(ofRules), ...Object.keys(ofSignals)]
    .map((name) => `${name}=${String(all[name])}`)
    .join(', ');
}

/**
 * Reads settings from `name=value` texts; the last one of a name applies.
 * @throws KymoError `usage` with the names or the accepted values
 */
export function settingsOf(texts: readonly string[]): Partial<DynamicsOptions> {
  const rules: Record<string, number | string> = {};
  const signal: Record<string, number | string> = {};
  for (const text of texts) {
    const [name = '', value = ''] = text.split(/=(.*)/s).map((part) => part.trim());
    if (isKey(ofRules, name)) rules[name] = valueOf(name, value, ofRules[name]);
    else if (isKey(ofSignals, name)) signal[name] = valueOf(name, value, ofSignals[name]);
    else throw new KymoError('usage', `--set knows no “${name}”. There are: ${settingNames()}.`);
  }
  return {
    ...rules,
    ...(Object.keys(signal).length === 0 ? {} : { signal: { ...defaultSignalOptions, ...signal } }),
  };
}

function isKey<Table extends object>(table: Table, name: string): name is Extract<keyof Table, string> {
  return Object.hasOwn(table, name);
}

function valueOf(name: string, text: string, allowed: Allowed): number | string {
  if ('words' in allowed) {
    if (allowed.words.includes(text)) return text;
    throw new KymoError('usage', `--set ${name} is one of ${allowed.words.join(', ')}, not “${text}”.`);
  }
  const { least, most, whole } = allowed;
  const value = text === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most && (whole !== true || Number.isInteger(value))) return value;
  const kind = whole === true ? 'a whole number' : 'a number';
  throw new KymoError('usage', `--set ${name} is ${kind} from ${least} to ${most}, not “${text}”.`);
}
