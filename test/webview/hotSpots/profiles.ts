import type { ChangeTable } from '../../../src/core/views/changeRows';
import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import { stencilTraffic } from '../../stencilTraffic';
import {
  communicationMatrix,
  communicationPiece,
  type CommunicationMatrix,
} from '../../../src/core/communication/communicationMatrix';
import { hotSpotsGuards } from '../../../src/editor/surfaces/panels/hotSpots/requests';
import { efficiencyTerms } from '../../../src/core/efficiency/terms';
import { rangeOf, type ProcessGroups } from '../../../src/core/views/groupSummary';
import { capitalised, processNamer } from '../../../src/core/groups/words';
import { positionsIn, rangesOf, type ProcessRanges } from '../../../src/core/views/ranks/processRanges';
import { pathsOfRow, type PathSets } from '../../../src/core/views/pathSets';
import { imbalanceOf, rowSpread } from '../../../src/core/views/ranks/rowSpread';
import { rowValues, type ValuesAtLocations } from '../../../src/core/views/rowValues';
import { subtreeEnds } from '../../../src/core/profile/tree';
import { addTo, largestOf } from '../../../src/core/sums';
import type { LocationValues } from '../../../src/core/views/ranks/locationValues';
import {
  profilePiece,
  type CallPathColumns,
  type ProfileHeader,
} from '../../../src/core/views/profilePieces';
import type {
  HotSpotsEvents,
  HotSpotsOpened,
  HotSpotsRequests,
  MovedFunctions,
  RegionRow,
  Side,
  SpreadOf,
  SpreadScore,
} from '../../../src/protocol/hotSpots';

type GroupRequest = 'groups' | 'groupMatrix' | 'groupDetails' | 'groupGraph' | 'groupFile';
export type GroupAnswers = {
  readonly [Name in GroupRequest]: (
    asked: HotSpotsRequests[Name]['parameters'],
  ) => Promise<HotSpotsRequests[Name]['result']>;
};

/** A profile as the engine has it, made for a test. */
export interface TestProfile extends CallPathColumns {
  readonly traffic?: CommunicationMatrix;
  readonly groups?: ProcessGroups;
  /** Part of a location in the exclusive value of a call path, relative to the other locations; default: the first one has the most. */
  readonly weight?: (callPath: number, location: number) => number;
  /** Called before an answer about how values spread; the answer waits for it. */
  readonly before?: (request: 'spreads' | 'pathScores') => Promise<void> | undefined;
  /** Answers to questions on groups, by the name of the request. */
  readonly grouped?: GroupAnswers;
  readonly header: ProfileHeader;
  readonly regions: readonly RegionRow[];
}

const metrics = [
  { name: 'visits', displayName: 'Visits', unit: 'occ' },
  { name: 'time', displayName: 'Time', unit: 'sec' },
];

/** From the call paths with their own times and visits; values add up. */
export function profileOf(
  id: string,
  regions: readonly RegionRow[],
  paths: readonly (readonly [parent: number, region: number, seconds: number, visits: number])[],
): TestProfile {
  const column = (at: 2 | 3): Float64Array => Float64Array.from(paths, (path) => path[at]);
  const summed = (own: Float64Array): Float64Array => {
    const all = own.slice();
    for (let i = paths.length - 1; i > 0; i--) {
      const above = paths[i]?.[0] ?? -1;
      if (above >= 0) all[above] = (all[above] ?? 0) + (all[i] ?? 0);
    }
    return all;
  };
  const exclusive = [column(3), column(2)];
  return {
    header: {
      id,
      title: `tiny · iteration ${id} · run 1`,
      callPaths: paths.length,
      regions: regions.length,
      metrics,
      locations: [0, 1, 2, 3].map((thread) => ({ name: `thread ${thread}`, rank: 0, thread })),
      pairSeconds: 2e-8,
      pairAssumed: false,
      runSeconds: 2,
    },
    parent: Int32Array.from(paths, ([parent]) => parent),
    region: Uint32Array.from(paths, ([, region]) => region),
    inclusive: exclusive.map(summed),
    exclusive,
    regions,
  };
}

