import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleCli, type BundledCli, type CliEnd } from '../../bundledCli';

let cli: BundledCli;
beforeAll(async () => {
  cli = await bundleCli('test/unit/cli/fixtures.main.ts');
});
afterAll(() => cli.remove());
const document = ({ stdout }: CliEnd): unknown => {
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout);
};

describe('the command line', () => {
  it.each([[['--json', 'done']], [['done', '--json']]])(
    'takes common options before and after the command: %j',
    async (words) => {
      const end = await cli.run([...words, '--target', 'a b', '--workspace', '/tmp/../usr']);
      expect(end.status).toBe(0);
      expect(document(end)).toEqual({ json: true, workspace: '/usr', target: 'a b' });
      expect(end.stderr).toBe('');
    },
  );
  it('prints text for people without --json, with the current folder as workspace', async () => {
    expect(await cli.run(['done'])).toEqual({ status: 0, stdout: 'done\n', stderr: '' });
    expect(document(await cli.run(['done', '--json'], { cwd: '/usr' }))).toEqual({
      json: true,
      workspace: '/usr',
    });
  });
  it.each<[string, number, object]>([
    ['exceeded', 3, { limit: 5 }],
    ['pointsFailed', 4, { limit: 5 }],
    ['failed', 1, { error: { reason: 'build-failed', message: 'It failed.', file: 'a.c', line: 3 } }],
    [
      'misconfigured',
      2,
      { error: { reason: 'config-invalid', message: 'Wrong.', file: 'k', line: 1, column: 2 } },
    ],
    ['broken', 1, { error: { reason: 'internal', message: 'a bug' } }],
  ])('ends %s with status %i and one document', async (command, status, result) => {
    const end = await cli.run([command, '--json']);
    expect(end.status).toBe(status);
    expect(document(end)).toEqual(result);
    const plain = await cli.run([command]);
    expect(plain.status).toBe(status);
    if ('error' in result) {
      expect(plain.stdout).toBe('');
      expect(plain.stderr).toMatch(/^kymo: /);
    }
  });
  it('prints a document also where a command has no result', async () => {
    expect(document(await cli.run(['nothing', '--json']))).toBeNull();
  });
  it.each<[readonly string[], RegExp]>([
    [['dnoe'], /unknown command 'dnoe'[\s\S]*Did you mean done/],
    [['done', '--nmuber', '3'], /unknown option '--nmuber'[\s\S]*--number/],
    [['done', '--number'], /argument missing/],
    [['done', 'extra'], /too many arguments/],
    [['--workspace'], /argument missing/],
    [[], /which command/],
  ])('refuses wrong usage with status 2: %j', async (words, message) => {
    const plain = await cli.run(words);
    expect(plain.status).toBe(2);
    expect(plain.stdout).toBe('');
    expect(plain.stderr).toMatch(message);
    for (const all of [
      ['--json', ...words],
      [...words, '--json'],
    ]) {
      // An option that wants a value takes the word after it.
      if (all.at(-2)?.startsWith('--') === true) continue;
      const end = await cli.run(all);
      expect(end.status).toBe(2);
      expect(document(end)).toMatchObject({
        error: { reason: 'usage', message: expect.stringMatching(message) as string },
      });
    }
  });
  it('shows help and version with status 0', async () => {
    const help = await cli.run(['--help']);
    expect(help.status).toBe(0);
    expect(help.stdout).toMatch(/Usage: kymo[\s\S]*exceeded/);
    expect(document(await cli.run(['done', '--help', '--json']))).toEqual({
      help: expect.stringContaining('--number') as string,
    });
    expect(await cli.run(['--version'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
  });
  it.each(['SIGINT', 'SIGTERM'] as const)('ends with status 130 and a document at %s', async (signal) => {
    const end = await cli.run(['waits', '--json'], {
      started: (child) => child.stderr?.once('data', () => child.kill(signal)),
    });
    expect(end.status).toBe(130);
    expect(document(end)).toMatchObject({ error: { reason: 'cancelled' } });
    expect(end.stderr).toMatch(/\[ 50 %\] waiting \(about 2 s left\)/);
  });
  it('ends at the second signal what does not listen to the first', async () => {
    const end = await cli.run(['deaf'], {
      started: (child) =>
        child.stderr?.once('data', () => {
          child.kill('SIGINT');
          setTimeout(() => child.kill('SIGINT'), 200);
        }),
    });
    expect(end.status).toBe(130);
  });
  it('does not mind a reader that leaves', () => {
    const shell = (line: string): string =>
      execFileSync('/bin/bash', ['-c', `set -o pipefail; ${line}`], {
        encoding: 'utf8',
        env: { ...process.env, NODE: process.execPath, CLI: cli.file },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    expect(shell('"$NODE" "$CLI" much | head -1; echo "${PIPESTATUS[0]}"')).toBe('first\n0\n');
    expect(shell('"$NODE" "$CLI" failed 2>&1 >/dev/null | true; echo "${PIPESTATUS[0]}"')).toBe('1\n');
    expect(shell('"$NODE" "$CLI" much --json | wc -c')).toBe('5000003\n');
  });
  it.skipIf(process.platform !== 'linux')('fails when its result cannot be written', () => {
    const status = execFileSync(
      '/bin/bash',
      ['-c', `"${process.execPath}" "${cli.file}" much > /dev/full; echo $?`],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    expect(status).toBe('1\n');
  });
});

describe('the bundled program itself', () => {
  it('has its commands, and says where kymo.json is missing', async () => {
    const real = await bundleCli();
    try {
      const help = (await real.run(['--help'])).stdout;
      for (const command of ['doctor', 'init', 'refine', 'profile']) expect(help).toContain(`  ${command} `);
      const end = await real.run(['refine', '--json', '--workspace', path.resolve('test')]);
      expect(end.status).toBe(2);
      expect(document(end)).toMatchObject({
        error: { reason: 'config-missing', file: path.resolve('test/kymo.json') },
      });
    } finally {
      await real.remove();
    }
  });
});
