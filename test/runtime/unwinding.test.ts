import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runtimeFolder } from './build';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-unwinding-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The distance of the frame's address from the stack pointer, at each instruction where it changes. */
function frames(compiler: string, source: string): readonly string[] {
  const object = path.join(folder, `${compiler}.o`);
  execFileSync(compiler, ['-I.', '-DKYMO_EXECUTABLE=1', '-c', source, '-o', object], { cwd: runtimeFolder });
  const text = execFileSync('readelf', ['--debug-dump=frames-interp', object], { encoding: 'utf8' });
  return text
    .split(/\n(?=[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ )/)
    .filter((entry) => entry.includes(' FDE '))
    .flatMap((entry) =>
      [...entry.matchAll(/^([0-9a-f]{16}) (\S+)/gm)].map(([, at, frame]) => `${at} ${frame}`),
    )
    .sort();
}

// LLVM's assembler before version 20 continues from a wrong offset after `.cfi_restore_state`.
describe('the CFA offset of each instruction', () => {
  it.each(['x86-64/sites.S', 'x86-64/sampled.S'])('is the same with both assemblers: %s', (source) => {
    const rows = frames('gcc', source);
    expect(rows.length).toBeGreaterThan(30);
    expect(frames('clang-19', source)).toEqual(rows);
  });
});