/** The same with waiting, of which the times are without, and what they are of. */
export function waiting(profile: TestProfile): TestProfile {
  const waited = profile.exclusive[1]?.map((seconds) => seconds / 2) ?? new Float64Array();
  const metric = { name: 'waiting_time', displayName: 'Waiting Time', unit: 'sec' };
  const leftOut = [{ what: 'waiting' as const, seconds: 1 }];
  return {
    ...profile,
    header: {
      ...profile.header,
      metrics: [...profile.header.metrics, metric],
      base: { run: 'i2.r1', clock: 'cpu', seconds: 2, leftOut },
    },
    inclusive: [...profile.inclusive, waited],
    exclusive: [...profile.exclusive, waited],
  };
}

/** A small program with everything that names can be. */
export const hostileName = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
export const longName = `deep<${'std::pair<int, '.repeat(700)}int${'>'.repeat(701)}::run()`;
const functions: readonly RegionRow[] = [
  { name: 'main', file: '/src/main.cpp', line: 10, known: true, selected: true, reason: 'in: main' },
  {
    name: 'solve(std::vector<std::pair<int, double>, std::allocator<double> >&)',
    file: '/src/solve.cpp',
    line: 20,
    known: true,
    selected: true,
  },
  { name: 'kernel', file: '/src/solve.cpp', line: 40, known: true, selected: true },
  { name: hostileName, file: '/src/evil.cpp', line: 1 },
  { name: longName },
  { name: 'MPI_Allreduce' },
];

export function small(id = 'small', scale = 1, extra = false): TestProfile {
  return profileOf(id, functions, [
    [-1, 0, 0.1, 1],
    [0, 1, 0.3, 10],
    [1, 2, 1.2 * scale, 1_200_000],
    [1, 5, 0.15, 10],
    [0, 3, 0.1, 2],
    [0, 4, 0.05, 3],
    [5, 2, 0.1, 100],
    ...(extra ? [[0, 5, 0.4, 1] as const] : []),
  ]);
}

/** Many call paths: each level has a few children, names repeat as in real programs. */
export function large(count: number): TestProfile {
  const regions = Array.from({ length: Math.min(4000, count) }, (_, at) => ({
    name: `ns::Class${at % 97}<std::vector<double, std::allocator<double> > >::method${at}(int, double const*)`,
    file: `/src/file${at % 50}.cpp`,
    line: at + 1,
  }));
  const paths: (readonly [number, number, number, number])[] = [[-1, 0, 0.001, 1]];
  // Pre-order: each call path goes below the last one, or below one of those above it.
  let seed = 1;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const stack = [0];
  while (paths.length < count) {
    while (stack.length > 30 || (stack.length > 1 && random() < 0.48)) stack.pop();
    const parent = stack.at(-1) ?? 0;
    stack.push(
      paths.push([parent, Math.floor(random() * regions.length), random() ** 8, Math.ceil(random() * 1000)]) -
        1,
    );
  }
  return profileOf('large', regions, paths);
}

/** Values of a call path at so many locations, the first of which has the most. */
function spread(count: number): LocationValues {
  const inclusive = Float64Array.from({ length: count }, (_, at) => (0.4 * (count - at)) / count);
  return { inclusive, exclusive: inclusive.map((value) => value / 4) };
}

/** The same profile with another header. */
/** The same as a run of several processes, whose kernel has metrics of its own. */
export function parallel(profile: TestProfile): TestProfile {
  const term = (label: keyof typeof efficiencyTerms, run: number, phase?: number) => ({
    ...efficiencyTerms[label],
    run,
    ...(phase === undefined ? {} : { phase }),
  });
  const own = { parallel: 0.6, loadBalance: 0.75, communication: 0.8, runSeconds: 1, slowestRanks: '3' };
  return {
    ...withHeader(profile, {
      efficiency: {
        terms: [term('parallel', 0.45, 0.4), term('loadBalance', 0.9), term('communication', 0.5)],
        phase: 'step',
        processes: 8,
        locations: 8,
        runSeconds: 2,
        phaseSeconds: 1,
        notes: ['A note.'],
      },
    }),
    regions: profile.regions.map((region) =>
      region.name === 'kernel' ? { ...region, efficiency: own } : region,
    ),
  };
}

export function withHeader(profile: TestProfile, header: Partial<ProfileHeader>): TestProfile {
  return { ...profile, header: { ...profile.header, ...header } };
}

/** What the extension's end was asked. */
export interface Asked {
  readonly name: keyof HotSpotsRequests;
  readonly parameters: unknown;
}

interface TestExtension {
  readonly answers: Answers<HotSpotsRequests>;
  readonly opened: () => HotSpotsOpened;
  /** The group that the user picks next. */
  readonly pick: (group: string) => void;
}

