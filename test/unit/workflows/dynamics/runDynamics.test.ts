import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IterationsWriter } from '../../../../src/formats/kymo-iterations/write';
import type { Experiment } from '../../../../src/core/profile/experiment';
import { runDynamics } from '../../../../src/workflows/dynamics';
import { newestIterations } from '../../../../src/workflows/dynamics/newestExperiment';

let target = '';
beforeAll(() => {
  target = path.join(mkdtempSync(path.join(os.tmpdir(), 'kymo run dynamics ')), '.kymo', 'solver');
});
afterAll(() => rmSync(path.dirname(path.dirname(target)), { recursive: true }));

/** The file of a run whose step takes longer and longer. */
function iterationsFile(count: number): Buffer {
  const pieces: Buffer[] = [];
  const writer = new IterationsWriter((bytes) => pieces.push(Buffer.from(bytes)));
  for (let i = 0; i < count; i++)
    writer.add({
      count: 2,
      contexts: Uint32Array.of(0, 1),
      visits: Float64Array.of(1, 1),
      seconds: Float64Array.of(1 + i / count, 0.9 + i / count),
      childEvents: Float64Array.of(1, 0),
    });
  const header = writer.finish({
    phase: 'step',
    notes: [],
    regions: [
      { name: 'step', kind: 'phase' },
      { name: 'solve', kind: 'function', file: '/solver/solve.c', line: 7 },
    ],
    locations: [{ rank: 0, thread: 0 }],
    contexts: [
      { region: 0, location: 0 },
      { region: 1, parent: 0, location: 0 },
    ],
  });
  const bytes = Buffer.concat(pieces);
  bytes.set(header);
  return bytes;
}

function experiment(study: string, name: string, given: Partial<Experiment>, iterations?: number): string {
  const folder = path.join(target, study, `i${given.iteration ?? 0}`, name);
  mkdirSync(folder, { recursive: true });
  const whole: Experiment = {
    kymoExperiment: 1,
    target: 'solver',
    study,
    iteration: 0,
    repetition: 1,
    variant: 'measured',
    parameters: { n: '10' },
    ranks: 1,
    command: ['./solver'],
    host: 'node7',
    compiler: 'gcc 12.2.0',
    buildId: 'abc',
    git: { commit: 'a'.repeat(40), dirty: false },
    startedAt: '2026-11-21T12:00:00.000Z',
    wallSeconds: 1,
    exitStatus: 0,
    instrumented: 2,
    ...given,
  };
  writeFileSync(path.join(folder, 'experiment.json'), JSON.stringify(whole));
  if (iterations !== undefined)
    writeFileSync(path.join(folder, 'iterations.kymo'), iterationsFile(iterations));
  return folder;
}

