import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../../../src/core/profile/profile';
import type { MemberRange } from '../../../../src/core/views/groupSummary';
import { communicationMatrix } from '../../../../src/core/communication/communicationMatrix';
import { writeCube } from '../../../../src/formats/cube4/write';
import { writeCommunication } from '../../../../src/formats/kymo-communication/communicationFile';
import { groupsText } from '../../../../src/cli/terminal/groupsText';
import type { Grouping } from '../../../../src/core/groups/comparison/compareGroups';
import { readCube } from '../../../../src/formats/cube4/read';
import { groupsOf, reportOf } from '../../../../src/workflows/groups';
import {
  profileGroupDetails,
  profileGroupFile,
  profileGroupGraph,
  profileGroupMatrix,
  profileGroups,
} from '../../../../src/workflows/views/groupsView';
import {
  openProfile,
  profileLocations,
  profileRegions,
  profileRows,
} from '../../../../src/workflows/views/profileView';
import { profileRankRows, profileRankTimes } from '../../../../src/workflows/views/rankView';
import { positionsIn } from '../../../../src/core/views/ranks/processRanges';
import { runOf, type Call } from '../../core/problems/runs';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-groups-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function opened(profile: Profile) {
  const file = path.join(folder, `${files++}.cubex`);
  writeFileSync(file, writeCube(profile));
  const { id } = (await openProfile({ file })).header;
  return { file, id };
}

const mpi = (name: string) => ({ name, paradigm: 'mpi', role: 'barrier' });
/** Ranks 1 and 2 call the same; rank 0 writes in addition. */
const three = (): Profile =>
  runOf(
    {
      region: { name: 'main' },
      seconds: [1, 1, 2],
      calls: [
        {
          region: { name: 'solve' },
          seconds: [8, 4, 6],
          calls: [{ region: mpi('MPI_Barrier'), seconds: [0.5, 3, 1] }],
        },
        { region: { name: 'write' }, seconds: [2, 0, 0] },
      ],
    },
    3,
  );
const short = (range: MemberRange | undefined) =>
  range === undefined ? undefined : [range.minimum, range.mean, range.maximum];

