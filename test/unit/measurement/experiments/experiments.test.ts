import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { requireFreeSpace, writeError, writeFileAtomically } from '../../../../src/measurement/files/disk';
import { headCommit } from '../../../../src/measurement/experiments/gitState';
import { environmentFacts } from '../../../../src/measurement/experiments/environmentFacts';
import type { Experiment } from '../../../../src/core/profile/experiment';
import {
  parseExperiment,
  readExperiment,
  writeExperiment,
} from '../../../../src/measurement/experiments/experimentFile';
import { experimentName } from '../../../../src/measurement/experiments/experimentName';
import {
  experimentDirectory,
  listExperiments,
  listStudyFolders,
  studyDirectory,
} from '../../../../src/measurement/experiments/studies';
import {
  lockStudy,
  removeForeignLock,
  studyLockHolder,
} from '../../../../src/measurement/experiments/studyLock';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo studies ü '));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const experiment: Experiment = {
  kymoExperiment: 1,
  target: 'heat',
  study: 's1',
  iteration: 0,
  repetition: 1,
  variant: 'measured',
  parameters: { cells: '1000' },
  ranks: 1,
  command: ['./heat', '1000'],
  host: 'node1',
  compiler: 'gcc 12.2.0',
  buildId: 'ab12',
  git: { commit: 'a'.repeat(40), dirty: false },
  startedAt: '2026-01-01T00:00:00.000Z',
  wallSeconds: 1.25,
  exitStatus: 0,
  instrumented: 7,
  calibration: {
    probe: { pairSeconds: 1e-8, spreadSeconds: 1e-10, insideSeconds: 4e-9, outsideSeconds: 6e-9 },
    entry: { pairSeconds: 2e-8, spreadSeconds: 1e-10, insideSeconds: 9e-9, outsideSeconds: 1.1e-8 },
  },
};

/** Reads a folder's name as Extra-P 4 does: parameters between the first "." and the first ".r", names and numbers in turn. */
function asExtraP(folder: string): Record<string, number> {
  const end = folder.indexOf('.r');
  const parts = folder.slice(folder.indexOf('.') + 1, end < 0 ? undefined : end).split(/([0-9.,]+)/);
  const values: Record<string, number> = {};
  for (let i = 0; i + 1 < parts.length; i += 2)
    values[parts[i]!] = Number(parts[i + 1]!.replace(',', '.').replace(/\.+$/, ''));
  return values;
}

describe('names of experiments', () => {
  it('are those of Extra-P', () => {
    expect(experimentName('measured', { x: '50', y: '8' }, 1)).toBe('measured.x50y8.r1');
    expect(experimentName('measured', { x: '0.5' }, 12)).toBe('measured.x0.5.r12');
    expect(experimentName('baseline', {}, 3)).toBe('baseline.r3');
  });
  it('are read by Extra-P as what they are, whatever the prefix', () => {
    const name = fc.stringMatching(/^[a-qs-zA-Z_][a-zA-Z_]{0,8}$/);
    const value = fc.oneof(
      fc.nat(1e6).map(String),
      fc.nat(1000).map((n) => (n / 8).toFixed(3)),
    );
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(name, value, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
        fc.integer({ min: 1, max: 99 }),
        (prefix, parameters, repetition) => {
          const plain = experimentName('measured', parameters, repetition);
          expect(asExtraP(plain)).toEqual(
            Object.fromEntries(Object.entries(parameters).map(([key, text]) => [key, Number(text)])),
          );
          expect(experimentName(prefix, parameters, repetition)).toMatch(
            /^[A-Za-z0-9_+-]+\.[A-Za-z0-9._+-]+\.r\d+$/,
          );
        },
      ),
    );
  });
  it('are harmless and different for whatever values', () => {
    const parameters = fc.dictionary(
      fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/),
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.constantFrom('1', '12', '2', '../..', 'a/b'),
      ),
      { maxKeys: 3, noNullPrototype: true },
    );
    fc.assert(
      fc.property(parameters, parameters, (one, other) => {
        const [first, second] = [experimentName('measured', one, 1), experimentName('measured', other, 1)];
        expect(path.basename(first)).toBe(first);
        expect(Buffer.byteLength(first)).toBeLessThanOrEqual(200);
        expect(first === second).toBe(
          JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other)),
        );
      }),
      { numRuns: 1000 },
    );
    expect(experimentName('m', { n: '12' }, 1)).not.toBe(experimentName('m', { n1: '2' }, 1));
  });
});

