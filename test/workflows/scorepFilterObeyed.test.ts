import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FilterEntry } from '../../src/formats/scorep-filter/lists/write';
import { writeExclusions, writeFilter } from '../../src/formats/scorep-filter/lists/write';

/** What Kymo writes, tried on the compiler with Score-P's plug-in, where one is installed (`scorep-config` on PATH). */
const config = spawnSync('scorep-config', ['--cxxflags'], { encoding: 'utf8' });
const installed = config.status === 0 && config.stdout.includes('-fplugin=');
if (!installed) process.stderr.write('skipped: no Score-P with gcc plug-in on PATH\n');

const data = path.resolve(import.meta.dirname, '../data/scorep');
const sources = path.join(data, 'filter-truth/src');
const { functions } = JSON.parse(readFileSync(path.join(data, 'filter-verdicts.json'), 'utf8')) as {
  functions: (FilterEntry & { mangledName: string })[];
};
const work = mkdtempSync(path.join(tmpdir(), 'kymo filter '));
afterAll(() => rmSync(work, { recursive: true }));

/** Names of the functions that the compiler instruments. */
function instrumented(filter: string): readonly string[] {
  const file = path.join(work, 'tried.filter');
  writeFileSync(file, filter);
  const plugin = '-fplugin-arg-scorep_instrument_function';
  return [
    ['g++', 'shapes.cc'],
    ['gcc', 'plain.c'],
    ['gcc', 'sub/sub.c'],
    ['gfortran', 'part.f90', '-J', work],
  ].flatMap(([compiler = '', unit = '', ...more]) => {
    const words = [...config.stdout.trim().split(/\s+/), `${plugin}-verbosity=3`, `${plugin}-filter=${file}`];
    const { status, stderr } = spawnSync(
      compiler,
      [...words, ...more, '-w', '-c', path.join(sources, unit), '-o', path.join(work, 'unit.o')],
      { encoding: 'utf8' },
    );
    expect(status, stderr).toBe(0);
    return [...stderr.matchAll(/Instrumenting function: '(.*)'$/gm)].map(([, name = '']) => name);
  });
}

/** As our call graph names it: by a constructor's complete object. */
const asWeKnowIt = (f: (typeof functions)[number]): FilterEntry => ({
  ...f,
  mangledName: f.mangledName.replace('BoxC2E', 'BoxC1E').replace('BoxD2E', 'BoxD1E'),
  reason: "because: # it's \\ hot",
});

describe.skipIf(!installed)('a real Score-P obeys what is written', () => {
  it.each([1, 2, 3])('every function that is selected and no other (%i of 3)', (turn) => {
    const selected = functions.filter((_, at) => (at * 7 + turn) % 3 === 0);
    const others = functions.filter((f) => !selected.includes(f));
    const wanted = selected.map(({ name }) => name).sort();
    expect([...instrumented(writeFilter(selected.map(asWeKnowIt), 'a\nb', ['step']))].sort()).toEqual(wanted);
    const blacklist = writeExclusions(others.map(asWeKnowIt), selected.map(asWeKnowIt));
    expect([...instrumented(blacklist)].sort()).toEqual(wanted);
  });
});