describe('runDynamics', () => {
  it('takes the newest experiment with iterations, all repetitions of it, the one in the middle first', async () => {
    experiment('2026-01-01', 'a.n10.r1', { wallSeconds: 1 }, 100);
    const old = path.join(target, '2026-01-01');
    const study = path.join(target, '2026-02-02');
    experiment('2026-02-02', 'a.n10.r1', { wallSeconds: 1 }, 64);
    experiment('2026-02-02', 'a.n10.r1', { iteration: 1, wallSeconds: 9 }, 64);
    const middle = experiment('2026-02-02', 'a.n10.r2', { iteration: 1, repetition: 2, wallSeconds: 5 }, 64);
    experiment('2026-02-02', 'a.n10.r3', { iteration: 1, repetition: 3, wallSeconds: 2 }, 64);
    experiment('2026-02-02', 'a.n10.r4', { iteration: 2, variant: 'baseline' });
    experiment('2026-03-03', 'a.n10.r1', {});
    expect(await newestIterations(target)).toBe(middle);
    expect(await newestIterations(study)).toBe(middle);
    expect(await newestIterations(middle)).toBe(middle);
    expect(await newestIterations(path.join(study, 'i0'))).toBe(path.join(study, 'i0', 'a.n10.r1'));
    expect(await newestIterations(old)).toBe(path.join(old, 'i0', 'a.n10.r1'));
    expect(await newestIterations(path.join(target, '2026-03-03'))).toBeUndefined();
    expect(await newestIterations(path.join(target, 'nowhere'))).toBeUndefined();

    const { result, log } = await runDynamics({ inputs: [target] }, { workspace: target });
    const inputs = [middle, ...['r1', 'r3'].map((name) => path.join(study, 'i1', `a.n10.${name}`))];
    expect(log.inputs.map(({ file }) => file)).toEqual(
      inputs.map((folder) => path.join(folder, 'iterations.kymo')),
    );
    expect(result.notes.join()).toContain('3 repetitions together');
    expect(result.properties[0]?.origin?.run).toBe('i1');
    expect(result).toMatchObject({ iterations: 64, phase: 'step', noDynamics: false });
  });

  it('notes the program’s version and the machine that it ran on, not where it is analysed', async () => {
    const folder = experiment('2026-04-04', 'a.n10.r1', {}, 40);
    const { log } = await runDynamics({ inputs: [folder] }, { workspace: target });
    expect(log).toMatchObject({
      source: { commit: 'a'.repeat(40), dirty: false },
      environment: { host: 'node7', compiler: 'gcc 12.2.0', command: './solver', ranks: '1', n: '10' },
    });
  });

  it('a phase that never ran is no run of nothing', async () => {
    const folder = experiment('2026-05-05', 'a.n10.r1', {}, 0);
    await expect(runDynamics({ inputs: [folder] }, { workspace: target })).rejects.toMatchObject({
      reason: 'no-iterations',
      message: expect.stringMatching(/“step” never ran.*Mark a phase/) as string,
    });
  });

  it('refuses a phase that the measurement does not have, and names the one that it has', async () => {
    const folder = experiment('2026-05-06', 'a.n10.r1', {}, 40);
    const of = (phase: string) => runDynamics({ inputs: [folder], phase }, { workspace: target });
    await expect(of('nope')).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringMatching(/no iterations of a phase "nope"\. There is: step\.$/) as string,
    });
    await expect(of('stop')).rejects.toThrow('"stop"; did you mean "step"? There is: step.');
    expect((await of('step')).result.phase).toBe('step');
  });

  it('gives the reason why the phase that kymo.json names has no iterations', async () => {
    const workspace = path.dirname(path.dirname(target));
    const folder = experiment('2026-05-07', 'a.n10.r1', {});
    const study = path.join(target, '2026-05-07');
    const config = (phase: string): void =>
      writeFileSync(
        path.join(workspace, 'kymo.json'),
        JSON.stringify({
          version: 1,
          targets: [{ name: 'solver', build: { command: 'make' }, executable: './solver', phase }],
        }),
      );
    const row = { key: 'step', name: 'step', selected: false, hasSite: false, reason: 'out: inlined' };
    writeFileSync(path.join(study, 'functions.json'), JSON.stringify({ kymoFunctions: 1, functions: [row] }));
    const reason = async (input: string): Promise<string> =>
      runDynamics({ inputs: [input] }, { workspace }).then(
        () => '',
        (error: unknown) => String(error),
      );
    config('step');
    for (const input of [study, folder])
      expect(await reason(input)).toMatch(
        /has iterations\. There are no iterations of “step”: it was inlined/,
      );
    config('stop');
    expect(await reason(study)).toMatch(/“stop” is no function of the program.* Correct “phase”/);
    rmSync(path.join(workspace, 'kymo.json'));
    expect(await reason(study)).toContain('Mark a phase');
    rmSync(study, { recursive: true });
  });

  it('is cancelled between bursts and between series', async () => {
    const folder = experiment('2026-06-06', 'a.n10.r1', {}, 2100);
    for (const stopAt of ['read', 'analysed']) {
      const abort = new AbortController();
      const messages: string[] = [];
      const run = runDynamics(
        { inputs: [folder], options: { burst: 256 } },
        {
          workspace: target,
          signal: abort.signal,
          progress: {
            report: ({ message }) => {
              messages.push(message);
              if (message.startsWith(stopAt)) abort.abort();
            },
            log: () => undefined,
          },
        },
      );
      await expect(run, messages.join('\n')).rejects.toMatchObject({ name: 'AbortError' });
    }
  });
});
