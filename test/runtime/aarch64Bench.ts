import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildRuntime, type BuiltRuntime } from './build';
import { programs, Workbench, type Build, type Environment, type Outcome } from './harness';
import { sharedRuntime } from './sharedRuntimes';

const root = '/usr/aarch64-linux-gnu';
const needed = ['aarch64-linux-gnu-gcc', 'aarch64-linux-gnu-g++', 'qemu-aarch64'];

/** The missing cross tools; empty when all are installed. */
export const missingTools = needed.filter(
  (name) =>
    !(process.env.PATH ?? '').split(path.delimiter).some((folder) => {
      try {
        accessSync(path.join(folder, name), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
);

/** The command line that runs an aarch64 program under the emulator. */
export const underQemu = (file: string, words: readonly string[]): readonly [string, ...string[]] => [
  'qemu-aarch64',
  '-L',
  root,
  file,
  ...words,
];

/** A `Workbench` for aarch64 with cross compilers, and programs under qemu. */
export class CrossBench extends Workbench {
  /** The program that compiles C (or C++) for aarch64; for clang, a script that adds the target. */
  driver(compiler: string, plusPlus: boolean): string {
    if (compiler === 'gcc') return plusPlus ? 'aarch64-linux-gnu-g++' : 'aarch64-linux-gnu-gcc';
    const script = path.join(this.folder, plusPlus ? 'cross-clang++' : 'cross-clang');
    const program = plusPlus ? compiler.replace('clang', 'clang++') : compiler;
    writeFileSync(script, `#!/bin/sh\nexec ${program} --target=aarch64-linux-gnu "$@"\n`);
    chmodSync(script, 0o755);
    return script;
  }

  override runtime(compiler: string): BuiltRuntime {
    return sharedRuntime(`aarch64-${compiler}`, (folder) =>
      buildRuntime(this.driver(compiler, false), folder, 'aarch64'),
    );
  }

  override compile(build: Build, source: string, more: readonly string[] = [], shared = false): string {
    const file = this.path('program') + (shared ? '.so' : '');
    const ipaRa = build.compiler !== 'gcc' || build.flags.includes('-fipa-ra') ? [] : ['-fno-ipa-ra'];
    const runtime = this.runtime(build.compiler);
    execFileSync(
      this.driver(build.compiler, source.endsWith('.cpp')),
      [
        ...['-g', '-pthread', '-w', '-fpatchable-function-entry=2', ...ipaRa],
        ...(build.kind === 'entry' ? ['-DPROBES_OFF'] : []),
        ...(shared ? ['-shared', '-fPIC'] : []),
        ...[...build.flags, path.resolve(programs, source), ...more, '-o', file],
        ...(shared ? runtime.shared : runtime.executable),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    return file;
  }

  ask(program: string, words: readonly string[]): string {
    return execFileSync(program, words, { encoding: 'utf8' });
  }

  override run(file: string, words: readonly string[], environment: Environment = {}): Outcome {
    const [command, ...rest] = underQemu(file, words);
    const done = spawnSync(command, rest, {
      encoding: 'utf8',
      cwd: this.folder,
      env: { ...process.env, ...environment },
      timeout: 120_000,
      maxBuffer: 1 << 26,
    });
    return { status: done.status, signal: done.signal, output: done.stdout + done.stderr };
  }
}
