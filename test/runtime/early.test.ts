import { rmSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { Workbench, type Build } from './harness';

const bench = new Workbench();
const names = new Map(['leaf', 'early', 'late', 'main'].map((name, index) => [index + 1, name]));
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

describe.each<Build>(
  (['gcc', 'clang-19'] as const).flatMap((compiler) =>
    (['entry', 'sled'] as const).map((kind) => ({ compiler, kind, flags: ['-O2'] })),
  ),
)('$compiler $kind', (build) => {
  it.each([[[]], [['-static']]])('records constructors and destructors of priority 101: %j', (flags) => {
    const file = bench.compile({ ...build, flags: [...build.flags, ...flags] }, 'early.c');
    bench.expectSame(file, build.kind, names, []);
  });
});
