import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: string[]) => text.replace('{0}', values[0] ?? '') },
  Uri: {
    joinPath: ({ fsPath }: { fsPath: string }, ...more: string[]) => ({ fsPath: path.join(fsPath, ...more) }),
  },
}));
const { runCommandLine } = await import('../../../../src/editor/actions/runCommandLine');

let folder = '';
const logged: string[] = [];

/** @param program in place of the packaged command line */
function run(program: string, signal = new AbortController().signal): Promise<unknown> {
  writeFileSync(path.join(folder, 'dist', 'cli.js'), program);
  const log = { info: (line: string) => void logged.push(line) };
  return runCommandLine(
    { extension: { extensionUri: { fsPath: folder } }, log } as never,
    ['report', 'a b'],
    signal,
  );
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo cli ü '));
  mkdirSync(path.join(folder, 'dist'));
  logged.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a command of the packaged command line', () => {
  it('gets its words as they are, and gives its result; what it says is in the log', async () => {
    const program = 'console.error("reading"); console.log(JSON.stringify(process.argv.slice(2)))';
    expect(await run(program)).toEqual(['report', 'a b', '--json']);
    expect(logged).toEqual(['reading']);
  });

  it('fails with its own error and place', async () => {
    const error = { error: { reason: 'no-results', message: 'Nothing was measured.', file: '/w/x' } };
    await expect(run(`console.log('${JSON.stringify(error)}'); process.exitCode = 1`)).rejects.toMatchObject({
      reason: 'no-results',
      message: 'Nothing was measured.',
      where: { file: '/w/x' },
    });
  });

  it('that ends without a result names the log', async () => {
    for (const program of ['process.exit(3)', 'console.log("{")', 'console.log("{}"); process.exitCode = 1'])
      await expect(run(program)).rejects.toMatchObject({
        reason: 'command-line-failed',
        message: expect.stringContaining('kymo report') as string,
      });
  });

  it('ends when it is cancelled', async () => {
    const abort = new AbortController();
    const ended = run('setInterval(() => undefined, 1000)', abort.signal);
    abort.abort();
    await expect(ended).rejects.toMatchObject({ reason: 'cancelled' });
  });
});
