import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCube } from '../../src/formats/cube4/read';
import type { ProgressSink } from '../../src/core/progress';
import { measure, type MeasureResult } from '../../src/workflows/measure';
import { refine } from '../../src/workflows/refine';
import type { RefineResult } from '../../src/workflows/studies/refine.types';

/**
 * With a Score-P in PATH it is the real one that builds and measures. Elsewhere (CI has none) a stand-in takes its place: it answers with what a
 * real Score-P 8.4 said (test/data/scorep), compiles as it is told without instrumenting anything, and a run leaves the profile that the
 * real one measured of the same program. What the real one alone can show is skipped there.
 */
const recorded = path.resolve('test/data/scorep');
const real = spawnSync('scorep', ['--version']).status === 0;
const base = mkdtempSync(path.join(tmpdir(), 'kymo scorep größe '));
const standIn = path.join(base, 'bin');
const searchPath = process.env.PATH ?? '';

const replay = `#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
__attribute__((destructor)) static void leave(void) {
  const char *folder = getenv("SCOREP_EXPERIMENT_DIRECTORY");
  char line[8192], name[4096];
  if (!folder || mkdir(folder, 0777) != 0) return;
  snprintf(name, sizeof name, "%s/scorep.cfg", folder);
  FILE *file = fopen(name, "w");
  fprintf(file, "SCOREP_FILTERING_FILE='%s'\\n", getenv("SCOREP_FILTERING_FILE") ? getenv("SCOREP_FILTERING_FILE") : "");
  fclose(file);
  snprintf(line, sizeof line, "cp '${path.join(recorded, 'nbody.cubex')}' '%s/profile.cubex'", folder);
  if (system(line) != 0) abort();
}
`;

