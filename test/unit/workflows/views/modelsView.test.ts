import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTarget } from '../../measurement/config/configText';
import {
  modelCurve,
  modelDetail,
  modelPlane,
  modelPredictions,
  modelRegion,
  modelRows,
  openModels,
  saveModels,
  type ModelsQuestion,
} from '../../../../src/workflows/views/modelsView';

const context = { progress: { report: () => undefined, log: () => undefined } };
let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kymo models '));
  file = path.join(folder, 'scaling.txt');
  write((p) => 5 + p);
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(solve: (p: number) => number): void {
  const sizes = [2, 4, 8, 16, 32];
  const region = (name: string, growth: (p: number) => number): readonly string[] => [
    ...[`REGION ${name}`, 'METRIC time'],
    ...sizes.map((p) => `DATA ${growth(p)} ${growth(p)}`),
  ];
  const lines = ['PARAMETER p', `POINTS ${sizes.join(' ')}`];
  writeFileSync(
    file,
    [...lines, ...region('main->init', () => 2), ...region('main->solve', solve), ''].join('\n'),
  );
}

const question = (revision: number): ModelsQuestion => ({ request: { paths: [file] }, revision });

describe('models for a viewer', () => {
  it('are given piece by piece, ranked at ten times the largest value', async () => {
    const { header, title } = await openModels(question(1), context);
    expect(title).toBe('scaling.txt');
    expect(header).toMatchObject({ parameters: ['p'], point: [320], values: [[2, 4, 8, 16, 32]] });
    const name = { question: question(1), id: header.id };
    const rows = await modelRows({ ...name, first: 0, count: 10 }, context);
    expect(rows.map(({ callPath }) => callPath)).toEqual(['main->solve', 'main->init']);
    const { values } = await modelPredictions({ ...name, first: 0, count: 2, point: [1000] }, context);
    expect(values[0]).toBeCloseTo(1005, 6);
    expect(values[1]).toBeCloseTo(2, 6);
    expect((await modelDetail({ ...name, row: 0, point: [1000] }, context)).points).toBe(5);
    expect((await modelCurve({ ...name, row: 0, point: [64], parameter: 0 }, context)).at.at(-1)).toBe(64);
    expect(await modelRegion({ ...name, row: 0 }, context)).toBe('solve');
    await expect(modelRegion({ ...name, row: 7 }, context)).rejects.toMatchObject({
      reason: 'no-such-model',
    });
    await expect(modelDetail({ ...name, row: 0, point: [1, 2] }, context)).rejects.toMatchObject({
      reason: 'usage',
    });
  });

  it('are read again when that is asked for, and have another name then', async () => {
    const { header } = await openModels(question(2), context);
    write((p) => 5 + p * p);
    expect((await openModels(question(2), context)).header.id).toBe(header.id);
    const again = await openModels(question(3), context);
    expect(again.header.id).not.toBe(header.id);
    const stale = { question: question(3), id: header.id, first: 0, count: 1 };
    await expect(modelRows(stale, context)).rejects.toMatchObject({ reason: 'models-changed' });
  });

  it('are saved with the predictions and shares of the chosen point', async () => {
    const { header } = await openModels(question(4), context);
    const name = { question: question(4), id: header.id };
    const json = path.join(folder, 'out.json');
    await saveModels({ ...name, format: 'json', point: [1], file: json }, context);
    const { models } = JSON.parse(readFileSync(json, 'utf8')) as {
      models: { callPath: string; share: number; predictions: { point: number[]; value: number }[] }[];
    };
    expect(models[0]?.callPath).toBe('main->solve');
    expect(models[0]?.predictions[0]?.point).toEqual([1]);
    expect(models[0]?.predictions[0]?.value).toBeCloseTo(6, 6);
    expect(models.map(({ share }) => share.toFixed(3))).toEqual(['0.750', '0.250']);
    const python = path.join(folder, 'out.py');
    await saveModels({ ...name, format: 'python', point: [1], file: python }, context);
    expect(readFileSync(python, 'utf8')).toContain('lambda p:');
  });

  it('are shown by function, too, and over two parameters', async () => {
    const { header } = await openModels(question(5), context);
    expect(header.functions.metrics[0]?.count).toBe(2);
    const functions = { question: question(5), id: header.functions.id };
    const rows = await modelRows({ ...functions, first: 0, count: 10 }, context);
    expect(rows.map(({ callPath }) => callPath)).toEqual(['solve', 'init']);
    const plane = {
      ...functions,
      row: 0,
      point: [1],
      parameters: [0, 0],
      logarithmic: [true, true],
    } as const;
    await expect(modelPlane(plane, context)).rejects.toMatchObject({ reason: 'no-such-model' });
  });

  it('are compared with those of other measurements, which have another name then', async () => {
    const { header } = await openModels(question(6), context);
    const before = path.join(folder, 'before.txt');
    copyFileSync(file, before);
    write((p) => 5 + 2 * p * p);
    const both = { ...question(7), compared: [before] };
    const opened = await openModels(both, context);
    expect(opened.header.id).not.toBe(header.id);
    expect(opened.header.compared).toMatchObject({ title: 'before.txt', onlyHere: { count: 0 } });
    const piece = { question: both, id: opened.header.id, first: 0, count: 1, point: [100] };
    const { values, compared } = await modelPredictions(piece, context);
    expect(values[0]).toBeCloseTo(20_005, 3);
    expect(compared?.[0]).toBeCloseTo(10_005, 3);
    const model = {
      question: both,
      id: opened.header.id,
      row: 0,
      point: [64],
      parameter: 0,
      isCompared: true,
    };
    expect((await modelCurve(model, context)).values.at(-1)).toBeCloseTo(5 + 64 ** 2, 3);
    expect((await modelDetail(model, context)).formulas.text).toMatch(/p\^\(2\)/);
  });

  it('of a study say what kymo.json expects of them, or why that is not known', async () => {
    const study = path.join(folder, '.kymo', 'app');
    mkdirSync(study, { recursive: true });
    const measured = path.join(study, 'scaling.txt');
    copyFileSync(file, measured);
    const asked = (revision: number): ModelsQuestion => ({ request: { paths: [measured] }, revision });
    const config = (growths: object) =>
      writeFileSync(path.join(folder, 'kymo.json'), withTarget({ name: 'app', expect: growths }));
    const rowsOf = async (revision: number) => {
      const { header } = await openModels(asked(revision), context);
      const all = { question: asked(revision), id: header.id, first: 0, count: 2 };
      return { notes: header.notes, rows: await modelRows(all, context) };
    };
    expect((await rowsOf(1)).rows[0]).not.toHaveProperty('expected');
    config({ solve: 'O(p)', absent: '1' });
    const expected = await rowsOf(2);
    expect(expected.rows[0]?.expected).toMatchObject({ isWorse: true });
    expect(expected.rows[0]?.expected?.message).toMatch(/grows with p², and O\(p\) is expected/);
    expect(expected.notes).toEqual([expect.stringContaining('absent')]);
    config({ solve: 'O(nonsense)' });
    const wrong = await rowsOf(3);
    expect(wrong.notes).toEqual([expect.stringMatching(/without the expectations of kymo\.json.*nonsense/)]);
    expect(wrong.rows).toHaveLength(2);
    writeFileSync(path.join(folder, 'kymo.json'), '{');
    expect((await rowsOf(4)).notes).toEqual([
      expect.stringMatching(/without the expectations of kymo\.json/),
    ]);
    config({ solve: 'O(p)' });
    const extrap = { request: { paths: [measured], extrap: { single: 'default' } }, revision: 5 } as const;
    expect((await openModels(extrap, context)).header.notes).toEqual([]);
  });
});
