import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

export interface CliEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as users run it, bundled into a folder of its own (a build beside the tests does not disturb it). */
export interface BundledCli {
  readonly file: string;
  run(
    words: readonly string[],
    options?: { readonly cwd?: string; readonly started?: (child: ChildProcess) => void },
  ): Promise<CliEnd>;
  remove(): Promise<void>;
}

export async function bundleCli(entry = 'src/cli/main.ts'): Promise<BundledCli> {
  const root = path.resolve(import.meta.dirname, '..');
  const folder = await mkdtemp(path.join(tmpdir(), 'kymo cli '));
  const file = path.join(folder, 'cli.js');
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return {
    file,
    run: (words, options = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [file, ...words], {
          cwd: options.cwd,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
        child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
        child.on('error', reject);
        child.on('close', (status) => resolve({ status, stdout, stderr }));
        options.started?.(child);
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
