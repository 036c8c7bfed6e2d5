import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrossBench, missingTools } from './aarch64Bench';
import type { Build } from './harness';
const bench = new CrossBench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));
const sledNames = new Map<number, string>(
  ['destroyed', 'thrower', 'catcher', 'rethrower', 'level3', 'level2', 'level1', 'jumper', 'after_jump', 'jumping', 'sum', 'big', 'extended',
    'pair', 'wide', 'many', 'huge', 'even', 'odd', 'recursive', 'leaf', 'branch', 'leaving', 'waiting', 'handling', 'raising', 'yielding', 'fiber',
    'ending', 'forking'].map((name, index) => [index + 1, name]),
);
const deep = { KYMO_DEPTH_LIMIT: '100000' };
describe.each((['entry', 'sled'] as const).flatMap((kind) => ['-O0','-O2'].map((l): Build => ({compiler: 'gcc', kind, flags: [l]}))))('$compiler $kind $flags', (build) => {
  let file = '';
  beforeAll(() => { file = bench.compile(build, 'cases.cpp'); });
  it.each(['exceptions','backtrace','longjmp','conventions','tails','threads','signals','contexts'])('%s', (what) => {
    bench.expectSame(file, build.kind, sledNames, [what], deep);
  });
});
