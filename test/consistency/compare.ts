import { formatValue } from '../../src/core/format';
import type { CompareReport, ReportedDifference } from '../../src/workflows/compare';
import type { FlatOutput } from './flatProfile';
import { sameNumber } from './numbers';

/** Where the same comparison is seen. */
export interface CompareElsewhere {
  /** The inputs in the other order. */
  readonly back: CompareReport;
  readonly text: string;
  /** `kymo profile show` of each input, where each is one run. */
  readonly profiles?: readonly FlatOutput[];
}

const mirrored: Readonly<Record<string, string>> = {
  slower: 'faster',
  faster: 'slower',
  increased: 'decreased',
  decreased: 'increased',
  'added-work': 'removed-work',
  'removed-work': 'added-work',
};
/** Kinds whose values are those of a function over all of its call paths. */
const ofFunctions: readonly string[] = ['slower', 'faster', 'increased', 'decreased'];
/** Rows that are printed. */
const mostRows = 40;

/** `kymo compare` of two inputs against itself, its mirror image, what is printed, and the profiles. */
export function compareContradictions(
  report: CompareReport,
  { back, text, profiles = [] }: CompareElsewhere,
): readonly string[] {
  return [
    ...ofPairs(report, back),
    ...ofMirror(report, back),
    ...report.differences.flatMap((difference) => ofDifference(difference, report)),
    ...ofProperties(report),
    ...ofText(report, text),
    ...profiles.flatMap((profile, input) => ofProfile(report, profile, input)),
  ].map((sentence) => `compare: ${sentence}`);
}

function ofPairs({ pairs }: CompareReport, back: CompareReport): readonly string[] {
  return pairs.flatMap(({ matched, changed, unchanged, added, deleted, totals, shift }, at) => {
    const other = back.pairs[at];
    return [
      ...sameNumber('changed and unchanged call paths, and those of both', changed + unchanged, matched),
      ...(unchanged >= 0 && changed >= 0 ? [] : [`${unchanged} unchanged, ${changed} changed`]),
      ...sameNumber('call paths of both, the other way round', matched, other?.matched),
      ...sameNumber('added call paths, and removed ones the other way round', added, other?.deleted),
      ...sameNumber('removed call paths, and added ones the other way round', deleted, other?.added),
      ...sameNumber('the first whole, and the second the other way round', totals[0], other?.totals[1]),
      ...sameNumber('the second whole, and the first the other way round', totals[1], other?.totals[0]),
      ...sameNumber('what all have in common, there and back', shift * (other?.shift ?? 1), 1),
    ];
  });
}

function ofMirror(report: CompareReport, back: CompareReport): readonly string[] {
  // A function that was renamed has one of its names each way; its line is that of the other build.
  const key = ({ callPath, kind }: ReportedDifference, isBack: boolean): string =>
    `${isBack ? (mirrored[kind] ?? kind) : kind} ${callPath.join(' / ')}`;
  const isRenamed = report.differences.some(({ kind }) => kind === 'renamed');
  const there = report.differences.map((one) => key(one, false)).sort();
  const again = back.differences.map((one) => key(one, true)).sort();
  return isRenamed || there.join('\n') === again.join('\n')
    ? []
    : [`differences are ${there.join(', ')}, and the other way round ${again.join(', ')}`];
}

function ofDifference(difference: ReportedDifference, report: CompareReport): readonly string[] {
  const { kind, sentence, significance } = difference;
  return [
    ...(isOfKind(difference, report) ? [] : [`“${sentence}” is ${kind}`]),
    ...(significance === undefined || (significance >= 0 && significance <= 0.01)
      ? []
      : [`“${sentence}” is by chance with ${significance}`]),
    ...numbersIn(difference, report).flatMap((number) =>
      sentence.includes(number) ? [] : [`“${sentence}” does not say ${number}`],
    ),
  ];
}

