// The search in a run that is under way, as its files are: what the panel of diagnoses asks for.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import { usualHypotheses } from '../../../../src/core/diagnosis/hypotheses/usual';
import type { SearchRecord } from '../../../../src/core/diagnosis/search/searchRecord';
import type { LiveRun } from '../../../../src/core/views/liveRun';
import { writeSearch } from '../../../../src/formats/kymo-search/searchFile';
import {
  readDiagnosisWish,
  usualWish,
  writeDiagnosisWish,
} from '../../../../src/workflows/diagnosing/live/diagnosisWish';
import { writeLive } from '../../../../src/workflows/studies/liveFile';
import { diagnosisInSource } from '../../../../src/workflows/views/diagnosisInSource';
import {
  diagnosisNodes,
  followDiagnosis,
  openDiagnosis,
  type OpenedDiagnosis,
} from '../../../../src/workflows/views/diagnosisView';
import { diagnoseRun, steerDiagnosis } from '../../../../src/workflows/views/searchUnderWay';
import { live } from '../../../webview/diagnosis/searches';

const place = mkdtempSync(path.join(tmpdir(), 'kymo-under-way-'));
afterAll(() => rmSync(place, { recursive: true }));
let runs = 0;

const running: LiveRun = {
  kymoLive: 1,
  target: 'slow',
  study: 'measure-1',
  startedAt: '2026-01-01T00:00:00Z',
  seconds: 1,
  pid: process.pid,
  host: hostname(),
  state: 'running',
  processes: [],
  cpuSeconds: 0,
  recordingSeconds: 0,
  profileSeconds: 0,
};

/** A run that is under way. */
async function begun(more: Partial<LiveRun> = {}): Promise<{ folder: string; file: string }> {
  const folder = path.join(place, `run${runs++}`);
  mkdirSync(folder);
  await writeLive(folder, { ...running, ...more });
  return { folder, file: path.join(folder, 'search.json') };
}

const usual: SearchRecord = { ...live(), hypotheses: usualHypotheses };
const write = (file: string, record: SearchRecord): void => writeFileSync(file, writeSearch(record));
const end = (folder: string): void => rmSync(path.join(folder, 'live.json'));
const question = (file: string) => ({ path: file, thresholds: {}, revision: 0 });
const signal = new AbortController().signal;

describe('a run that is under way', () => {
  it('is searched once somebody wants it; a search that has begun stays as it is', async () => {
    const { folder, file } = await begun();
    expect(await diagnoseRun({ folder, how: { strategy: 'centralised' } })).toEqual({ path: file });
    expect(await readDiagnosisWish(folder)).toEqual({ ...usualWish, strategy: 'centralised' });
    await diagnoseRun({ folder, how: { strategy: 'truly distributed' } });
    expect((await readDiagnosisWish(folder))?.strategy).toBe('centralised');
  });

  it('is searched after all if it was stopped before the search began, and not if that was later', async () => {
    const { folder, file } = await begun();
    await writeDiagnosisWish(folder, { ...usualWish, state: 'stop' });
    await diagnoseRun({ folder, how: {} });
    expect((await readDiagnosisWish(folder))?.state).toBe('search');
    await writeDiagnosisWish(folder, { ...usualWish, state: 'stop' });
    write(file, usual);
    await diagnoseRun({ folder, how: {} });
    expect((await readDiagnosisWish(folder))?.state).toBe('stop');
  });

  it('that is over, or known as sums only, is not searched, and it is said why', async () => {
    const { folder } = await begun();
    end(folder);
    await expect(diagnoseRun({ folder, how: {} })).rejects.toMatchObject({ reason: 'no-run' });
    const reduced = await begun({ clusters: [] });
    await expect(diagnoseRun({ folder: reduced.folder, how: {} })).rejects.toThrow(/known as sums only/);
    expect(await readDiagnosisWish(reduced.folder)).toBeUndefined();
  });
});