describe('experiment.json', () => {
  it('comes back as it was written, through a name of its own', async () => {
    await writeExperiment(workspace, experiment);
    expect(await readExperiment(workspace)).toEqual(experiment);
    expect(readdirSync(workspace)).toEqual(['experiment.json']);
  });
  it.each<[string, string, RegExp]>([
    ['experiment-invalid', '{', /not valid JSON/],
    ['experiment-invalid', '[]', /not a JSON object/],
    ['experiment-invalid', '{}', /version of the format/],
    ['experiment-newer', '{"kymoExperiment": 2}', /Update Kymo/],
    ['experiment-invalid', '{"kymoExperiment": 1}', /required property/],
    ['experiment-invalid', JSON.stringify({ ...experiment, ranks: 'four' }), /\/ranks must be integer/],
  ])('is refused: %s %s', (reason, text, message) => {
    let error: unknown;
    try {
      parseExperiment(text, 'experiment.json');
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      reason,
      message: expect.stringMatching(message) as string,
      where: { file: 'experiment.json' },
    });
  });
  it('says when there is none', async () => {
    await expect(readExperiment(workspace)).rejects.toMatchObject({ reason: 'experiment-missing' });
  });
});

describe('studies', () => {
  it('are listed the newest first, with complete experiments only', async () => {
    expect(await listStudyFolders(workspace)).toEqual([]);
    const [older, newer] = ['old', 'new'].map((name) => studyDirectory(workspace, 'heat', name)) as [
      string,
      string,
    ];
    for (const study of [older, newer]) {
      for (const iteration of [10, 2, 0]) {
        const folder = experimentDirectory(study, { ...experiment, iteration });
        mkdirSync(folder, { recursive: true });
        await writeExperiment(folder, { ...experiment, iteration });
      }
      mkdirSync(path.join(study, 'i2', 'measured.cells1000.r2'));
      mkdirSync(path.join(study, 'i2', 'measured.cells1000.r3'));
      writeFileSync(path.join(study, 'i2', 'measured.cells1000.r3', 'experiment.json'), '{"cut');
    }
    mkdirSync(path.join(workspace, '.kymo', 'heat', 'build'));
    for (const entry of ['', 'i0', 'i2', 'i10']) utimesSync(path.join(older, entry), 1000, 1000);
    const studies = await listStudyFolders(workspace);
    expect(studies.map(({ target, study }) => `${target}/${study}`)).toEqual(['heat/new', 'heat/old']);
    const experiments = await listExperiments(newer);
    expect(experiments.map((entry) => [path.relative(newer, entry.directory), entry.kind])).toEqual([
      ['i0/measured.cells1000.r1', 'complete'],
      ['i2/measured.cells1000.r1', 'complete'],
      ['i2/measured.cells1000.r3', 'unusable'],
      ['i10/measured.cells1000.r1', 'complete'],
    ]);
  });
  it('have the ranks as the parameter p', () => {
    expect(path.basename(experimentDirectory('/s', { ...experiment, ranks: 8 }))).toBe(
      'measured.p8cells1000.r1',
    );
  });
});

