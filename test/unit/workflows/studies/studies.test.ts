import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { studyDirectory } from '../../../../src/measurement/experiments/studies';
import { lockStudy } from '../../../../src/measurement/experiments/studyLock';
import { listDamagedStudies, listStudies } from '../../../../src/workflows/studies/studies';
import { functionRows } from '../../../../src/workflows/studies/functionsFile';
import { studyFileOf } from '../studyFiles';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo studies ü '));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function study(name: string, state: 'running' | 'complete'): void {
  const directory = studyDirectory(workspace, 'heat', name);
  mkdirSync(path.join(directory, 'i0'), { recursive: true });
  const startedAt = `2026-11-2${name.at(-1)}T10:00:00.000Z`;
  const file = studyFileOf({ target: 'heat', study: name, startedAt, state });
  writeFileSync(path.join(directory, 'study.json'), JSON.stringify(file));
}

async function states(): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await listStudies(workspace)).map(({ study: name, state }) => [name, state]));
}

describe('which study runs', () => {
  it('is the one that the lock names, not an older one that was interrupted', async () => {
    study('refine-1', 'running');
    study('refine-2', 'running');
    const lock = await lockStudy(path.dirname(studyDirectory(workspace, 'heat', 'x')));
    await lock.nameStudy('refine-2');
    expect(await states()).toEqual({ 'refine-1': 'interrupted', 'refine-2': 'running' });
    expect((await listStudies(workspace))[0]?.runBy).toMatchObject({ pid: process.pid, host: hostname() });
    await lock.release();
    expect(await states()).toEqual({ 'refine-1': 'interrupted', 'refine-2': 'interrupted' });
    expect((await listStudies(workspace))[0]?.runBy).toBeUndefined();
  });

  it('is none while a measurement or a build holds the lock', async () => {
    study('refine-1', 'running');
    const lock = await lockStudy(path.dirname(studyDirectory(workspace, 'heat', 'x')));
    expect(await states()).toEqual({ 'refine-1': 'interrupted' });
    await lock.release();
  });

  it('is none once it is complete, whoever holds the lock', async () => {
    study('refine-1', 'complete');
    const lock = await lockStudy(path.dirname(studyDirectory(workspace, 'heat', 'x')));
    await lock.nameStudy('refine-1');
    expect(await states()).toEqual({ 'refine-1': 'complete' });
    await lock.release();
  });
});

describe('a file that was written half, or by another program', () => {
  const iteration = {
    index: 0,
    instrumented: 3,
    executed: 2,
    visits: 7,
    medianSeconds: 1.1,
    baselineSeconds: 1,
  };

  it.each([
    ['of no object', [null]],
    ['without its numbers', [iteration]],
  ])('iterations %s make a study damaged, with the reason', async (_, iterations) => {
    study('refine-1', 'complete');
    const directory = studyDirectory(workspace, 'heat', 'refine-1');
    const file = path.join(directory, 'study.json');
    const text = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...text, iterations }));
    expect(await listStudies(workspace)).toEqual([]);
    const [damaged] = await listDamagedStudies(workspace);
    expect(damaged).toMatchObject({ target: 'heat', study: 'refine-1', directory });
    expect(damaged?.message).toContain(file);
  });

  it.each([
    ['half a text', '{"kymoFunctions": 1, "functio'],
    ['a row that is none', '{"kymoFunctions": 1, "functions": [null]}'],
    [
      'a row without a name',
      '{"kymoFunctions": 1, "functions": [{"key": "a", "reason": "", "selected": true}]}',
    ],
    [
      'a line that is no number',
      '{"kymoFunctions": 1, "functions": [{"key": "a", "name": "a", "reason": "", "selected": true, "hasSite": true, "line": "3"}]}',
    ],
  ])('functions.json with %s is an error that names the folder', async (_, text) => {
    study('refine-1', 'complete');
    const directory = studyDirectory(workspace, 'heat', 'refine-1');
    writeFileSync(path.join(directory, 'functions.json'), text);
    await expect(functionRows(directory)).rejects.toMatchObject({ reason: 'study-invalid' });
    await expect(functionRows(directory)).rejects.toThrow(directory);
  });
});