type Sides = readonly [ReportedDifference['sides'][number], ReportedDifference['sides'][number]];

function sidesOf({ sides, pair }: ReportedDifference, { pairs }: CompareReport): Sides {
  return [sides[pairs[pair]?.a ?? 0] ?? null, sides[pairs[pair]?.b ?? 1] ?? null];
}

function valueOf(side: Sides[number]): number {
  return side?.value ?? side?.seconds ?? 0;
}

function isOfKind(difference: ReportedDifference, report: CompareReport): boolean {
  const [before, after] = sidesOf(difference, report);
  const change = valueOf(after) - valueOf(before) * (report.pairs[difference.pair]?.shift ?? 1);
  return {
    slower: change > 0,
    faster: change < 0,
    increased: change > 0,
    decreased: change < 0,
    'added-work': before === null && after !== null,
    'removed-work': before !== null && after === null,
    'changed-count': before?.count !== after?.count,
    renamed: before !== null && after !== null,
  }[difference.kind];
}

/** What its sentence has to say. */
function numbersIn(difference: ReportedDifference, report: CompareReport): readonly string[] {
  const [before, after] = sidesOf(difference, report);
  const text = (side: Sides[number]): string => formatValue(valueOf(side), report.metric.unit);
  if (ofFunctions.includes(difference.kind)) return [`${text(before)} → ${text(after)}`];
  return before === null || after === null ? [text(before ?? after)] : [];
}

function ofProperties({ differences, properties }: CompareReport): readonly string[] {
  const named = differences
    .filter(({ consequence }) => consequence !== true)
    .map(({ kind, sentence }) => `${kind}: ${sentence}`)
    .sort();
  const found = properties.map(({ kind, title }) => `${kind}: ${title}.`).sort();
  return named.join('\n') === found.join('\n')
    ? []
    : [`differences are ${named.join(', ')}, and findings ${found.join(', ')}`];
}

function ofText({ differences, notes, metric }: CompareReport, text: string): readonly string[] {
  return [
    ...differences.flatMap(({ stake, sentence }, at) =>
      stake <= (differences[at - 1]?.stake ?? Infinity)
        ? []
        : [`“${sentence}” has more at stake than what is before it`],
    ),
    ...differences
      .slice(0, mostRows)
      .flatMap(({ stake, sentence }) =>
        text.includes(formatValue(stake, metric.unit))
          ? []
          : [`what is at stake of “${sentence}” is not printed`],
      ),
    ...notes.flatMap((note) => (text.includes(note) ? [] : [`“${note}” is not printed`])),
    ...differences
      .slice(0, mostRows)
      .flatMap(({ sentence }) =>
        sentence.length > 190 || text.includes(sentence) ? [] : [`“${sentence}” is not printed`],
      ),
  ];
}

/** Of one run, the whole is the base, and functions have the seconds and visits of the flat profile. */
function ofProfile(
  report: CompareReport,
  { base, functions = [] }: FlatOutput,
  input: number,
): readonly string[] {
  const total = report.pairs[0]?.totals[input];
  const isPlain = report.metric.name === 'time' && report.pairs[0]?.per === 'all';
  const isFolded = report.notes.some((note) => note.startsWith('Recorded in '));
  if (!isPlain) return [];
  return [
    ...sameNumber(`the whole of input ${input + 1}, and its base`, total, base?.seconds),
    ...(isFolded ? [] : report.differences).flatMap(({ kind, callPath, sides }) => {
      const own = functions.filter(({ name }) => name === callPath.at(-1));
      const [only] = own;
      const side = sides[input];
      if (!ofFunctions.includes(kind) || only === undefined || own.length > 1 || side == null) return [];
      return [
        ...sameNumber(`seconds of ${only.name}`, side.seconds, only.exclusiveSeconds),
        ...sameNumber(`visits of ${only.name}`, side.count, only.visits),
      ];
    }),
  ];
}
