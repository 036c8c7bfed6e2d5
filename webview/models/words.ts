import { formatSeconds, formatValue } from '../../src/core/format';
import { regionsOf } from '../../src/core/modeling/regionsOf';
import type { Verdict } from '../../src/core/modeling/verdict';
import type { Scaling } from '../../src/core/modeling/profilesAsMeasurements';
import { visibleControls } from '../../src/core/names/visibleControls';
import type { NextPoint } from '../../src/core/study/nextPoint';
import type { ComparedInput, ModelsHeader, Unmatched } from '../../src/core/views/models/modelPieces';
import { usualModelSettings, type ModelSettings } from '../../src/protocol/models';
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

/** `120 models of p (5 values) and n (5 values). Always: threads = 4.`, and how they were made, if it is not the usual way. */
export function summaryText(
  { metrics, parameters, values, constants }: Omit<ModelsHeader, 'functions' | 'notes'>,
  { mode, measure, scaling }: ModelSettings = usualModelSettings,
): string {
  const count = metrics.reduce((sum, metric) => sum + metric.count, 0);
  const names = parameters.map((name, position) => {
    const different = values[position]?.length ?? 0;
    return `${name} (${different} ${different === 1 ? 'value' : 'values'})`;
  });
  const always = constants.map(([name, value]) => `${name} = ${value}`).join(', ');
  const method = [
    ...(mode === 'extra-p' ? ['as Extra-P makes them'] : []),
    ...(measure === 'mean' ? [] : [`of the ${measure} of the repetitions`]),
    ...(scaling === 'default' ? [] : [scalingWords[scaling]]),
  ];
  return [
    `${count} ${count === 1 ? 'model' : 'models'} of ${listText(names)}.`,
    ...(always === '' ? [] : [`Always: ${always}.`]),
    ...(method.length === 0 ? [] : [`Made ${method.join(', ')}.`]),
  ].join(' ');
}

const scalingWords: Readonly<Record<Scaling, string>> = {
  'weak-threaded': 'with the mean of the locations that take part',
  weak: 'with the mean of all locations',
  strong: 'with the sum over the locations',
};

/** What the models are compared with, and what only one of both has. */
export function comparedTexts(compared: ComparedInput | undefined): readonly string[] {
  if (compared === undefined) return [];
  const { title, onlyHere, onlyThere } = compared;
  const only = (where: string, { count, examples }: Unmatched): readonly string[] => {
    if (count === 0) return [];
    const more = count > examples.length ? ', …' : '';
    return [
      `Only ${where}: ${count} ${count === 1 ? 'model' : 'models'} (${examples.map(shortPath).join(', ')}${more}).`,
    ];
  };
  return [[`Compared with ${title}.`, ...only('here', onlyHere), ...only('there', onlyThere)].join(' ')];
}

/** `Worth measuring next: n = 512, p = 32, 3 times (about 4 min): …` */
export function nextText({ coordinates, repetitions, expectedSeconds, why }: NextPoint): string {
  const point = Object.entries(coordinates)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
  const times = repetitions === 1 ? 'once' : `${repetitions} times`;
  const cost = expectedSeconds === undefined ? '' : `, about ${formatSeconds(expectedSeconds)}`;
  return visibleControls(`Worth measuring next: ${point} (${times}${cost}). ${why}`);
}

function listText(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
