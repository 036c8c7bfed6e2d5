import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashLines } from '../../../../src/core/lines/lineHashes';
import { filterRequests } from '../../../../src/engine/requests/filters';
import type { Context } from '../../../../src/engine/requests/request';
import { studyRequests } from '../../../../src/engine/requests/studies';
import { writeSources } from '../../../../src/workflows/studies/sources';
import { iterationOf, studyFileOf } from '../../workflows/studyFiles';

const workspace = mkdtempSync(path.join(tmpdir(), 'kymo-signals-'));
const studyDirectory = path.join(workspace, '.kymo/t/refine-1');
const source = path.join(workspace, 'main.c');
const filter = path.join(workspace, 'a.filter');
const filterText = 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nINCLUDE main\nSCOREP_REGION_NAMES_END\n';
const goneFiles = 40;

beforeAll(async () => {
  const decisions = [{ key: 'main', selected: true, reason: { rule: 'entry' } }];
  for (const round of [0, 1]) write(`i${round}/selection.json`, { kymoSelection: 1, id: 'x', decisions });
  const functions = [{ key: 'main', name: 'main', selected: true, reason: '', hasSite: true }];
  write('functions.json', { kymoFunctions: 1, functions });
  write('properties.json', { properties: [] });
  write(
    'study.json',
    studyFileOf({ study: 'refine-1', iterations: [0, 1].map((index) => iterationOf(index)) }),
  );
  writeFileSync(filter, filterText);
  const gone = Array.from({ length: goneFiles }, (_, number) => path.join(workspace, `gone${number}.c`));
  for (const file of [source, ...gone]) writeFileSync(file, 'int main(void)\n{\nreturn 0;\n}\n');
  await writeSources(studyDirectory, [source, ...gone]);
  for (const file of gone) rmSync(file);
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

function write(name: string, value: unknown): void {
  const file = path.join(studyDirectory, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

function contextOf(signal: AbortSignal): Context {
  return { signal, progress: { report: () => undefined, log: () => undefined } };
}

async function all(parts: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const list: unknown[] = [];
  for await (const part of parts) list.push(part);
  return list;
}

const here = { sourcePaths: [], folders: [] };
const functionsOf = { studyDirectory };
const current = hashLines('int main(void)\n');
const exported = path.join(workspace, 'exported.filter');

type Asked = (context: Context) => Promise<unknown>;

const ofStudies: Partial<Record<keyof typeof studyRequests, Asked>> = {
  studies: (context) => studyRequests.studies.answer({ workspace }, context),
  parameterStudies: (context) => studyRequests.parameterStudies.answer({ workspace }, context),
  damagedStudies: (context) => studyRequests.damagedStudies.answer({ workspace }, context),
  functions: (context) => all(studyRequests.functions.answer({ studyDirectory, sources: here }, context)),
  lineMap: (context) =>
    studyRequests.lineMap.answer({ studyDirectory, file: source, current, sourcePaths: [] }, context),
  fileLineMap: (context) =>
    studyRequests.fileLineMap.answer(
      { studyDirectory, file: source, path: source, sourcePaths: [] },
      context,
    ),
  measuredAs: (context) => studyRequests.measuredAs.answer({ studyDirectory, path: source }, context),
  properties: (context) => studyRequests.properties.answer({ studyDirectory, sources: here }, context),
  exportFilter: (context) =>
    studyRequests.exportFilter.answer({ studyDirectory, iteration: 0, file: exported }, context),
  filterText: (context) => studyRequests.filterText.answer({ studyDirectory, iteration: 0 }, context),
  difference: (context) => studyRequests.difference.answer({ studyDirectory, from: 0, to: 1 }, context),
  lastChanges: (context) => studyRequests.lastChanges.answer({ studyDirectory }, context),
  history: (context) => studyRequests.history.answer({ studyDirectory, key: 'main' }, context),
  setPin: (context) =>
    studyRequests.setPin.answer({ workspace, studyDirectory, keys: ['main'], state: 'in' }, context),
  pinByFilter: (context) =>
    studyRequests.pinByFilter.answer(
      { workspace, studyDirectory, name: 'a.filter', text: filterText },
      context,
    ),
};

const ofFilters: Record<keyof typeof filterRequests, Asked> = {
  inspectFilter: (context) =>
    filterRequests.inspectFilter.answer({ text: filterText, source: functionsOf }, context),
  filterMatches: (context) =>
    filterRequests.filterMatches.answer(
      { text: filterText, source: functionsOf, most: 5, rules: [1] },
      context,
    ),
  filterWord: (context) =>
    filterRequests.filterWord.answer(
      { text: filterText, source: functionsOf, most: 5, offset: filterText.indexOf('main') },
      context,
    ),
  filterCompletions: (context) =>
    filterRequests.filterCompletions.answer(
      { text: filterText, source: functionsOf, offset: filterText.indexOf('main') + 2 },
      context,
    ),
  formatFilter: (context) => filterRequests.formatFilter.answer({ text: filterText }, context),
  filterDecisions: (context) =>
    filterRequests.filterDecisions.answer(
      { filter: { file: filter }, asked: { keys: ['main'] }, source: functionsOf },
      context,
    ),
};

/** Requests that read or write one small file, and requests that must not stop half-way. */
const short: readonly (keyof typeof studyRequests)[] = [
  'lineTexts',
  'deleteStudy',
  'removeLock',
  'exportProperties',
  'accept',
  'pins',
  'undoPin',
];
describe.each(Object.entries({ ...ofStudies, ...ofFilters }))('%s', (_, ask) => {
  test('answers, and ends when its signal aborts', async () => {
    const cancelled = new Error('nobody waits any more');
    await expect(ask(contextOf(AbortSignal.abort(cancelled)))).rejects.toBe(cancelled);
    await ask(contextOf(new AbortController().signal));
  });
});

test('exportProfile ends when its signal aborts, before it looks for the profile', async () => {
  const cancelled = new Error('nobody waits any more');
  const asked = { studyDirectory, iteration: 0, file: path.join(workspace, 'a.csv') };
  const context = contextOf(AbortSignal.abort(cancelled));
  await expect(studyRequests.exportProfile.answer(asked, context)).rejects.toBe(cancelled);
});

test('every request about studies listens to its signal, or is short', () => {
  const names = [...Object.keys(ofStudies), 'exportProfile', ...short];
  expect(names.sort()).toEqual(Object.keys(studyRequests).sort());
});

test('the search for the former name of a file ends in the midst of its files', async () => {
  const cancelled = new Error('nobody waits any more');
  const abort = new AbortController();
  const search = studyRequests.measuredAs.answer({ studyDirectory, path: source }, contextOf(abort.signal));
  search.catch(() => undefined);
  // One file takes at least one turn of the event loop, so that most files are still to be read.
  for (let turn = 0; turn < goneFiles / 4; turn++) await setImmediate();
  abort.abort(cancelled);
  await expect(search).rejects.toBe(cancelled);
});

test('a cancelled question about a filter does not end another one that waits for the same functions', async () => {
  const abort = new AbortController();
  write('functions.json', {
    kymoFunctions: 1,
    functions: ['main', 'step'].map((key) => ({ key, name: key, selected: true, reason: '', hasSite: true })),
  });
  const question = { text: filterText, source: functionsOf };
  const first = filterRequests.inspectFilter.answer(question, contextOf(abort.signal));
  first.catch(() => undefined);
  const second = filterRequests.inspectFilter.answer(question, contextOf(new AbortController().signal));
  abort.abort();
  await expect(first).rejects.toThrow();
  expect((await second).total).toBe(2);
});
