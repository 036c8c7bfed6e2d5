import { at } from '../../core/at';
import type { Comparison } from '../../core/compare/differences';
import { certain, meansOf, type Difference } from '../../core/compare/difference';
import { timeMetric } from '../../core/compare/run';
import type { ComparedSides, Side } from '../../core/compare/sides';
import { inUnit, longer, more, perProcess } from '../../core/compare/words';
import { formatPercent } from '../../core/format';
import { openmpConstruct } from '../../core/names/openmpConstruct';
import { shortList } from '../../core/names/shortList';
import { recordedPartOf } from '../../core/profile/recordedPart';

/** Fewer call paths in common are two programs. */
const leastMatched = 0.3;
/** Smaller changes of all functions together are not mentioned. */
const leastChange = 0.005;
/** Of logarithms: a standard deviation that hides changes of 5 %. */
const leastBetween = 0.02;
/** Of logarithms. */
const leastWaiting = 0.1;

/** What is to be known of a comparison before its differences are read, a sentence each; the whole first. */
export function comparisonNotes(
  sides: readonly [Side, Side],
  compared: ComparedSides,
  comparison: Comparison,
): readonly string[] {
  return [
    wholeNote(compared, comparison),
    ...perProcessNote(compared),
    ...shiftNotes(compared, comparison),
    ...repetitionNotes(compared),
    ...betweenNotes(compared, comparison),
    ...waitingNotes(compared),
    ...machineNotes(sides, compared, comparison),
    ...likenessNotes(sides),
    ...sides.flatMap(partlyNotes),
    ...selectionNotes(compared, comparison),
    ...matchNotes(comparison),
  ];
}

function wholeNote(compared: ComparedSides, { totals, total }: Comparison): string {
  const { names, metric, per } = compared;
  const [before, after] = totals;
  const isTime = metric.name === timeMetric.name;
  const of = per === 'process' ? 'of the mean process' : 'of all processes';
  const what = `${isTime ? '' : `${metric.displayName} `}in all functions ${of}`;
  const whole = `${names[0]} → ${names[1]}: ${inUnit(before, compared)} → ${inUnit(after, compared)} ${what}`;
  if (before === after) return `${whole}, which is the same.`;
  const isSure = total.byChance === undefined || total.byChance <= certain;
  if (!(Math.abs(after / before - 1) >= leastChange)) return `${whole}, which is no difference.`;
  if (!isSure) return `${whole}; runs of one side differ too much for that to be a sure difference.`;
  return `${whole}: ${isTime ? longer(before, after) : more(before, after)}.`;
}

function perProcessNote(compared: ComparedSides): readonly string[] {
  const [a, b] = compared.processes;
  if (a === b) return [];
  return [
    `${a} and ${b} processes: values and visits are compared ${
      compared.per === 'process'
        ? 'per process, as means (--per all: of all processes together)'
        : 'of all processes together (--per process: as means per process)'
    }.`,
  ];
}

/** What all functions have in common matters for those that are listed, and is a finding by itself only beyond the noise. */
function shiftNotes(
  { metric }: ComparedSides,
  { shift, isShiftSure, changes, differences }: Comparison,
): readonly string[] {
  const isTime = metric.name === timeMetric.name;
  if (Math.abs(Math.log(shift)) >= 0.02) {
    const isListed = differences.some(({ kind }) => isOfValue(kind));
    if (!isShiftSure && !isListed) return [];
    const what = isTime
      ? `Most functions take about ${formatPercent(Math.abs(shift - 1))} ${shift > 1 ? 'longer' : 'less'}, ${isShiftSure ? `as on a machine that is ${shift > 1 ? 'slower' : 'faster'}` : 'which may be noise of the runs'}`
      : `Most functions have about ${formatPercent(Math.abs(shift - 1))} ${shift > 1 ? 'more' : 'less'}${isShiftSure ? '' : ', which may be noise of the runs'}`;
    return [
      isListed
        ? `${what}: the listed functions changed differently.`
        : `${what}: no function stands out from that.`,
    ];
  }
  const sure = changes.filter(({ isSure }) => isSure);
  const isOneWay = new Set(sure.map(({ ratio }) => ratio > 1)).size === 1;
  return isTime && sure.length > 1 && sure.length === changes.length && isOneWay
    ? [
        'All functions that are compared changed in the same direction: that may be the machine and not the program. Measure both once more, by turns.',
      ]
    : [];
}

function repetitionNotes({ names, runs }: ComparedSides): readonly string[] {
  const [a, b] = runs;
  if (a === 1 && b === 1)
    return [
      'Each was measured once: whether a difference is noise is not known. Repeat the measurements (--repetitions 5).',
    ];
  const once = a === 1 ? names[0] : b === 1 ? names[1] : undefined;
  if (once !== undefined)
    return [
      `${once} was measured once: its noise is taken to be that of the other. Repeat it (--repetitions 5).`,
    ];
  return Math.min(a, b) < 3
    ? ['Two repetitions find large differences only. Five find a change of 10 % in noise of 2 %.']
    : [];
}