function makeStandIn(): void {
  mkdirSync(standIn, { recursive: true });
  writeFileSync(path.join(standIn, 'replay.c'), replay);
  spawnSync('gcc', ['-c', 'replay.c', '-o', 'replay.o'], { cwd: standIn });
  const program = (name: string, text: string): void => {
    writeFileSync(path.join(standIn, name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(standIn, name), 0o755);
  };
  program(
    'scorep',
    `case $1 in
  --version) exec cat '${recorded}/version.txt' ;;
  --help) exec cat '${recorded}/scorep-help.txt' ;;
esac
echo "$*" >>'${base}/commands'
while case $1 in -*) ;; *) false ;; esac; do shift; done
case " $* " in *' -c '*) exec "$@" ;; esac
exec "$@" '${standIn}/replay.o'`,
  );
  program('scorep-info', `exec cat '${recorded}/config-summary.txt'`);
  program('scorep-config', 'echo /opt/scorep');
}

function workspace(
  name: string,
  change: (target: Record<string, unknown>) => void = () => undefined,
): string {
  const folder = path.join(base, name);
  cpSync('examples/nbody', folder, {
    recursive: true,
    filter: (file) => !/(\.kymo|\.o|\/nbody)$/.test(file) || file === 'examples/nbody',
  });
  const target: Record<string, unknown> = {
    name: 'nbody',
    build: { command: 'make -j2 CXX=${cxx}', clean: 'make clean' },
    executable: './nbody',
    run: { arguments: ['--bodies', '400', '--steps', '20', '--follow', '5000'] },
    repetitions: 1,
    refinement: { maximumIterations: 2 },
    backend: 'scorep',
  };
  change(target);
  writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
  return folder;
}

const refined = (folder: string): Promise<RefineResult> =>
  refine({ workspace: folder, signal: new AbortController().signal });

beforeAll(() => {
  if (!real) {
    makeStandIn();
    process.env.PATH = `${standIn}:${searchPath}`;
    console.log('skipped in part: no scorep in PATH; a stand-in replays what a real one said and measured');
  }
});
afterAll(() => {
  process.env.PATH = searchPath;
  rmSync(base, { recursive: true, force: true });
});

describe('a refinement by Score-P', () => {
  let folder = '';
  let result: RefineResult;
  beforeAll(async () => {
    folder = workspace('n body');
    result = await refined(folder);
  }, 300_000);

  it('builds plainly, then with a filter, and says so', () => {
    expect(result.backend).toBe('scorep');
    expect(result.builds).toBeGreaterThanOrEqual(2);
    expect(result.functionsKnown).toBeGreaterThan(20);
  });

  it('excludes everything and includes by mangled name, each with its reason', () => {
    const filter = readFileSync(path.join(result.directory, 'i0/scorep.compile.filter'), 'utf8');
    const words = filter
      .replace(/#.*/g, '')
      .split(/\s+/)
      .filter((word) => word !== '');
    expect(words.slice(0, 3)).toEqual(['SCOREP_REGION_NAMES_BEGIN', 'EXCLUDE', '*']);
    expect(words.at(-1)).toBe('SCOREP_REGION_NAMES_END');
    const rules = filter.split('\n').filter((line) => line.includes('INCLUDE'));
    expect(rules.length).toBeGreaterThan(6);
    // Constructors have several names.
    for (const rule of rules) expect(rule).toMatch(/^ +INCLUDE MANGLED (main|_Z\w+)( _Z\w+)*$/);
    const reasons = filter.split('\n').filter((line) => /^ +# \S/.test(line));
    expect(reasons.length).toBeGreaterThan(6);
    expect(reasons.join('\n')).toMatch(/# pull.*: \S/);
  });

  it('finds the hot spots, and keeps profile, configuration and version with the experiment', () => {
    expect(
      result.hotFunctions
        .filter(({ visits }) => visits > 0)
        .map(({ name }) => name)
        .join(),
    ).toMatch(/pull|forces/);
    const experiment = path.join(result.directory, 'i0/measured.r1');
    const facts = JSON.parse(readFileSync(path.join(experiment, 'experiment.json'), 'utf8')) as {
      readonly scorep?: { readonly version: string };
    };
    expect(facts.scorep?.version).toMatch(/^\d+\.\d+/);
    const file = path.join(experiment, 'profile.cubex');
    expect(readCube(readFileSync(file), file).regions.length).toBeGreaterThan(5);
    expect(existsSync(path.join(experiment, 'scorep'))).toBe(false);
    expect(existsSync(path.join(result.directory, 'i0/baseline.r1/experiment.json'))).toBe(true);
  });

  it('leaves a filter for the batch system', () => {
    expect(readFileSync(result.filter, 'utf8')).toMatch(/EXCLUDE \*[\s\S]*INCLUDE MANGLED/);
  });
});

describe('what the user names', () => {
  const compiled = (directory: string): string =>
    readFileSync(path.join(directory, 'i0/scorep.compile.filter'), 'utf8');
  let folder = '';
  let log: readonly string[] = [];
  beforeAll(() => {
    folder = workspace('named', (target) => {
      target.build = { command: '${cxx} -O2 -g named.cc -o nbody', clean: 'rm -f nbody' };
      target.run = {};
      target.phase = 'stpe';
    });
    writeFileSync(path.join(folder, 'named.cc'), named);
  });
  const measured = (...rules: readonly string[]): Promise<MeasureResult> => {
    const filter = path.join(folder, 'my.filter');
    const text = ['SCOREP_REGION_NAMES_BEGIN', 'EXCLUDE *', ...rules, 'SCOREP_REGION_NAMES_END', ''];
    writeFileSync(filter, text.join('\n'));
    const lines: string[] = [];
    log = lines;
    const progress: ProgressSink = {
      report: ({ message }) => void lines.push(message),
      log: (line) => void lines.push(line),
    };
    return measure({ workspace: folder, filter, signal: new AbortController().signal, progress });
  };

  it('is compiled in, however small; what cannot be recorded and what is mistyped is said before that build', async () => {
    const { directory, notes, instrumented, profile } = await measured(
      'INCLUDE *get*',
      'INCLUDE *<lambda*',
      'INCLUDE nohting*',
    );
    expect(instrumented).toBe(1);
    expect(compiled(directory)).toContain('INCLUDE MANGLED _ZNK3Box3getEv');
    expect(notes.join('\n')).toMatch(/main::<lambda:8> was made by the compiler/);
    expect(notes.join('\n')).toMatch(/my.filter:5: “nohting\*” matches no function/);
    expect(notes.join('\n')).toMatch(/no function “stpe” \(did you mean step\?\)/);
    const built = log.findIndex((line) => line.startsWith('Building nbody with Score-P'));
    expect(built).toBeGreaterThan(0);
    const said = log.slice(0, built).join('\n');
    for (const words of ['made by the compiler', 'matches no function', 'no function “stpe”'])
      expect(said).toContain(words);
    if (real) {
      const { regions } = readCube(readFileSync(profile), profile);
      expect(regions.map(({ mangledName }) => mangledName)).toContain('_ZNK3Box3getEv');
    }
  }, 120_000);

  it('and nothing of it can be recorded: nothing is built for it', async () => {
    await expect(measured('INCLUDE MANGLED _ZNK3Box3gteEv')).rejects.toMatchObject({
      reason: 'unknown-function',
      message: expect.stringContaining('did you mean _ZNK3Box3getEv?') as unknown,
    });
    expect(log.join('\n')).not.toContain('with Score-P');
  }, 120_000);

  it('is pinned in or the phase: it is recorded by a refinement, too', async () => {
    mkdirSync(path.join(folder, '.kymo'), { recursive: true });
    const pins = [{ key: '_ZNK3Box3getEv', name: 'Box::get', state: 'in' }];
    writeFileSync(path.join(folder, '.kymo/pins.json'), JSON.stringify({ kymoPins: 1, pins }));
    const file = path.join(folder, 'kymo.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('stpe', 'step'));
    const { directory, notes } = await refined(folder);
    expect(compiled(directory)).toMatch(/MANGLED _ZNK3Box3getEv[\s\S]*MANGLED _Z4stepRK3Boxi/);
    expect(notes.join('\n')).not.toContain('get');
  }, 120_000);
});

const named = `struct Box {
  double side = 1.5;
  double get() const { return side; }
};
__attribute__((noinline)) double step(const Box &box, int n) { return box.get() * n; }
int main() {
  Box box;
  const auto scaled = [&](int n) { return step(box, n) * box.get(); };
  double sum = 0;
  for (int i = 0; i < 1000; i++) sum += scaled(i);
  return sum > 0 ? 0 : 1;
}
`;

describe('Score-P and what is wrong', () => {
  it('is missing: says so, and what to do', async () => {
    const folder = workspace('missing', (target) => (target.scorep = { instrumenter: 'scorep-none' }));
    await expect(refined(folder)).rejects.toMatchObject({
      reason: 'scorep-missing',
      message: expect.stringMatching(/scorep-none.*module load/) as unknown,
    });
  });

  it('needs a clean command, because it builds more than once', async () => {
    const folder = workspace('unclean', (target) => (target.build = { command: 'make CXX=${cxx}' }));
    await expect(refined(folder)).rejects.toMatchObject({
      reason: 'config-invalid',
      message: expect.stringContaining('"clean"') as unknown,
    });
  });

  it.runIf(real)(
    'loses its place where an exception leaves a function: that is left out, and the rest is right',
    async () => {
      const folder = workspace('exceptions', (target) => {
        target.build = { command: '${cxx} -O2 -g thrown.cc -o thrown', clean: 'rm -f thrown' };
        target.executable = './thrown';
        target.run = {};
      });
      writeFileSync(path.join(folder, 'thrown.cc'), thrown);
      const { notes, hotFunctions } = await refined(folder);
      expect(notes.join(' ')).toMatch(/exception.*leaves.*risky/);
      expect(hotFunctions.find(({ name }) => name === 'safe')).toMatchObject({
        visits: 3000,
        selected: true,
      });
      expect(hotFunctions.find(({ name }) => name === 'risky')).toBeUndefined();
    },
    120_000,
  );

  it.runIf(real).each(['compile-time', 'run-time'] as const)(
    'filters at %s',
    async (filtering) => {
      const folder = workspace(filtering, (target) => (target.scorep = { filtering }));
      const { iterations, builds } = await refined(folder);
      expect(iterations[0]?.executed).toBeGreaterThan(5);
      if (filtering === 'run-time') expect(builds).toBe(2);
    },
    300_000,
  );
});

const thrown = `#include <stdexcept>
double risky(int n) { double s = 0; for (int i = 0; i < n; i++) s += i * 0.5; if (n % 3 == 0) throw std::runtime_error("x"); return s; }
double middle(int n) { double s = 0; for (int i = 0; i < 3; i++) s += risky(n + i * 3); return s; }
double safe(int n) { double s = 0; for (int i = 0; i < n * 20000; i++) s += i * 0.5; return s; }
int main() {
  double t = 0;
  for (int i = 0; i < 3000; i++) { try { t += middle(i % 100); } catch (const std::exception &) { t += 1; } t += safe(i % 10); }
  return t > 0 ? 0 : 1;
}
`;