describe('the groups of processes of a profile', () => {
  it('E1, H3: of a Cube file have the exact times of their members, by function', async () => {
    const name = await opened(three());
    const { groups, functions, numbers, noun, hasThreads, leftOut } = await profileGroups({
      ...name,
      grouping: {},
    });
    const regions = await profileRegions({ ...name, first: 0, count: 10 });
    expect(functions.map((region) => regions[region]?.name)).toEqual([
      'solve',
      'MPI_Barrier',
      'main',
      'write',
    ]);
    expect(groups.map(({ text, count, members }) => [text, count, members])).toEqual([
      ['Ranks 1–2', 2, [1, 2]],
      ['Rank 0', 1, [0, 0]],
    ]);
    expect(groups.map(({ sentence }) => sentence)).toEqual([
      undefined,
      'Rank 0 does everything that ranks 1–2 do, and additionally calls write (2 s).',
    ]);
    expect(groups.map(({ sections }) => sections.map(short))).toEqual([
      [[4, 5, 6], [1, 2, 3], [1, 1.5, 2], undefined, undefined],
      [[8, 8, 8], [0.5, 0.5, 0.5], [1, 1, 1], [2, 2, 2], undefined],
    ]);
    expect(groups.map(({ whole }) => short(whole))).toEqual([
      [8, 8.5, 9],
      [11.5, 11.5, 11.5],
    ]);
    expect([[...numbers], noun, hasThreads, leftOut]).toEqual([[0, 1, 2], 'rank', false, 0]);
  });

  it('E2: do not mix threads and processes, and have no least time of 0 of what all members call', async () => {
    const threads = 10;
    const at = (of: (rank: number, thread: number) => number) =>
      Array.from({ length: 10 * threads }, (_, own) => of(Math.floor(own / threads), own % threads));
    const master = (seconds: (rank: number) => number) =>
      at((rank, thread) => (thread === 0 ? seconds(rank) : 0));
    const calls: Call[] = [
      { region: mpi('MPI_Recv'), seconds: master((rank) => 0.1 + rank) },
      { region: { name: 'tracing' }, seconds: master(() => 0.2) },
      // Its times vary more than those of MPI_Recv.
      {
        region: { name: 'loop', paradigm: 'openmp' },
        seconds: at((rank, thread) => 1 + ((rank * 7 + thread * 3) % 20)),
      },
    ];
    const name = await opened(runOf({ region: { name: 'main' }, seconds: at(() => 1), calls }, 10, threads));
    const { groups, functions, hasThreads } = await profileGroups({ ...name, grouping: {} });
    expect(groups.map(({ text, count }) => [text, count])).toEqual([
      ['Threads 1–9 of ranks 0–9', 90],
      ['Ranks 0–9', 10],
    ]);
    expect(hasThreads).toBe(true);
    const regions = await profileRegions({ ...name, first: 0, count: 10 });
    const called = groups.map(({ sections }) =>
      functions.flatMap((region, place) => (sections[place] === undefined ? [] : [regions[region]?.name])),
    );
    expect(called).toEqual([
      ['loop', 'main'],
      ['loop', 'main', 'MPI_Recv', 'tracing'],
    ]);
    for (const { sections } of groups)
      for (const range of sections) expect(range?.minimum ?? 1).toBeGreaterThan(0);
  });

  it('have all functions beyond ten in one, and each of one thread a group', async () => {
    const calls = Array.from({ length: 12 }, (_, own) => ({
      region: { name: `f${own}` },
      seconds: [12 - own, own % 2 === 0 ? 0 : 1],
    }));
    const name = await opened(runOf({ region: { name: 'main' }, seconds: [100, 100], calls }, 1, 2));
    const { groups, functions, noun, numbers } = await profileGroups({ ...name, grouping: {} });
    expect(functions).toHaveLength(10);
    expect(groups.map(({ text }) => text)).toEqual(['The main thread', 'Thread 1']);
    // main and the nine longest are sections; f9, f10, f11 have 3 + 2 + 1 s, and 1 + 0 + 1 s.
    expect(groups.map(({ sections }) => short(sections.at(-1)))).toEqual([
      [6, 6, 6],
      [2, 2, 2],
    ]);
    expect([noun, [...numbers]]).toEqual(['thread', [0, 1]]);
  });
});

