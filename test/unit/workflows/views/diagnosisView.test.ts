import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { usualHypotheses } from '../../../../src/core/diagnosis/hypotheses/usual';
import { writeSearch } from '../../../../src/formats/kymo-search/searchFile';
import { diagnosisInSource } from '../../../../src/workflows/views/diagnosisInSource';
import {
  diagnosisLayout,
  diagnosisNodes,
  diagnosisPlace,
  openDiagnosis,
  saveDiagnosis,
} from '../../../../src/workflows/views/diagnosisView';
import { live } from '../../../webview/diagnosis/searches';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-diagnosis-'));
afterAll(() => rmSync(folder, { recursive: true }));
const profile = path.join(folder, 'lulesh-mpi.cubex');
cpSync(path.resolve('test/fixtures/cube4/lulesh-mpi.cubex'), profile);

const question = (file: string, thresholds: Readonly<Record<string, number>> = {}) => ({
  path: file,
  thresholds,
  revision: 0,
});

describe('a search for the panel', () => {
  it('P10: a saved search is shown as it was, cannot be repeated, and is saved as it was read', async () => {
    const saved = path.join(folder, 'saved.kymo-search.json');
    const record = live();
    writeFileSync(saved, writeSearch(record));
    const asked = question(saved);
    const { header, title } = await openDiagnosis(asked, {});
    expect([title, header.count, header.usualThresholds, header.state]).toEqual([
      'saved.kymo-search.json',
      record.nodes.length,
      undefined,
      'searching',
    ]);
    const name = { question: asked, id: header.id };
    expect(await diagnosisNodes({ ...name, first: 3, count: 2 }, {})).toEqual(record.nodes.slice(3, 5));
    const copy = path.join(folder, 'copy.kymo-search.json');
    await saveDiagnosis({ ...name, file: copy }, {});
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(saved, 'utf8'));
    expect(await diagnosisPlace({ ...name, node: 7 }, {})).toEqual({ name: 'sweep' });
    await expect(diagnosisPlace({ ...name, node: 0 }, {})).rejects.toMatchObject({ reason: 'no-function' });
    await expect(
      diagnosisNodes({ question: asked, id: 'other', first: 0, count: 1 }, {}),
    ).rejects.toMatchObject({
      reason: 'diagnosis-changed',
    });
  });

  it('a hostile search is refused with its place', async () => {
    const forged = path.join(folder, 'forged.kymo-search.json');
    writeFileSync(forged, writeSearch(live()).replace('"id": 3', '"id": 33'));
    await expect(openDiagnosis(question(forged), {})).rejects.toMatchObject({ reason: 'search-invalid' });
  });

  it('U4: a profile is searched with other thresholds, and the usual ones are known', async () => {
    const usual = await openDiagnosis(question(profile), {});
    expect(usual.header.count).toBeGreaterThan(0);
    expect(usual.header.usualThresholds).toEqual(
      Object.fromEntries(usualHypotheses.map(({ id, threshold }) => [id, threshold])),
    );
    const strict = await openDiagnosis(question(profile, { CPUBound: 1 }), {});
    expect(strict.header.id).not.toBe(usual.header.id);
    expect(strict.header.hypotheses.find(({ id }) => id === 'CPUBound')?.threshold).toBe(1);
    const all = { first: 0, count: strict.header.count };
    const nodes = await diagnosisNodes(
      { question: question(profile, { CPUBound: 1 }), id: strict.header.id, ...all },
      {},
    );
    expect(nodes.filter(({ hypothesis, truth }) => hypothesis === 'CPUBound' && truth === 'true')).toEqual(
      [],
    );
    await expect(openDiagnosis(question(profile, { CPUBuond: 1 }), {})).rejects.toMatchObject({
      reason: 'unknown-hypothesis',
    });
  });

  it('U2: what is found stands in the source with the same thresholds as in the panel', async () => {
    const sources = { sourcePaths: [], folders: [] };
    const found = await diagnosisInSource({ path: profile, thresholds: {}, sources }, {});
    expect(found.studyDirectory).toBeUndefined();
    expect(found.properties.length).toBeGreaterThan(0);
    const none = Object.fromEntries(
      usualHypotheses.map(({ id, holds }) => [id, holds === 'above' ? 1e12 : 0]),
    );
    expect((await diagnosisInSource({ path: profile, thresholds: none, sources }, {})).properties).toEqual(
      [],
    );
  });

  it('boxes are laid out to the right', async () => {
    const { centres, ways } = await diagnosisLayout({ count: 3, edges: Uint32Array.of(0, 1, 0, 2) });
    const [first = 0, , second = 0, , third = 0] = centres;
    expect([second > first, second === third, ways.length]).toEqual([true, true, 2]);
    expect(centres).toHaveLength(6);
  });
});