/** The extension's end with the real checks of requests; answers come from memory. */
/** What changed, as the extension answers: two differences, a call that is gone, and noise. */
export const changes: ChangeTable = {
  notes: ['before → after: 1 s → 1.2 s in all functions of all processes: 20 % longer.'],
  runs: [5, 5],
  rows: [
    {
      ...{ kind: 'slower', name: 'solve', region: 'solve', before: 0.5, after: 0.65, ratio: 1.3 },
      ...{ visitsBefore: 10, visitsAfter: 10, significance: 0.0004, stake: 0.15, isConsequence: false },
      sentence: 'solve takes 30 % longer itself (500 ms → 650 ms).',
    },
    {
      ...{ kind: 'removed-work', name: `main → ${hostileName}`, region: hostileName, before: 0.1 },
      ...{ visitsBefore: 3, stake: 0.1, isConsequence: false },
    },
    {
      ...{ kind: 'changed-count', name: 'main → dot', region: 'dot', before: 0.1, after: 0.15 },
      ...{ visitsBefore: 100, visitsAfter: 150, stake: 0.05, isConsequence: true },
    },
    {
      ...{ kind: 'noise', name: 'other', region: 'other', before: 0.2, after: 0.204, ratio: 1.02 },
      ...{ visitsBefore: 7, visitsAfter: 7, significance: 0.8, stake: 0.004, isConsequence: false },
    },
  ],
};

export function answersOf(
  main: () => TestProfile,
  asked: Asked[],
  others: readonly TestProfile[] = [],
  open: () => Partial<HotSpotsOpened> = () => ({}),
  tell: <Name extends 'opened' | 'moved'>(name: Name, value: HotSpotsEvents[Name]) => void = () => undefined,
): TestExtension {
  let compared = -1;
  let moved: MovedFunctions = [];
  let picked = 'Picked';
  let chosen: ProcessRanges = [];
  const of = (side: Side): TestProfile =>
    side === 'main' ? ofProcesses(main(), chosen) : (others[compared] ?? main());
  const opened = (): HotSpotsOpened => {
    const compare = others[compared]?.header;
    return {
      panel: 'panel-1',
      main: of('main').header,
      ...(compare === undefined ? {} : { compare }),
      comparable: others.map(({ header }) => ({ label: header.title, detail: '1.2 s' })),
      compared,
      moved,
      ...open(),
    };
  };
  const note =
    <Parameters, Result>(name: keyof HotSpotsRequests, answer: (parameters: Parameters) => Result) =>
    (parameters: Parameters): Result => {
      asked.push({ name, parameters });
      return answer(parameters);
    };
  const guards = hotSpotsGuards;
  const answers: Answers<HotSpotsRequests> = {
    open: { guard: guards.open, answer: note('open', opened) },
    rows: {
      guard: guards.rows,
      answer: note('rows', ({ side, first, count }) => profilePiece(of(side), first, count)),
    },
    regions: {
      guard: guards.regions,
      answer: note('regions', ({ side, first, count }) => of(side).regions.slice(first, first + count)),
    },
    locations: {
      guard: guards.locations,
      answer: note('locations', ({ side }) => spread(of(side).header.locations.length)),
    },
    rankRows: { guard: guards.rankRows, answer: note('rankRows', (asked) => rankRowsOf(main(), asked)) },
    spreads: {
      guard: guards.spreads,
      answer: note('spreads', async ({ rows, outliers, ...asked }) => {
        await main().before?.('spreads');
        return rowsOf(of(asked.side), asked, rows).map((values) => rowSpread(values, outliers));
      }),
    },
    rowValues: {
      guard: guards.rowValues,
      answer: note(
        'rowValues',
        ({ rows, ...asked }) => rowsOf(of(asked.side), asked, rows)[0] ?? new Float64Array(),
      ),
    },
    spreadScores: {
      guard: guards.spreadScores,
      answer: note('spreadScores', ({ rows, score, ...asked }) =>
        scoresOf(rowsOf(of(asked.side), asked, rows), score),
      ),
    },
    pathScores: {
      guard: guards.pathScores,
      answer: note('pathScores', async ({ score, ...asked }) => {
        await main().before?.('pathScores');
        return scoresOf(rowsOf(of(asked.side), asked), score);
      }),
    },
    rankTimes: { guard: guards.rankTimes, answer: note('rankTimes', () => rankTimesOf(main())) },
    communication: {
      guard: guards.communication,
      answer: note('communication', ({ first, count }) =>
        communicationPiece(main().traffic ?? communicationMatrix(0, []), first, count),
      ),
    },
    groups: {
      guard: guards.groups,
      answer: note('groups', (asked) => main().groups ?? inGroupsOf(main()).groups(asked)),
    },
    groupMatrix: {
      guard: guards.groupMatrix,
      answer: note('groupMatrix', (asked) => inGroupsOf(main()).groupMatrix(asked)),
    },
    groupDetails: {
      guard: guards.groupDetails,
      answer: note('groupDetails', (asked) => inGroupsOf(main()).groupDetails(asked)),
    },
    groupGraph: {
      guard: guards.groupGraph,
      answer: note('groupGraph', (asked) => inGroupsOf(main()).groupGraph(asked)),
    },
    groupFile: {
      guard: guards.groupFile,
      answer: note('groupFile', (asked) => inGroupsOf(main()).groupFile(asked)),
    },
    choose: {
      guard: guards.choose,
      answer: note('choose', ({ processes }) => {
        chosen = processes;
        tell('opened', opened());
        return {};
      }),
    },
    openSource: { guard: guards.openSource, answer: note('openSource', () => ({ opened: true })) },
    regroup: {
      guard: guards.regroup,
      answer: note('regroup', (asked) => {
        const name = of(asked.side).regions[asked.region]?.name ?? '';
        const group = asked.to === 'chosen' ? picked : asked.to === 'group' ? asked.group : undefined;
        const others = moved.filter(([other]) => other !== name);
        moved = group === undefined ? others : [...others, [name, group]];
        tell('moved', moved);
        return { moved: true };
      }),
    },
    remember: { guard: guards.remember, answer: note('remember', () => ({})) },
    pin: { guard: guards.pin, answer: note('pin', () => ({ pinned: true })) },
    chooseBaseline: { guard: guards.chooseBaseline, answer: note('chooseBaseline', () => ({})) },
    changes: { guard: guards.changes, answer: note('changes', () => changes) },
    compare: {
      guard: guards.compare,
      answer: note('compare', ({ experiment }) => {
        compared = experiment;
        tell('opened', opened());
        return {};
      }),
    },
    save: { guard: guards.save, answer: note('save', () => ({ saved: true })) },
  };
  return { answers, opened, pick: (group) => (picked = group) };
}

