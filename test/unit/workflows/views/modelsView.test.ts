import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  modelCurve,
  modelDetail,
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
});
