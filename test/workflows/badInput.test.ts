import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RefineResult } from '../../src/workflows/studies/refine.types';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const fixture = path.join(import.meta.dirname, 'fixtures/behaviour');

interface Failure {
  readonly reason: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** What a user meets when things go wrong: a clear message with the next step, nothing lost, nothing left running. */
describe('kymo refine with bad input', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kymo-bad-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const workspace = (name: string, target: Record<string, unknown> = {}, root = directory): string => {
    const folder = path.join(root, name);
    mkdirSync(folder, { recursive: true });
    cpSync(fixture, folder, { recursive: true });
    const config = {
      version: 1,
      targets: [
        {
          name,
          build: { command: '${cc} -O2 -g program.c -o program', clean: 'rm -f program' },
          executable: 'program',
          run: { arguments: ['work'] },
          repetitions: 1,
          refinement: { maximumIterations: 2 },
          ...target,
        },
      ],
    };
    writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify(config));
    return folder;
  };
  const run = (folder: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env) => {
    const result = spawnSync(process.execPath, [cli, 'refine', '--json', '--workspace', folder, ...args], {
      encoding: 'utf8',
      env,
      timeout: 120_000,
      maxBuffer: 64 << 20,
    });
    return {
      status: result.status,
      stderr: result.stderr,
      document: JSON.parse(result.stdout) as RefineResult & { error?: Failure },
    };
  };
  const failure = (
    folder: string,
    status: number,
    args: readonly string[] = [],
    env = process.env,
  ): Failure => {
    const result = run(folder, args, env);
    expect(result.status, result.stderr).toBe(status);
    const { error } = result.document;
    if (error === undefined) throw new Error('no error in the document');
    return error;
  };

  it('no kymo.json: says how to make one', () => {
    const folder = path.join(directory, 'empty');
    mkdirSync(folder);
    expect(failure(folder, 2)).toMatchObject({
      reason: 'config-missing',
      message: expect.stringContaining('kymo init') as string,
    });
  });

  it('a broken kymo.json: line and column', () => {
    const folder = workspace('broken');
    writeFileSync(path.join(folder, 'kymo.json'), '{\n  "version": 1,\n  "targets": "none"\n}\n');
    expect(failure(folder, 2)).toMatchObject({
      reason: 'config-invalid',
      line: 3,
      file: path.join(folder, 'kymo.json'),
    });
  });

  it('a kymo.json that cannot be read', () => {
    const folder = workspace('folder-instead');
    rmSync(path.join(folder, 'kymo.json'));
    mkdirSync(path.join(folder, 'kymo.json'));
    expect(failure(folder, 2).reason).toBe('config-invalid');
  });

  it('no compiler: what to install', () => {
    const folder = workspace('no-compiler');
    const bin = path.join(directory, 'bin');
    mkdirSync(bin);
    for (const tool of [
      'sh',
      'rm',
      'make',
      'git',
      'env',
      'ps',
      'dirname',
      'basename',
      'readlink',
      'cat',
      'setsid',
    ]) {
      const file = ['/usr/bin', '/bin'].map((d) => path.join(d, tool)).find(existsSync);
      if (file !== undefined) symlinkSync(file, path.join(bin, tool));
    }
    const error = failure(folder, 1, [], { ...process.env, PATH: bin });
    expect(error.reason).toBe('no-compiler');
    expect(error.message).toMatch(/apt install gcc/);
  });

  it('a build that fails: the compiler message with file and line', () => {
    const folder = workspace('build-fails');
    writeFileSync(path.join(folder, 'program.c'), 'int main(void) {\n  return undeclared;\n}\n');
    const error = failure(folder, 1);
    expect(error).toMatchObject({ reason: 'build-failed', line: 2 });
    expect(error.file).toBe(path.join(folder, 'program.c'));
    expect(error.message).toContain('undeclared');
  });

  it('a build that makes something else', () => {
    const folder = workspace('other-executable', { executable: 'elsewhere/program' });
    expect(failure(folder, 1).reason).toBe('executable-missing');
  });

  it.each([
    ['crash', 'program-crashed', /SIGSEGV/],
    ['status', 'program-failed', /status 7/],
  ])('a program that ends badly (%s)', (mode, reason, message) => {
    const folder = workspace(`ends-${mode}`, { run: { arguments: [mode] } });
    const error = failure(folder, 1);
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(message);
    expect(existsSync(error.file ?? '')).toBe(true);
    // Of a single measurement too, there is what the error names, and nothing to measure by.
    const measured = spawnSync(process.execPath, [cli, 'measure', '--json', '--workspace', folder], {
      encoding: 'utf8',
    });
    const { error: same } = JSON.parse(measured.stdout) as { readonly error: Failure };
    expect(same.reason).toBe(reason);
    expect(same.file).toMatch(/measure-.*output\.txt$/);
    expect(existsSync(same.file ?? '')).toBe(true);
  });

  it('a program that hangs is ended after timeoutSeconds', () => {
    const folder = workspace('hangs', { run: { arguments: ['hang'], timeoutSeconds: 1 } });
    expect(failure(folder, 1)).toMatchObject({
      reason: 'program-timeout',
      message: expect.stringContaining('timeoutSeconds') as string,
    });
    expect(processesOf(folder)).toEqual([]);
  });