/** Values of the rows of a table at each location; of all call paths where no rows are given. */
function rowsOf(profile: TestProfile, asked: SpreadOf, rows?: PathSets): readonly Float64Array[] {
  const metric = valuesAt(profile, asked.metric);
  const width = profile.header.locations.length;
  const sets =
    rows === undefined
      ? Array.from(profile.parent.keys(), (path) => [path])
      : Array.from(rows.ends.keys(), (row) => pathsOfRow(rows, row));
  return sets.map((paths) => rowValues(metric, asked.extent, paths, width));
}

function scoresOf(rows: readonly Float64Array[], score: SpreadScore): Float64Array {
  return Float64Array.from(rows, (values) =>
    score === 'imbalance' ? imbalanceOf(values) : largestOf(values),
  );
}

/** Values that add up to those of the profile. */
function valuesAt(profile: TestProfile, metric: number): ValuesAtLocations {
  const { header, parent, exclusive, weight = (_, location) => all - location } = profile;
  const all = header.chosen?.of ?? header.locations.length;
  const positions = [
    ...(header.chosen === undefined ? header.locations.keys() : positionsIn(header.chosen.processes)),
  ];
  const ends = subtreeEnds({ count: parent.length, parent });
  const own = (path: number): Float64Array => {
    const weights = positions.map((position) => weight(path, position));
    const sum = weights.reduce((a, b) => a + b, 0);
    return Float64Array.from(weights, (one) => ((exclusive[metric]?.[path] ?? 0) * one) / (sum || 1));
  };
  return {
    combine: 'sum',
    at: (path) => {
      const inclusive = new Float64Array(positions.length);
      for (let below = path; below < (ends[path] ?? 0); below++) addTo(inclusive, own(below));
      return { inclusive, exclusive: own(path) };
    },
  };
}

function inGroupsOf({ grouped }: TestProfile): GroupAnswers {
  if (grouped === undefined) throw new Error('It has no groups.');
  return grouped;
}

