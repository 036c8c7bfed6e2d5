import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programs, recorded, truth, Workbench, type Measured, type Outcome } from './harness';
import { everything, readSites, type SiteKind } from './selection';

const bench = new Workbench();
const names = new Map([
  [1, 'leaf'],
  [2, 'branch'],
]);
/** Flag of a result file: code could not be changed. */
const UNPATCHED = 64;
/** Flag of a result file: the program has forbidden itself system calls. */
const CONFINED = 128;
let refuse = '';
beforeAll(() => {
  refuse = bench.path('refuse');
  execFileSync('gcc', ['-O1', path.join(programs, 'refuse.c'), '-o', refuse]);
});
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

describe.each(['entry', 'sled'] as const)('a program that forbids itself system calls: %s', (kind) => {
  let file = '';
  beforeAll(() => {
    file = bench.compile({ compiler: 'gcc', kind, flags: ['-O2'] }, 'confined.c');
  });

  it.each(['strict', 'filter', 'call'])('%s: it behaves as without measurement and has a result', (how) => {
    const { results } = bench.expectSame(file, kind, names, [how]);
    expect(results.map(({ flags }) => flags)).toEqual([CONFINED]);
  });

  it('measuring continues when the kernel refuses that', () => {
    const { results } = bench.expectSame(file, kind, names, ['refused']);
    expect(results.map(({ flags }) => flags)).toEqual([0]);
  });
});

describe.each(['entry', 'sled'] as const)('code that may not be changed: %s', (kind: SiteKind) => {
  let file = '';
  let plain: Outcome;
  beforeAll(() => {
    file = bench.compile({ compiler: 'gcc', kind, flags: ['-O2'] }, 'plain.c');
    plain = bench.run(file, []);
  });

  /** Expects that the program behaves as without measurement and that no code is writable. Returns the runtime's messages. */
  function refused(words: readonly string[]): {
    readonly measured: Measured;
    readonly said: readonly string[];
  } {
    const measured = bench.measure(
      refuse,
      [everything(readSites(file), kind, names)],
      [...words, '--', file],
    );
    const { output, ...ending } = measured.outcome;
    const said = output.split('\n').filter((line) => line.startsWith('kymo: '));
    const own = output.split('\n').filter((line) => !line.startsWith('kymo: '));
    expect(own.join('\n')).toBe(plain.output);
    expect(own).toContain('writable code 0');
    expect(ending).toEqual({ status: plain.status, signal: null });
    return { measured, said };
  }
  const expectExact = ({ measured, said }: ReturnType<typeof refused>): void => {
    expect(said).toEqual([]);
    expect(recorded(measured, truth(plain.output))).toEqual(truth(plain.output));
  };
  const expectNothing = ({ measured, said }: ReturnType<typeof refused>): void => {
    // If all memory is refused from then on, the result cannot be written, either.
    const lines =
      /^(kymo: (nothing is measured|out of memory: measuring stopped).*)?(kymo: the result could not be written.*)?$/;
    expect(said.join('')).toMatch(lines);
    expect(said.length).toBeGreaterThan(0);
    expect(recorded(measured, truth(plain.output))).toEqual({});
  };

  it.each([['execmem'], ['execmod'], ['pwrite'], ['pwrite', 'execmod']])(
    'the runtime finds another way, and every visit is counted: %s %s',
    (...rules) => {
      expectExact(refused(['filter', ...rules]));
    },
  );

  it.each([
    ['execmem', 'pwrite'],
    ['pwrite', 'mremap'],
  ])('nothing is measured, and a message reports it: %s %s', (...rules) => {
    const result = refused(['filter', ...rules]);
    expectNothing(result);
    expect(result.said[0]).toMatch(/its code may not be changed here: Permission denied$/);
    expect(result.measured.results.map(({ flags }) => flags)).toEqual([UNPATCHED]);
  });

  it('each call that changes memory is refused in turn, alone or with all later ones', () => {
    let calls = 0;
    for (const last of [0, 999])
      for (let call = 1; ; call++) {
        const words = ['call', String(call), String(Math.max(call, last))];
        const measured = bench.measure(
          refuse,
          [everything(readSites(file), kind, names)],
          [...words, '--', file],
        );
        if (measured.outcome.status === 99) break;
        const result = refused(words);
        if (result.said.length === 0) expectExact(result);
        else expectNothing(result);
        calls++;
      }
    expect(calls).toBeGreaterThan(10);
  });
});
