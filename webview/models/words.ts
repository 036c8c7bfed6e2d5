import { formatValue } from '../../src/core/format';
import { regionsOf } from '../../src/core/modeling/regionsOf';
import type { Verdict } from '../../src/core/modeling/verdict';
import type { ModelsHeader } from '../../src/core/views/modelPieces';
import type { IconName } from '../ui/base/icons';

/** Longer call paths are shown without their first regions; the tooltip has all. */
const longPath = 48;

/** The called function of a call path. */
export function calledFunction(callPath: string): string {
  return regionsOf(callPath).at(-1) ?? '';
}

/** The end of a call path, as far as it is short, but at least its last region: `… → solve → sweep`. */
export function shortPath(callPath: string): string {
  const regions = regionsOf(callPath);
  let shown = regions.at(-1) ?? '';
  let first = regions.length - 1;
  for (; first > 0; first--) {
    const longer = `${regions[first - 1] ?? ''} → ${shown}`;
    if (longer.length > longPath) break;
    shown = longer;
  }
  return first > 0 ? `… → ${shown}` : shown;
}

/** The whole call path, for tooltips. */
export function wholePath(callPath: string): string {
  return regionsOf(callPath).join(' → ');
}

/** `1.2 s … 3.4 s`; what is not bounded says so. */
export function rangeText(low: number, high: number, unit: string): string {
  if (low === -Infinity && high === Infinity) return 'unknown';
  return `${formatValue(low, unit)} … ${formatValue(high, unit)}`;
}

const verdicts: Readonly<Record<Verdict['kind'], { readonly label: string; readonly icon: IconName }>> = {
  clear: { label: 'clear', icon: 'accept' },
  'not-enough-data': { label: 'not enough data', icon: 'error' },
  unusable: { label: 'unusable', icon: 'error' },
  'noise-too-large': { label: 'noise too large', icon: 'warning' },
  'two-regimes': { label: 'two regimes', icon: 'info' },
  ambiguous: { label: 'ambiguous', icon: 'warning' },
  'does-not-fit': { label: 'does not fit', icon: 'warning' },
};

/** How a verdict is shown in a cell. */
export function verdictWords(kind: Verdict['kind'] | undefined): {
  readonly label: string;
  readonly icon?: IconName;
} {
  return kind === undefined ? { label: '' } : verdicts[kind];
}

/** A value of a parameter in words: exact, for these are given by the user. */
export function coordinateText(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** `p = 64, n = 1000` */
export function pointText(parameters: readonly string[], point: readonly number[]): string {
  return parameters.map((name, position) => `${name} = ${coordinateText(point[position] ?? NaN)}`).join(', ');
}

/** A coordinate that the user wrote; undefined if it is none: models hold for positive numbers. */
export function readCoordinate(text: string): number | undefined {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/** `120 models of p (5 values) and n (5 values). Always: threads = 4.` */
export function summaryText({ metrics, parameters, values, constants }: ModelsHeader): string {
  const count = metrics.reduce((sum, metric) => sum + metric.count, 0);
  const names = parameters.map((name, position) => {
    const different = values[position]?.length ?? 0;
    return `${name} (${different} ${different === 1 ? 'value' : 'values'})`;
  });
  const always = constants.map(([name, value]) => `${name} = ${value}`).join(', ');
  return [
    `${count} ${count === 1 ? 'model' : 'models'} of ${listText(names)}.`,
    ...(always === '' ? [] : [`Always: ${always}.`]),
  ].join(' ');
}

function listText(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