  it('a program that prints gigabytes: head and tail are kept, memory is not filled', () => {
    const folder = workspace('prints', {
      run: { arguments: ['print'] },
      refinement: { maximumIterations: 1 },
    });
    const { document } = run(folder);
    expect(document.error).toBeUndefined();
    for (const output of filesOf(document.directory, 'output.txt'))
      expect(statSync(output).size).toBeLessThan(8 << 20);
  });

  it('a program that changes its directory is measured all the same', () => {
    const { document } = run(workspace('moves', { run: { arguments: ['chdir'] } }));
    expect(document.error).toBeUndefined();
    expect(document.iterations.at(-1)?.visits).toBeGreaterThan(200);
  });

  it('a stripped program: probes still work, or it says what to change', () => {
    const { document } = run(
      workspace('stripped', {
        build: { command: '${cc} -O2 -g program.c -o program && strip program', clean: 'rm -f program' },
      }),
    );
    if (document.error === undefined) {
      expect(document.iterations.at(-1)?.visits).toBeGreaterThan(200);
      expect(document.notes.join(' ')).toContain('strip');
    } else {
      expect(document.error.message).toContain('strip');
    }
  });

  it('a program that is rebuilt while it is measured', () => {
    // The program itself replaces its executable during the first run.
    const folder = workspace('rebuilt', { run: { arguments: ['work'] }, executable: 'program' });
    const script = 'int main(void) { return 0; }';
    writeFileSync(path.join(folder, 'other.c'), script);
    const source = readFileSync(path.join(folder, 'program.c'), 'utf8');
    writeFileSync(
      path.join(folder, 'program.c'),
      source.replace('work(10);', 'work(10);\n    if (rename("replacement", "program") != 0) return 0;'),
    );
    const config = readFileSync(path.join(folder, 'kymo.json'), 'utf8');
    writeFileSync(
      path.join(folder, 'kymo.json'),
      config.replace('-o program"', '-o program && ${cc} other.c -o replacement"'),
    );
    expect(failure(folder, 1)).toMatchObject({ reason: 'executable-changed' });
  });

  it('a full disk: a clear message, and the next try succeeds once there is room', (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root for a small file system');
    const mount = path.join(directory, 'small');
    mkdirSync(mount);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', mount]).status !== 0)
      context.skip('mount is not allowed here');
    try {
      const folder = workspace('full', {}, mount);
      execFileSync('sh', ['-c', 'head -c 4500000 /dev/zero > filler'], { cwd: mount });
      const error = failure(folder, 1);
      expect(['disk-full', 'build-failed']).toContain(error.reason);
      expect(error.message).toMatch(/disk|space|No space/i);
    } finally {
      spawnSync('umount', ['-l', mount]);
    }
  });

  it('Ctrl-C ends everything, with status 130', async () => {
    const folder = workspace('interrupted', { run: { arguments: ['hang'], timeoutSeconds: 86_400 } });
    const child = spawn(process.execPath, [cli, 'refine', '--json', '--workspace', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await waitFor(() => processesOf(folder).some((line) => line.includes('program hang')));
    child.kill('SIGINT');
    const status = await new Promise((resolve) => child.once('exit', resolve));
    expect(status).toBe(130);
    expect(processesOf(folder)).toEqual([]);
  });

  it('SIGKILL at any point: what was finished is used by the next run, and nothing stays', async () => {
    const folder = workspace('killed', {
      run: { arguments: ['work', '3000'] },
      repetitions: 2,
      refinement: { maximumIterations: 2 },
    });
    for (const afterExperiments of [1, 3]) {
      const child = spawn(process.execPath, [cli, 'refine', '--json', '--workspace', folder], {
        stdio: 'ignore',
      });
      await waitFor(
        () =>
          filesOf(path.join(folder, '.kymo'), 'experiment.json').length >= afterExperiments ||
          child.exitCode !== null,
      );
      child.kill('SIGKILL');
      // Until it is gone it holds the study, and the next one would be refused.
      await waitFor(() => child.exitCode !== null || child.signalCode !== null);
      await waitFor(() => processesOf(folder).length === 0);
    }
    const before = filesOf(path.join(folder, '.kymo'), 'experiment.json');
    const times = new Map(before.map((file) => [file, statSync(file).mtimeMs]));
    expect(before.length).toBeGreaterThanOrEqual(3);
    const { document, status, stderr } = run(folder);
    expect(status, stderr).toBe(0);
    expect(document.builds).toBe(1); // going on always builds, in case that the sources have changed
    for (const [file, time] of times) expect(statSync(file).mtimeMs, `${file} was measured again`).toBe(time);
  });
});

/** Command lines of running processes that name the folder. */
function processesOf(folder: string): readonly string[] {
  const lines = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(folder) && !line.includes('cli.js') && !line.startsWith('ps '));
}

function filesOf(folder: string, name: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((entry) => path.basename(entry) === name)
    .map((entry) => path.join(folder, entry));
}

/** Ends at the time limit of the test, which follows the machine's speed. */
async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 100));
}