describe('the search in a run for the panel', () => {
  it('is waited for until it has begun', async () => {
    const { file } = await begun();
    const said: string[] = [];
    const opened = openDiagnosis(question(file), {
      progress: {
        report: ({ message }) => {
          said.push(message);
          write(file, usual);
        },
        log: () => undefined,
      },
    });
    expect((await opened).header.count).toBe(usual.nodes.length);
    expect(said[0]).toMatch(/^The search begins in a few seconds/);
  });

  it('that never begins, and one that is damaged, are errors that say so', async () => {
    const { folder, file } = await begun();
    end(folder);
    await expect(openDiagnosis(question(file), {})).rejects.toThrow(/ended before the search began/);
    writeFileSync(file, '{"kymoSearch":');
    await expect(openDiagnosis(question(file), {})).rejects.toMatchObject({ reason: 'search-invalid' });
  });

  it('has the thresholds that are wanted and the usual ones, until the run ends', async () => {
    const { folder, file } = await begun();
    write(file, usual);
    await writeDiagnosisWish(folder, { ...usualWish, thresholds: { CPUBound: 0.7 }, state: 'pause' });
    const { header } = await openDiagnosis(question(file), {});
    const cpu = header.hypotheses.find(({ id }) => id === 'CPUBound');
    expect([header.wanted, cpu?.threshold, header.usualThresholds?.CPUBound]).toEqual(['pause', 0.7, 0.3]);
    end(folder);
    const after = await openDiagnosis({ ...question(file), revision: 1 }, {});
    expect([after.header.wanted, after.header.usualThresholds]).toEqual([undefined, undefined]);
  });

  it('is steered: thresholds that are usual again become so; not once the run is over', async () => {
    const { folder, file } = await begun();
    await writeDiagnosisWish(folder, { ...usualWish, thresholds: { CPUBound: 0.7, LateSender: 0.1 } });
    await steerDiagnosis({ path: file, thresholds: { LateSender: 0.2 } });
    expect(await readDiagnosisWish(folder)).toEqual({
      ...usualWish,
      thresholds: { CPUBound: 0.3, LateSender: 0.2 },
    });
    await steerDiagnosis({ path: file, state: 'pause' });
    expect(await readDiagnosisWish(folder)).toMatchObject({
      state: 'pause',
      thresholds: { LateSender: 0.2 },
    });
    end(folder);
    await expect(steerDiagnosis({ path: file, state: 'stop' })).rejects.toMatchObject({ reason: 'no-run' });
  });

  it('is followed until its last state; what has not changed since a state is not sent again', async () => {
    const { folder, file } = await begun();
    await writeDiagnosisWish(folder, usualWish);
    const changed = usual.nodes.map((node) => (node.id === 5 ? { ...node, value: 0.99 } : node));
    write(file, { ...usual, nodes: usual.nodes.slice(0, 20) });
    const states: OpenedDiagnosis[] = [];
    for await (const state of followDiagnosis(question(file), { signal })) {
      states.push(state);
      if (states.length > 1) continue;
      write(file, { ...usual, nodes: changed, state: 'ended' });
      end(folder);
    }
    const [first, last] = [at(states, 0), at(states, states.length - 1)];
    expect([first, last].map(({ header: { count, wanted } }) => [count, wanted])).toEqual([
      [20, 'search'],
      [usual.nodes.length, undefined],
    ]);
    expect(last.header.state).toBe('ended');
    expect(first.found).not.toBe(last.found);
    const ask = { question: question(file), id: last.header.id, first: 0, count: 1000 };
    const since = first.header.id;
    expect((await diagnosisNodes({ ...ask, since }, {})).map(({ id }) => id)).toEqual([5, 20]);
    expect(await diagnosisNodes({ ...ask, since: 'unknown' }, {})).toEqual(changed);
    // A page that is slow still asks for the state before.
    expect(await diagnosisNodes({ ...ask, id: since }, {})).toEqual(usual.nodes.slice(0, 20));
  });

  it('has its findings in the source', async () => {
    const { file } = await begun();
    write(file, usual);
    const { properties } = await diagnosisInSource({
      path: file,
      thresholds: {},
      sources: { sourcePaths: [], folders: [] },
    });
    expect(properties.map(({ id }) => id)).toContain('diagnosis:CPUBound');
  });
});
