import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUnits } from '../../src/measurement/build/readUnits';
import { buildTarget, type BuildOptions } from '../../src/measurement/build/buildTarget';
import { WrapperTrial } from './wrappersTool';

let trial: WrapperTrial;
beforeAll(() => {
  trial = new WrapperTrial();
});
afterAll(() => trial.close());

function build(command: string, extra: Partial<BuildOptions> = {}, lines: string[] = []) {
  return buildTarget({
    command,
    cwd: trial.folder,
    kind: 'measuring',
    tool: trial.tool,
    store: trial.store,
    environment: { XDG_CACHE_HOME: path.join(trial.base, 'cache'), KYMO_NODE: process.execPath },
    progress: { report: () => undefined, log: (line) => lines.push(line) },
    ...extra,
  });
}

const solver = `struct Base { virtual ~Base() {} virtual double step(double) = 0; };
struct Fast : Base { double step(double x) override { double s = x; for (int i = 0; i < 10; i++) s += i; return s; } };
double run(Base &b) { return b.step(1) + b.step(2); }
int main() { Fast f; return run(f) > 0 ? 0 : 1; }
`;
const table =
  'int twice(int n) { return 2 * n; }\nint (*op)(int) = twice;\nint call(int n) { return op(n); }\n';

const sweep = 'subroutine sweep(n)\n  integer :: n\n  n = n + 1\nend subroutine\n';

describe('a build that collects', () => {
  it('leaves what the plain compilers make, bit by bit, and the call graph beside it', async () => {
    trial.write('solver.cc', solver);
    trial.write('table.c', table);
    trial.write('sweep.f90', sweep);
    const command =
      '${cxx} -O2 -g -c solver.cc -o $KIND.cc.o && ${cc} -O2 -g -c table.c -o $KIND.c.o && ${fc} -O2 -c sweep.f90 -o $KIND.f90.o';
    const environment = (kind: string) => ({
      XDG_CACHE_HOME: path.join(trial.base, 'cache'),
      KYMO_NODE: process.execPath,
      KIND: kind,
    });
    await build(command, { kind: 'vanilla', environment: environment('plain') });
    const { units } = await build(command, { kind: 'collecting', environment: environment('collected') });
    for (const language of ['cc', 'c', 'f90'])
      expect(readFileSync(trial.file(`collected.${language}.o`))).toEqual(
        readFileSync(trial.file(`plain.${language}.o`)),
      );
    expect(units.map(({ source, sites }) => [path.basename(source), sites])).toEqual([
      ['solver.cc', 'text'],
      ['table.c', 'text'],
      ['sweep.f90', 'entries'],
    ]);
    const fragments = await readUnits(
      trial.store,
      units.map(({ hash }) => hash ?? ''),
    );
    const names = fragments.flatMap((unit) => unit.functions.map(({ qualifiedName }) => qualifiedName));
    expect(names.sort()).toEqual(['Base::~Base', 'Fast::step', 'call', 'main', 'run', 'twice']);
    const compiler = fragments.flatMap((unit) => unit.compiler?.functions ?? []);
    expect(compiler.find(({ mangledName }) => mangledName === '_Z3runR4Base')?.virtualCalls).toHaveLength(2);
  });

  it('compiles and links in one command, and writes the dependencies that were asked for', async () => {
    trial.write('solver.cc', solver);
    const { units } = await build('${cxx} -O1 -MD -MF deps.d solver.cc -o prog && ./prog', {
      kind: 'collecting',
    });
    expect(units).toHaveLength(1);
    expect(readFileSync(trial.file('deps.d'), 'utf8')).toContain('solver.cc');
    expect(trial.sleds('prog')).toBe(0);
  });

  it('fails as the compiler does, with its messages once', async () => {
    trial.write('bad.c', 'int f(void) { return nothing; }\n');
    const lines: string[] = [];
    await expect(build('${cc} -c bad.c', { kind: 'collecting' }, lines)).rejects.toMatchObject({
      reason: 'build-failed',
    });
    expect(lines.filter((line) => line.includes('error:'))).toHaveLength(1);
  });
});

describe('a build by an instrumenter', () => {
  it('puts the instrumenter and its options before each compile and link, blanks and all, and nothing else', async () => {
    trial.write('table.c', `${table}int main(void) { return call(0); }\n`);
    trial.write('sweep.f90', sweep);
    // Not a real instrumenter: tells what it was called with and does what it was told.
    const told = trial.write(
      'instrument er',
      '#!/bin/sh\nprintf "%s|" "$@" >>told; echo >>told\nwhile [ "${1#--}" != "$1" ]; do shift; done\nexec "$@"\n',
    );
    trial.run('chmod', ['+x', told]);
    await build(
      '${cc} -O2 -c table.c && ${fc} -c sweep.f90 && ${cc} table.o -o prog && ./prog && ${cc} --version && ${cc} -E table.c -o t.i',
      {
        kind: 'instrumenting',
        instrumenter: [told, '--user', '--instrument-filter=/a b/x.filter'],
        environment: { KYMO_CC: 'env gcc', KYMO_NODE: process.execPath },
      },
    );
    expect(readFileSync(trial.file('told'), 'utf8').trim().split('\n')).toEqual([
      '--user|--instrument-filter=/a b/x.filter|env|gcc|-O2|-c|table.c|',
      '--user|--instrument-filter=/a b/x.filter|gfortran|-c|sweep.f90|',
      '--user|--instrument-filter=/a b/x.filter|env|gcc|table.o|-o|prog|',
    ]);
  });

  it('leaves alone what the configure command tries out', async () => {
    trial.write('one.c', 'int main(void) { return 0; }\n');
    const told = trial.write('inst', '#!/bin/sh\necho called >>called\nexec "$@"\n');
    trial.run('chmod', ['+x', told]);
    const configure = '${cc} one.c -o tried && ./tried && touch configured';
    await build('test -e configured && ${cc} -c one.c', {
      kind: 'instrumenting',
      instrumenter: [told],
      configure,
    });
    expect(readFileSync(trial.file('called'), 'utf8')).toBe('called\n');
  });
});