/** What may come from the machine and not from the program. */
function machineNotes(
  [first, second]: readonly [Side, Side],
  { isOneAfterOther }: ComparedSides,
  { differences }: Comparison,
): readonly string[] {
  const [a, b] = [first.measured, second.measured];
  if (a === undefined || b === undefined || !differences.some(({ kind }) => isOfTime(kind))) return [];
  const startsOf = (side: typeof a): string => side.map(({ startedAt }) => startedAt).join();
  if (startsOf(a) === startsOf(b))
    return ['Both are parts of the same run: the differences are those between these parts.'];
  const keys = [...a, ...b].map(({ buildId, host, command }) => JSON.stringify([buildId, host, command]));
  if (new Set(keys).size === 1)
    return [
      'Both are the same build, run by the same command on the same machine: the differences are those of the machine, its load or the input, and not of the program.',
    ];
  return isOneAfterOther
    ? [
        'They were measured one after the other: a machine that changed meanwhile may show as a change of the program. To rule that out, measure both by turns, and join the measurements of each by commas: kymo compare A1,A2,A3 B1,B2,B3.',
      ]
    : [];
}

/** By how much functions changed that did not change by themselves, most likely, and what that hides. */
function betweenNotes(
  { names, load = 0 }: ComparedSides,
  { between, hidden }: Comparison,
): readonly string[] {
  if (between < leastBetween) return [];
  const busier =
    Math.abs(load) < leastBetween
      ? ''
      : ` (runs of ${names[load > 0 ? 1 : 0]} took ${formatPercent(Math.expm1(Math.abs(load)))} more wall time for their processor time)`;
  return [
    `The machine or its load changed between the measurements${busier}: that moves functions by about ${formatPercent(Math.expm1(between))}, and in half of them hides changes of ${hiddenWords(hidden)}; in functions whose runs differ less, smaller changes are certain, too. Measure both by turns to find smaller ones.`,
  ];
}

function hiddenWords(hidden: number): string {
  return hidden < 1
    ? `less than about ${formatPercent(hidden)}`
    : `less than about ${Math.min(99, 1 + hidden).toPrecision(2)} times`;
}

/** Functions that wait are not judged one by one. */
function waitingNotes({ functions, paths, runs, metric, per }: ComparedSides): readonly string[] {
  if (metric.name !== timeMetric.name) return [];
  const waiting = paths.filter((path) => at(functions, path.function).isWaiting);
  const [before, after] = [0, 1].map((side) =>
    waiting.reduce((sum, { seconds }) => sum + at(meansOf(seconds, runs[0]), side), 0),
  );
  if (before === undefined || after === undefined || !(Math.max(before, after) > 0)) return [];
  return Math.abs(Math.log(after / before)) < leastWaiting
    ? []
    : [
        `In MPI and at barriers: ${inUnit(before, { metric })} → ${inUnit(after, { metric })}${perProcess({ per })}. This time depends on the other processes and on the machine, so these functions are not named one by one.`,
      ];
}

function isOfValue(kind: Difference['kind']): boolean {
  return isOfTime(kind) || kind === 'increased' || kind === 'decreased';
}

function isOfTime(kind: Difference['kind']): boolean {
  return kind === 'slower' || kind === 'faster';
}

/** What makes measurements that are hardly to be compared. */
function likenessNotes([first, second]: readonly [Side, Side]): readonly string[] {
  const [a, b] = [at(first.runs, 0), at(second.runs, 0)];
  return [
    ...(a.base.clock === b.base.clock
      ? []
      : [
          `The times of ${a.base.clock === 'cpu' ? first.name : second.name} are computing time, and those of ${a.base.clock === 'cpu' ? second.name : first.name} have waiting in them.`,
        ]),
    ...(a.phase === undefined || b.phase === undefined || a.phase === b.phase
      ? []
      : [`The phases differ: ${a.phase} in ${first.name}, ${b.phase} in ${second.name}.`]),
  ];
}

/** Of functions that were switched while the program ran. */
function partlyNotes({ name, runs }: Side): readonly string[] {
  const partly = new Set(
    runs.flatMap(({ regions }) =>
      regions.flatMap((region) => (recordedPartOf(region) === undefined ? [] : [region.name])),
    ),
  );
  if (partly.size === 0) return [];
  const was = partly.size === 1 ? 'was' : 'were';
  return [
    `${shortList([...partly])} ${was} recorded in a part of the run only in ${name}: differences there, and in their callers, may come from the recording.`,
  ];
}

/** On functions that one measurement was to record, and another one was not. */
export function recordedOnceNote(name: string, functions: readonly string[]): string {
  return `Recorded in ${name} only, and neither new nor gone: ${shortList(functions)}. What they do is counted in their callers on both sides.`;
}

function selectionNotes(
  { names, recordedOnce, knowsRecorded }: ComparedSides,
  { added, deleted, moved }: Comparison,
): readonly string[] {
  const notes = [
    ...recordedOnce.flatMap((functions, side) =>
      functions.length === 0 ? [] : [recordedOnceNote(at(names, side), functions)],
    ),
    ...(moved.length === 0
      ? []
      : [
          `Visited as often as before, below other recorded callers: ${shortList(functionsFirst(moved))}. The program and its command are the same, so these calls are not listed as differences.`,
        ]),
  ];
  return knowsRecorded || added + deleted === 0
    ? notes
    : [
        ...notes,
        'At least one measurement has no list of the functions to record: calls that are new or gone may have been left out by a filter.',
      ];
}

/** OpenMP constructs are in functions, and have no names that a reader knows. */
function functionsFirst(names: readonly string[]): readonly string[] {
  const isConstruct = (name: string): boolean => openmpConstruct(name) !== undefined;
  return [...names.filter((name) => !isConstruct(name)), ...names.filter(isConstruct)];
}

function matchNotes({ matched, added, deleted }: Comparison): readonly string[] {
  const all = matched + added + deleted;
  return matched >= leastMatched * all
    ? []
    : [`Only ${matched} of ${all} call paths are in both: these may be two different programs.`];
}
