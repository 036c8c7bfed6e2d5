import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FunctionRow } from '../../../../src/core/functions/functionRow';
import {
  functionRows,
  functionsHere,
  functionsFileName,
  writeFunctions,
} from '../../../../src/workflows/studies/functionsFile';

let workspace = '';
let study = '';
beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'kymo-functions-'));
  study = path.join(workspace, '.kymo', 't', 's');
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const hot: FunctionRow = {
  key: 'hot',
  name: 'hot',
  selected: true,
  hasSite: true,
  decision: { rule: 'hot-spot', clause: '31 % of the run time', details: ' (threshold 4 %); costs 1 %' },
};
const unknown: FunctionRow = {
  key: 'unknown',
  name: 'unknown',
  selected: false,
  hasSite: false,
  decision: { clause: 'not known when the selection was made', details: '' },
};

test('rows come back as they were written; scripts read the decision as one sentence', async () => {
  await writeFunctions(study, [hot, unknown]);
  expect(await functionRows(study)).toEqual([hot, unknown]);
  const { functions } = JSON.parse(await readFile(path.join(study, functionsFileName), 'utf8')) as {
    functions: readonly { readonly reason: string; readonly rule?: string }[];
  };
  expect(functions.map(({ rule, reason }) => [rule, reason])).toEqual([
    ['hot-spot', 'in: 31 % of the run time (threshold 4 %); costs 1 %'],
    [undefined, 'not known when the selection was made'],
  ]);
});

test('sources are named by their paths here: as the rules map them, where there is such a file', async () => {
  const here = path.join(workspace, 'here.c');
  await writeFile(here, '');
  const rows = ['/node/src/here.c', '/node/src/gone.c', here].map((file) => ({ ...hot, file, line: 3 }));
  await writeFunctions(study, rows);
  const sources = { sourcePaths: [{ from: '/node/src', to: workspace }], folders: [] };
  const files = (await functionsHere(study, sources)).map(({ file }) => file);
  expect(files).toEqual([here, '/node/src/gone.c', here]);
});

test('a row of an earlier version has its whole sentence as the clause', async () => {
  const functions = [
    {
      key: 'f',
      name: 'f',
      selected: false,
      hasSite: true,
      rule: 'too-small',
      reason: 'out: 3 statements; too few',
    },
  ];
  await writeFile(path.join(study, functionsFileName), JSON.stringify({ kymoFunctions: 1, functions }));
  const [read] = await functionRows(study);
  expect(read?.decision).toEqual({ rule: 'too-small', clause: '3 statements; too few', details: '' });
});

test('reading that was cancelled is no damaged study', async () => {
  const cancelled = AbortSignal.abort(new Error('cancelled'));
  await expect(functionRows(path.join(study, 'none'), { signal: cancelled })).rejects.toThrow('cancelled');
});
