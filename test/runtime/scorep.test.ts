import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { calibrateScorep } from '../../src/measurement/backends/scorep/calibration/calibrateScorep';
import { findScorep } from '../../src/measurement/backends/scorep/installation/findScorep';
import { linkedParadigms } from '../../src/measurement/backends/scorep/build/linkedParadigms';
import { settingsProblems } from '../../src/measurement/backends/scorep/build/settingsProblems';
import { parseConfig } from '../../src/measurement/config/parseConfig';

const scratch = mkdtempSync(path.join(tmpdir(), 'kymo scorep '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const at = (name: string): string => path.join(scratch, name);

const here = await findScorep();
if (here === undefined) process.stderr.write('skipped: no scorep in PATH\n');

function program(file: string, text: string): string {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

describe('a Score-P', () => {
  it('is reported as missing when none is installed', async () => {
    expect(await findScorep({ environment: { PATH: scratch } })).toBeUndefined();
    expect(await findScorep({ instrumenter: at('nowhere/scorep') })).toBeUndefined();
  });

  it('that does not start is reported with its own output', async () => {
    const broken = program(
      at('broken'),
      '#!/bin/sh\necho "scorep: error while loading shared libraries: libcube4.so.7" >&2\nexit 127\n',
    );
    await expect(findScorep({ instrumenter: broken })).rejects.toMatchObject({
      reason: 'scorep-broken',
      message: expect.stringMatching(/status 127 and printed “.*libcube4\.so\.7”.*modules/) as string,
    });
    const other = program(at('other'), '#!/bin/sh\necho "a tool of someone else"\n');
    await expect(findScorep({ instrumenter: other })).rejects.toThrow(
      /does not print the version of a Score-P/,
    );
  });

  it('without plug-in or scorep-config has problems', async () => {
    mkdirSync(at('old/bin'), { recursive: true });
    const recorded = path.resolve(import.meta.dirname, '../data/scorep');
    const summary = readFileSync(path.join(recorded, 'config-summary.txt'), 'utf8');
    writeFileSync(at('old/summary'), summary.replace('instrumentation: yes', 'instrumentation: no'));
    const old = program(at('old/bin/scorep'), '#!/bin/sh\necho "Score-P 7.1"\n');
    program(at('old/bin/scorep-info'), `#!/bin/sh\ncat "$(dirname "$0")/../summary"\n`);
    const found = await findScorep({ instrumenter: old });
    expect(found).toMatchObject({ path: old, version: '7.1' });
    expect(found?.problems.join('\n')).toMatch(/no scorep-config[\s\S]*gcc-NN-plugin-dev/);
  });

  it.skipIf(here === undefined)(
    'that is installed reports its version and options, and is calibrated',
    async () => {
      if (here === undefined) return;
      expect(here.version).toMatch(/^\d+\.\d+/);
      expect(here.options.names).toContain('--instrument-filter');
      expect(here.features.known).toBe(true);
      expect(path.isAbsolute(here.tools.config ?? '')).toBe(true);
      const calibrate = (measurement: Readonly<Record<string, string>>) =>
        calibrateScorep({
          scorep: here,
          environment: process.env,
          measurement,
          cache: at('cache'),
          signal: new AbortController().signal,
        });
      const first = await calibrate({});
      expect(first.assumed).toBeUndefined();
      expect(first.recorded.pairSeconds).toBeGreaterThan(5e-9);
      expect(first.recorded.insideSeconds + first.recorded.outsideSeconds).toBeCloseTo(
        first.recorded.pairSeconds,
        12,
      );
      expect(first.filteredSeconds).toBeLessThan(first.recorded.pairSeconds);
      // Costs that a busy machine has made unsteady are measured again.
      if (first.unsteady === undefined) expect(await calibrate({})).toEqual(first);
    },
  );

  it('that cannot build is calibrated by a rule of thumb, with the reason', async () => {
    const scorep = { path: program(at('none'), '#!/bin/sh\nexit 3\n'), version: '8.4', tools: {} };
    const signal = new AbortController().signal;
    const result = await calibrateScorep({
      scorep,
      environment: process.env,
      measurement: {},
      cache: at('c2'),
      signal,
    });
    expect(result.assumed).toMatch(/none did not succeed/);
    expect(result.recorded.pairSeconds).toBe(70e-9);
  });

  it.skipIf(here === undefined)('does not fit all settings', () => {
    if (here === undefined) return;
    const text = JSON.stringify({
      version: 1,
      targets: [
        {
          name: 'a',
          build: { command: 'make' },
          executable: 'a',
          backend: 'scorep',
          scorep: { flags: ['--nomemroy'], environment: { SCOREP_METRIC_PAPI: 'PAPI_TOT_CYC' } },
        },
      ],
    });
    const [target] = parseConfig(text, at('kymo.json')).config.targets;
    if (target === undefined) throw new Error('the target is missing');
    const problems = settingsProblems(target, { ...here, features: { ...here.features, papi: false } });
    expect(problems.join('\n')).toMatch(/add "clean"[\s\S]*"--nomemory"[\s\S]*SCOREP_METRIC_PAPI \(PAPI\)/);
  });
});

describe('the parallel runtimes that a program uses', () => {
  const compile = (name: string, text: string, ...options: readonly string[]): string | undefined => {
    writeFileSync(at(`${name}.cc`), text);
    try {
      execFileSync('c++', ['-O1', at(`${name}.cc`), '-o', at(name), ...options], { stdio: 'ignore' });
      return at(name);
    } catch {
      process.stderr.write(`skipped: ${name}.cc cannot be compiled here\n`);
      return undefined;
    }
  };
  const none = { mpi: false, openmp: false, pthread: false, throws: false };
  const programs: readonly (readonly [string, string, readonly string[], object])[] = [
    ['plain', 'int main() { return 0; }', [], {}],
    [
      'threads',
      '#include <thread>\nint main() { std::thread t([] {}); t.join(); }',
      ['-pthread'],
      { pthread: true },
    ],
    [
      'throws',
      'int main(int c, char **) { try { if (c > 1) throw c; } catch (int) {} }',
      [],
      { throws: true },
    ],
    [
      'openmp',
      'int main() { int s = 0;\n#pragma omp parallel\n{\n#pragma omp atomic\n s++;\n}\n return s < 0; }',
      ['-fopenmp'],
      { openmp: true },
    ],
  ];
  it.each(programs)('%s', async (name, text, options, expected) => {
    const file = compile(name, text, ...options);
    if (file === undefined) return;
    expect(await linkedParadigms([file])).toEqual({ ...none, ...expected });
  });

  it('are none when there is no program', async () => {
    expect(await linkedParadigms([at('nowhere'), at('plain.cc')])).toEqual(none);
  });
});