describe('the groups of the panel and those of kymo groups', () => {
  const groupings: readonly Grouping[] = [
    {},
    { kind: 'functions' },
    { closure: true },
    { threshold: 0.7 },
    { kMeans: 'structure' },
    { kMeans: 2, kind: 'functions' },
    { coarser: 'combine' },
    { coarser: 'equality' },
  ];

  it.each(groupings)(
    'have the same heading, groups, numbers, sentences and lines by %j',
    async (grouping) => {
      const name = await opened(three());
      const { file } = name;
      const inputs = [{ run: 'run', measured: { profile: readCube(readFileSync(file), file) } }];
      const comparison = groupsOf(inputs, grouping);
      const report = reportOf(inputs, comparison, grouping);
      const text = groupsText(report, comparison, 'time');
      const question = { ...name, grouping };
      const { groups, heading, notes } = await profileGroups(question);
      expect(text).toContain(`${heading}:`);
      for (const note of notes) expect(text).toContain(note);
      expect(notes).toEqual(report.notes);
      for (const { group, members, similarity, sentence, count } of groups) {
        expect([...positionsIn(members)]).toEqual(report.groups[group]?.members);
        expect([count, similarity]).toEqual([
          report.groups[group]?.members.length,
          report.groups[group]?.similarity.least,
        ]);
        if (sentence !== undefined) expect(text).toContain(sentence);
      }
      const matrix = await profileGroupMatrix(question);
      expect([...matrix.similarity]).toEqual(report.similarity.flat());
      expect([...matrix.subsumption]).toEqual(report.subsumption.flat());
      expect(matrix.names).toHaveLength(report.similarity.length);
      for (const { groups: pair, sentence } of report.differences) {
        const [one, other] = pair;
        const details = await profileGroupDetails({ ...question, one: other, other: one, order: 'time' });
        expect(details.title).toBe(sentence);
        const [blocks] = details.lists;
        for (const line of blocks?.lines ?? []) expect(text).toContain(line);
      }
      const json = await profileGroupFile({ ...question, isWhole: false, format: 'json' });
      // Findings take the costs of recording from the experiment, which a profile that is read alone does not have.
      const written = JSON.parse('text' in json ? json.text : '') as typeof report;
      const own = { ...report, properties: [] };
      expect({ ...written, properties: [] }).toEqual(JSON.parse(JSON.stringify(own)));
    },
  );

  it('have the same picture of what groups have in common, of which a box has its processes', async () => {
    const question = { ...(await opened(three())), grouping: {}, isWhole: false };
    const graph = await profileGroupGraph(question);
    const svg = await profileGroupFile({ ...question, format: 'svg' });
    expect(
      'nodes' in graph && graph.nodes.map(({ processes, all, above }) => [processes, all, above]),
    ).toEqual([
      [[1, 2], [0, 2], []],
      [[0, 0], undefined, [0]],
    ]);
    const lines = 'nodes' in graph ? graph.nodes.flatMap((node) => node.lines) : [];
    for (const line of lines.filter(({ length }) => length <= 40))
      expect('text' in svg && svg.text).toContain(`>${line}</text>`);
    expect('edges' in graph && graph.edges.map(({ length }) => length >= 4)).toEqual([true]);
  });

  it('say why there is no picture, no matrix and no file', async () => {
    const question = {
      ...(await opened(three())),
      grouping: { coarser: 'equality' as const },
      isWhole: false,
    };
    const reason = 'Only equal processes are grouped: what groups have in common is not compared.';
    expect(await profileGroupGraph(question)).toEqual({ reason });
    for (const format of ['dot', 'svg'] as const)
      expect(await profileGroupFile({ ...question, format })).toEqual({ reason });
    expect(await profileGroupMatrix(question)).toMatchObject({ names: [], isOne: [] });
    await expect(profileGroupDetails({ ...question, one: 0, other: 2, order: 'time' })).rejects.toMatchObject(
      {
        reason: 'no-such-group',
      },
    );
    expect(await profileGroupDetails({ ...question, one: 0, other: 0, order: 'time' })).toEqual({
      title: 'Rank 0 is alone in its group.',
      lists: [],
    });
  });

  it('D7, B10: describe the times within a group', async () => {
    const question = { ...(await opened(three())), grouping: {} };
    const details = await profileGroupDetails({ ...question, one: 1, other: 1, order: 'time' });
    // solve 4 and 6, MPI_Barrier 3 and 1, main 1 and 2 s of ranks 1 and 2: the minima have 6 s, the maxima 11 s; rank 1 stands for itself.
    expect(details.title).toBe('Ranks 1–2 call the same, and spend their time 77.3 % alike on average.');
    expect(details.lists).toEqual([
      {
        title: 'Times that differ most, 2nd to 98th percentile',
        lines: [
          'main → solve: 4 s to 6 s exclusive, 10 s together',
          'solve → MPI_Barrier: 1 s to 3 s exclusive, 4 s together',
          'main: 1 s to 2 s exclusive, 3 s together',
        ],
      },
    ]);
  });

  it('are computed once for the same question, and stop when nobody waits', async () => {
    const question = { ...(await opened(three())), grouping: { threshold: 0.9 } };
    const abort = new AbortController();
    const asked = profileGroups({ ...question, grouping: { threshold: 0.8 } }, { signal: abort.signal });
    abort.abort();
    await expect(asked).rejects.toThrow();
    const [one, two] = await Promise.all([profileGroups(question), profileGroups(question)]);
    expect(one).toEqual(two);
  });
});

