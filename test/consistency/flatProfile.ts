import type { RankSpread } from '../../src/core/functions/functionRow';
import type { ProfileJson } from '../../src/formats/exports/json';
import type { RankReport } from '../../src/workflows/ranks';
import { cells, totalOf } from './callTree';
import { relative, sameNumber } from './numbers';

/** `kymo profile show --json`, of several processes with `--ranks`. */
export type FlatOutput = Omit<ProfileJson, 'functions'> & {
  readonly functions?: readonly (Required<ProfileJson>['functions'][number] & {
    readonly ranks?: RankSpread;
  })[];
  readonly ranks?: readonly RankReport[];
};

/** The flat profile against its base, the call tree, and the times of the ranks. @param perLocation the same call tree per location */
export function flatContradictions(flat: FlatOutput, perLocation: ProfileJson): readonly string[] {
  const { functions, base } = flat;
  if (functions === undefined || base === undefined) return [];
  return [...ofBase(flat), ...functions.flatMap((row) => ofRow(row, flat)), ...ofRanks(flat, perLocation)];
}

function ofBase(flat: FlatOutput): readonly string[] {
  const { functions = [], base } = flat;
  const leftOut = (what: string): number => base?.leftOut.find((own) => own.what === what)?.seconds ?? 0;
  const sum = functions.reduce((all, { exclusiveSeconds }) => all + exclusiveSeconds, 0);
  const waiting = functions.reduce((all, own) => all + (own.waiting?.exclusiveSeconds ?? 0), 0);
  const known = (base?.leftOut ?? []).reduce((all, { seconds }) => all + seconds, base?.seconds ?? 0);
  return [
    ...sameNumber('exclusive seconds of all functions, and the base', sum, base?.seconds),
    ...sameNumber('waiting of all functions, and what the base leaves out', waiting, leftOut('waiting')),
    ...sameNumber('the base with what it leaves out, and the measured time', known, totalOf(flat, 'time')),
  ];
}

function ofRow(row: Required<FlatOutput>['functions'][number], flat: FlatOutput): readonly string[] {
  const { name, regions, visits, ranks, base } = { ...row, base: flat.base };
  const seconds = base?.seconds ?? 0;
  // The visits of a phase are those of its iterations (docs/formats.md).
  const own = new Set(regions);
  const isOwn = (path: number): boolean => own.has(flat.callTree[path]?.region ?? -1);
  const isIteration = ({ parent, region }: FlatOutput['callTree'][number]): boolean =>
    isOwn(parent) && /^instance=\d+$/.test(flat.regions[region]?.name ?? '');
  const inTree = flat.callTree.reduce(
    (sum, node, path) =>
      isOwn(path) || isIteration(node) ? sum + Number(flat.values.visits?.exclusive[path]) : sum,
    0,
  );
  return [
    ...(flat.values.visits === undefined
      ? []
      : sameNumber(`visits of ${name}, and of its call paths`, visits, inTree)),
    ...sameNumber(
      `exclusive share of ${name}, and its seconds`,
      row.exclusiveShare * seconds,
      row.exclusiveSeconds,
    ),
    ...sameNumber(
      `inclusive share of ${name}, and its seconds`,
      row.inclusiveShare * seconds,
      row.inclusiveSeconds,
    ),
    ...(row.inclusiveSeconds > seconds * (1 + relative)
      ? [`${name}: ${row.inclusiveSeconds} of ${seconds} s`]
      : []),
    ...(ranks === undefined ? [] : ofSpread(`${name}: computation of the ranks`, ranks, flat)),
    ...(ranks === undefined ||
    ranks.meanSeconds * (flat.ranks?.length ?? 0) <= row.inclusiveSeconds * (1 + relative) + 1e-9
      ? []
      : [
          `${name}: ranks compute ${ranks.meanSeconds} s on average, and it takes ${row.inclusiveSeconds} s in all`,
        ]),
  ];
}

function ofSpread(what: string, spread: RankSpread, { locations }: FlatOutput): readonly string[] {
  const { leastSeconds, meanSeconds, mostSeconds, leastRanks, mostRanks } = spread;
  return [
    ...(leastSeconds <= meanSeconds * (1 + relative) && meanSeconds <= mostSeconds * (1 + relative)
      ? []
      : [`${what}: at least ${leastSeconds}, on average ${meanSeconds}, at most ${mostSeconds} s`]),
    ...unknownRanks(what, leastRanks, locations),
    ...unknownRanks(what, mostRanks, locations),
  ];
}

/** @param set such as `0-3,7` */
export function unknownRanks(
  what: string,
  set: string,
  locations: readonly { readonly rank: number }[],
): readonly string[] {
  const known = new Set(locations.map(({ rank }) => rank));
  const named = set.split(',').flatMap((part) => {
    const [first = NaN, last = first] = part.split('-').map(Number);
    return Number.isNaN(first) ? [NaN] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  return named.every((rank) => known.has(rank))
    ? []
    : [`${what}: ranks ${set}, and the run has ${[...known].join(',')}`];
}

/** What ranks spend their time for adds up to the measured time: without MPI's start and end, and without the cost of recording. */
function ofRanks(flat: FlatOutput, perLocation: ProfileJson): readonly string[] {
  const { ranks, base, functions = [] } = flat;
  if (ranks === undefined || base === undefined) return [];
  const parts = ({
    computingSeconds,
    waitingSeconds = 0,
    movingSeconds,
    otherSeconds,
  }: RankReport): readonly number[] => [computingSeconds, waitingSeconds, movingSeconds, otherSeconds];
  const sums = ranks.map((own) => parts(own).reduce((sum, part) => sum + part, 0));
  const startUp = functions
    .filter(({ name }) => /^MPI_(Init|Init_thread|Finalize)$/.test(name))
    .reduce((sum, own) => sum + own.exclusiveSeconds + (own.waiting?.exclusiveSeconds ?? 0), 0);
  const waiting = functions.reduce((sum, own) => sum + (own.waiting?.exclusiveSeconds ?? 0), 0);
  const time = cells(perLocation, 'time', 'inclusive');
  return [
    ...sameNumber(
      'time of all ranks, and computing time with waiting and without MPI’s start and end',
      sums.reduce((all, own) => all + own, 0),
      base.seconds + waiting - startUp,
      // What rounding loses where the cost of recording is as long as a call.
      1e-6,
    ),
    ...ranks.flatMap((own, at) => {
      const measured = perLocation.callTree.reduce(
        (sum, { parent }, path) =>
          parent < 0
            ? sum +
              perLocation.locations.reduce(
                (all, { rank }, location) => (rank === own.rank ? all + (time[path]?.[location] ?? 0) : all),
                0,
              )
            : sum,
        0,
      );
      const sum = sums[at] ?? 0;
      return [
        ...(parts(own).some((part) => part < 0) ? [`rank ${own.rank} has a time below 0`] : []),
        ...(sum > measured * (1 + relative)
          ? [`rank ${own.rank}: ${sum} s, and ${measured} s were measured`]
          : []),
      ];
    }),
  ];
}