describe('the lock of a study', () => {
  const study = (): string => studyDirectory(workspace, 'heat', 's1');
  const deadPid = (): number => spawnSync('true').pid;

  it('admits one at a time', async () => {
    const lock = await lockStudy(study());
    const error = await lockStudy(study()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      reason: 'study-locked',
      message: expect.stringContaining(`process ${process.pid}`) as string,
    });
    await lock.release();
    await lock.release();
    await (await lockStudy(study())).release();
    expect(readdirSync(study())).toEqual([]);
  });
  it('goes to exactly one of many that ask at once, also when a dead process left one', async () => {
    for (const stale of [false, true, true, true]) {
      mkdirSync(study(), { recursive: true });
      if (stale)
        writeFileSync(
          path.join(study(), 'lock'),
          JSON.stringify({
            pid: deadPid(),
            host: hostname(),
            processStart: 'x:1',
            nonce: '0123456789abcdef',
            since: 'then',
          }),
        );
      const asked = await Promise.allSettled(Array.from({ length: 20 }, () => lockStudy(study())));
      const won = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(won).toHaveLength(1);
      for (const result of asked)
        if (result.status === 'rejected') expect((result.reason as KymoError).reason).toBe('study-locked');
      await won[0]!.release();
      expect(readdirSync(study())).toEqual([]);
    }
  });
  it('is taken from a dead process and from one that only has the same id, not from another host', async () => {
    mkdirSync(study(), { recursive: true });
    const left = (more: object): void =>
      writeFileSync(
        path.join(study(), 'lock'),
        JSON.stringify({
          pid: process.pid,
          host: hostname(),
          processStart: 'other-boot:1',
          nonce: '0123456789abcdef',
          since: 'then',
          ...more,
        }),
      );
    left({});
    await (await lockStudy(study())).release();
    left({ host: 'elsewhere' });
    await expect(lockStudy(study())).rejects.toMatchObject({
      message: expect.stringContaining('elsewhere') as string,
    });
  });
  it('of another host, or of nobody known, is removed when the user says so; never that of a process that lives here', async () => {
    mkdirSync(study(), { recursive: true });
    const left = (more: object): void =>
      writeFileSync(
        path.join(study(), 'lock'),
        JSON.stringify({ pid: 1, processStart: '', nonce: '0123456789abcdef', since: 'then', ...more }),
      );
    for (const host of ['elsewhere', hostname()]) {
      left({ host });
      await expect(lockStudy(study())).rejects.toMatchObject({ reason: 'study-locked' });
      await removeForeignLock(study());
      await (await lockStudy(study())).release();
    }
    await removeForeignLock(study());
    const lock = await lockStudy(study());
    await expect(removeForeignLock(study())).rejects.toMatchObject({ reason: 'study-locked' });
    await lock.release();
  });
  it('says who holds it and for which study, while it is held', async () => {
    expect(await studyLockHolder(study())).toBeUndefined();
    const lock = await lockStudy(study());
    const me = { pid: process.pid, host: hostname(), since: expect.any(String) as string };
    expect(await studyLockHolder(study())).toEqual(me);
    await lock.nameStudy('refine-2');
    expect(await studyLockHolder(study())).toEqual({ ...me, study: 'refine-2' });
    await expect(lockStudy(study())).rejects.toMatchObject({ reason: 'study-locked' });
    await lock.release();
    expect(await studyLockHolder(study())).toBeUndefined();
    expect(readdirSync(study())).toEqual([]);
  });
  it('of a dead process is held by nobody', async () => {
    mkdirSync(study(), { recursive: true });
    const left = { pid: deadPid(), host: hostname(), processStart: 'x:1', nonce: '0123456789abcdef' };
    writeFileSync(path.join(study(), 'lock'), JSON.stringify({ ...left, since: 'then', study: 's1' }));
    expect(await studyLockHolder(study())).toBeUndefined();
  });
  it('is not held for ever by a file that makes no sense', async () => {
    mkdirSync(study(), { recursive: true });
    const file = path.join(study(), 'lock');
    writeFileSync(file, '{"pid": "me"}');
    utimesSync(file, 1000, 1000);
    await (await lockStudy(study())).release();
    expect(existsSync(file)).toBe(false);
  });
  it('outlives nobody: SIGKILL of its process gives it free', async () => {
    const child = spawn('sleep', ['60']);
    const text = readFileSync(`/proc/${child.pid!}/stat`, 'latin1');
    const start = text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    mkdirSync(study(), { recursive: true });
    writeFileSync(
      path.join(study(), 'lock'),
      JSON.stringify({
        pid: child.pid,
        host: hostname(),
        processStart: `${boot}:${start}`,
        nonce: '0123456789abcdef',
        since: 'then',
      }),
    );
    await expect(lockStudy(study())).rejects.toMatchObject({ reason: 'study-locked' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    await (await lockStudy(study())).release();
  });
});

describe('the disk', () => {
  it('is asked for room before a run', async () => {
    await requireFreeSpace(workspace, 1);
    await expect(requireFreeSpace(workspace, 1e18)).rejects.toMatchObject({
      reason: 'disk-full',
      message: expect.stringMatching(/Only .* MB are free.*run the same command again/s) as string,
    });
  });
  it('that cannot be written is an error with the next step, and the old file stays', async () => {
    await expect(writeFileAtomically(path.join(workspace, 'none', 'a'), 'x')).rejects.toMatchObject({
      reason: 'write-failed',
    });
    const file = path.join(workspace, 'a');
    const bytes = Uint8Array.from({ length: 3 << 20 }, (_, i) => i % 251);
    const chunks = Array.from({ length: 4 }, (_, i) => bytes.subarray(i * 800_000, (i + 1) * 800_000));
    await writeFileAtomically(file, chunks);
    expect(Buffer.compare(readFileSync(file), bytes)).toBe(0);
    await writeFileAtomically(file, 'old');
    mkdirSync(path.join(workspace, 'folder'));
    await expect(writeFileAtomically(path.join(workspace, 'folder'), 'x')).rejects.toBeInstanceOf(KymoError);
    expect(readdirSync(workspace).sort()).toEqual(['a', 'folder']);
    expect(writeError('f', Object.assign(new Error('x'), { code: 'EDQUOT' })).message).toContain('quota');
  });
});

describe('environment facts', () => {
  it('hold commit and state of a repository without starting its programs', async () => {
    const git = (...words: string[]): void => {
      const { status, stderr } = spawnSync(
        'git',
        ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...words],
        { cwd: workspace },
      );
      if (status !== 0) throw new Error(stderr.toString());
    };
    if (spawnSync('git', ['--version']).status !== 0) return;
    expect((await environmentFacts(workspace, 'gcc 12')).git).toBeUndefined();
    git('init', '-q');
    expect(await headCommit(workspace)).toBeUndefined();
    writeFileSync(path.join(workspace, 'a.c'), 'int a;\n');
    git('add', 'a.c');
    git('commit', '-q', '-m', 'first');
    const trap = path.join(workspace, '.git', 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${workspace}/trapped'\n`, { mode: 0o755 });
    git('config', 'core.fsmonitor', trap);
    writeFileSync(path.join(workspace, '.git', 'hooks', 'post-index-change'), readFileSync(trap), {
      mode: 0o755,
    });
    for (const name of ['clean', 'process']) git('config', `filter.a=b.${name}`, trap);
    git('config', 'filter.a=b.required', 'true');
    writeFileSync(path.join(workspace, '.git', 'info', 'attributes'), '* filter=a=b\n');
    rmSync(path.join(workspace, 'trapped'), { force: true });
    const clean = await environmentFacts(workspace, 'gcc 12');
    expect(clean).toMatchObject({ host: hostname(), compiler: 'gcc 12', git: { dirty: false } });
    expect(clean.git?.commit).toMatch(/^[0-9a-f]{40}$/);
    writeFileSync(path.join(workspace, 'a.c'), 'int b;\n');
    expect((await environmentFacts(workspace, 'gcc 12')).git?.dirty).toBe(true);
    expect(existsSync(path.join(workspace, 'trapped'))).toBe(false);
    rmSync(path.join(workspace, '.git', 'info', 'attributes'));
    git('config', '--unset', 'core.fsmonitor');
    // In a folder below, in another work tree, and with the reference packed.
    mkdirSync(path.join(workspace, 'deep', 'down'), { recursive: true });
    expect(await headCommit(path.join(workspace, 'deep', 'down'))).toBe(clean.git?.commit);
    git('worktree', 'add', '-q', '-b', 'other', path.join(workspace, 'tree'));
    expect(await headCommit(path.join(workspace, 'tree'))).toBe(clean.git?.commit);
    git('pack-refs', '--all');
    expect(await headCommit(path.join(workspace, 'tree'))).toBe(clean.git?.commit);
    git('checkout', '-q', '--detach');
    expect(await headCommit(workspace)).toBe(clean.git?.commit);
  });
});