describe('the chosen processes of a profile', () => {
  it('F1: govern all numbers of a panel', async () => {
    const name = await opened(three());
    const processes = [1, 2];
    const chosen = { ...name, processes };
    const { header } = await openProfile(chosen);
    expect(header).toMatchObject({
      id: name.id,
      callPaths: 4,
      chosen: { processes, text: 'Ranks 1–2', of: 3 },
    });
    expect(header.locations.map(({ rank }) => rank)).toEqual([1, 2]);
    expect(header.ranks?.map(({ rank }) => rank)).toEqual([1, 2]);
    expect(header.base?.seconds).toBe(17);
    // Both wait for rank 0 still, which is no part of their load balance.
    expect(header.efficiency).toMatchObject({ processes: 2, runSeconds: 9 });
    expect(header.efficiency?.terms[1]).toMatchObject({ label: 'Load balance', run: 6.5 / 8 });
    const time = header.metrics.findIndex(({ name: metric }) => metric === 'time');
    const visits = header.metrics.findIndex(({ name: metric }) => metric === 'visits');
    const rows = await profileRows({ ...chosen, first: 0, count: 10 });
    expect([...(rows.inclusive[time] ?? [])]).toEqual([17, 14, 4, 0]);
    expect([...(rows.exclusive[time] ?? [])]).toEqual([3, 10, 4, 0]);
    expect([...(rows.exclusive[visits] ?? [])]).toEqual([2, 2, 2, 0]);
    const at = await profileLocations({ ...chosen, callPath: 1, metric: time });
    expect([[...at.inclusive], [...at.exclusive]]).toEqual([
      [7, 7],
      [4, 6],
    ]);
    const regions = await profileRegions({ ...chosen, first: 0, count: 4 });
    expect(regions.map(({ name: region, efficiency }) => [region, efficiency?.loadBalance])).toEqual([
      ['main', 6.5 / 8],
      ['solve', 5 / 6],
      ['MPI_Barrier', undefined],
      ['write', undefined],
    ]);
    const asked = { ...chosen, metric: time, extent: 'inclusive' as const, regions: [1, 3] };
    expect([...(await profileRankRows(asked))]).toEqual([7, 7, 0, 0]);
    const times = await profileRankTimes({ ...chosen, region: -1 });
    expect([[...times.computing], [...times.moving]]).toEqual([
      [5, 8],
      [3, 1],
    ]);
    // The groups stay those of all.
    expect((await profileGroups({ ...chosen, grouping: {} })).groups).toHaveLength(2);
    const one = (await openProfile({ ...name, processes: [0, 0] })).header;
    expect(one).not.toHaveProperty('efficiency');
    expect(one).not.toHaveProperty('ranks');
    expect((await openProfile({ ...name, processes: [0, 2] })).header).not.toHaveProperty('chosen');
    const all = await profileRows({ ...name, first: 0, count: 1 });
    expect(all.inclusive[time]?.[0]).toBe(28.5);
  });

  it('have no matrix of messages, which is that of all', async () => {
    const file = path.join(folder, 'profile.cubex');
    writeFileSync(file, writeCube(three()));
    const matrix = communicationMatrix(3, [{ from: 0, to: 1, messages: 3, bytes: 12 }]);
    writeFileSync(path.join(folder, 'communication.json'), writeCommunication(matrix));
    expect((await openProfile({ file })).header).toHaveProperty('communication');
    expect((await openProfile({ file, processes: [1, 2] })).header).not.toHaveProperty('communication');
  });

  it('are refused where the profile does not have them', async () => {
    const name = await opened(three());
    for (const processes of [[0, 3], [], [1], [2, 1], [NaN, 1]])
      await expect(openProfile({ ...name, processes })).rejects.toMatchObject({ reason: 'no-such-process' });
  });
});