/** The same of some of its processes only, which have their part of all values. */
function ofProcesses(profile: TestProfile, processes: ProcessRanges): TestProfile {
  if (processes.length === 0) return profile;
  const { locations } = profile.header;
  const positions = [...positionsIn(processes)];
  const scaled = (columns: readonly Float64Array[]): readonly Float64Array[] =>
    columns.map((column) => column.map((value) => (value * positions.length) / locations.length));
  return {
    ...withHeader(profile, {
      locations: positions.flatMap((position) => locations[position] ?? []),
      chosen: { processes, text: capitalised(processNamer(locations)(positions).text), of: locations.length },
    }),
    inclusive: scaled(profile.inclusive),
    exclusive: scaled(profile.exclusive),
  };
}

/** The same with groups: one that says which processes are in which, and the time of each function in a process. */
export function inGroups(
  profile: TestProfile,
  count: number,
  members: readonly (readonly number[])[],
  seconds: (place: number, process: number) => number,
): TestProfile {
  const functions = [...profile.regions.keys()].slice(0, 10);
  const locations = Array.from({ length: count }, (_, rank) => ({ name: `rank ${rank}`, rank, thread: 0 }));
  const groups = members.map((own, group) => {
    const positions = Uint32Array.from(own);
    const range = (of: (process: number) => number) =>
      rangeOf(
        Float64Array.from(locations, (_, process) => of(process)),
        positions,
      );
    const places = [...functions.keys(), functions.length];
    const sections = places.map((place) => range((process) => seconds(place, process)));
    return {
      group,
      members: rangesOf(own),
      text: capitalised(processNamer(locations)(own).text),
      similarity: 1,
      count: own.length,
      sections: sections.map((section) => (section.maximum > 0 ? section : undefined)),
      whole: range((process) => places.reduce((sum, place) => sum + seconds(place, process), 0)),
    };
  });
  const numbers = Uint32Array.from(locations.keys());
  const ranks = locations.map(({ rank }) => ({ rank }));
  return {
    ...withHeader(profile, { locations, ranks }),
    groups: {
      heading: 'made for a test',
      notes: [],
      numbers,
      noun: 'rank',
      hasThreads: false,
      functions,
      groups,
      leftOut: 0,
    },
  };
}

/** The same on so many ranks, with a stencil's traffic where their number is a cube. */
export function onRanks(profile: TestProfile, count: number, isTimed = false): TestProfile {
  const side = Math.round(Math.cbrt(count));
  const ranks = Array.from({ length: count }, (_, rank) => ({ rank, host: `node${rank >> 6}` }));
  if (side ** 3 !== count) return withHeader(profile, { ranks });
  const entries = stencilTraffic(side, 8192, 10).map((entry) =>
    isTimed ? { ...entry, seconds: 1e-6 * (entry.from + 1) } : entry,
  );
  const traffic = communicationMatrix(count, entries);
  const { size, ranksPerRow, from } = traffic;
  const communication = { size, ranksPerRow, ranks: count, entries: from.length, isTimed };
  return { ...withHeader(profile, { ranks, communication }), traffic };
}

/** A function's value is spread over the ranks so that its mean stays, the last rank has half more, and a function has an order of its own. */
function rankRowsOf(
  { header, region, exclusive, inclusive }: TestProfile,
  asked: HotSpotsRequests['rankRows']['parameters'],
): Float64Array {
  const count = header.ranks?.length ?? 1;
  const column = (asked.extent === 'exclusive' ? exclusive : inclusive)[asked.metric] ?? new Float64Array();
  const rows = new Float64Array(asked.regions.length * count);
  asked.regions.forEach((own, row) => {
    const total = column.reduce((sum, value, path) => sum + (region[path] === own ? value : 0), 0);
    for (let rank = 0; rank < count; rank++)
      rows[row * count + rank] =
        (total / count) * (0.5 + (own % 2 === 0 ? rank : count - 1 - rank) / Math.max(1, count - 1));
  });
  return rows;
}

/** Computation grows with the rank, waiting takes the rest of a second. */
function rankTimesOf({ header }: TestProfile): HotSpotsRequests['rankTimes']['result'] {
  const count = header.ranks?.length ?? 1;
  const computing = Float64Array.from({ length: count }, (_, rank) => 0.5 + (0.4 * rank) / count);
  return {
    computing,
    waiting: computing.map((seconds) => 0.95 - seconds),
    moving: computing.map(() => 0.05),
    other: computing.map(() => 0),
    hidesMpi: false,
  };
}
