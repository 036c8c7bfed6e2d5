import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A function that gcov saw executed: known without any code of ours. */
export interface ExecutedFunction {
  /** Relative to the tree. */
  readonly file: string;
  readonly line: number;
  /** Without classes, template arguments and parameters. */
  readonly name: string;
  /** Lines of its body that have code of their own. */
  readonly codeLines: number;
}

export interface CoverageProgram {
  /** Folder of the sources; is built in. */
  readonly tree: string;
  /** Build command for a shell, the compilers in CC and CXX. */
  readonly build: string;
  readonly run: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
  readonly statuses?: readonly number[];
}

interface GcovFile {
  readonly file: string;
  readonly functions: readonly {
    readonly name: string;
    readonly demangled_name: string;
    readonly start_line: number;
    readonly execution_count: number;
  }[];
  readonly lines: readonly { readonly function_name?: string }[];
}

/** Builds with `gcc --coverage -O0`, runs once, and reads from gcov which functions of the tree were executed. */
export function executedFunctions(program: CoverageProgram): readonly ExecutedFunction[] {
  const { tree } = program;
  // Last words win: the build keeps its own options otherwise.
  const compilers = path.join(tree, 'coverage-compilers');
  mkdirSync(compilers);
  for (const [name, compiler] of [
    ['cc', 'gcc'],
    ['c++', 'g++'],
  ]) {
    const file = path.join(compilers, String(name));
    writeFileSync(file, `#!/bin/sh\nexec ${String(compiler)} "$@" -O0 --coverage\n`);
    chmodSync(file, 0o755);
  }
  const environment = {
    ...process.env,
    CC: path.join(compilers, 'cc'),
    CXX: path.join(compilers, 'c++'),
    ...program.environment,
  };
  call('/bin/sh', ['-c', program.build], tree, environment);
  const [executable, ...words] = program.run;
  call(path.join(tree, executable), words, tree, environment, program.statuses);
  const found = new Map<string, ExecutedFunction>();
  for (const data of filesBelow(tree).filter((file) => file.endsWith('.gcda'))) {
    const output = call('gcov', ['--json-format', '--stdout', data], path.dirname(data), process.env);
    for (const document of output.split('\n').filter((line) => line.startsWith('{'))) {
      const parsed = JSON.parse(document) as {
        readonly current_working_directory: string;
        readonly files: readonly GcovFile[];
      };
      for (const file of parsed.files) {
        const relative = path.relative(tree, path.resolve(parsed.current_working_directory, file.file));
        if (relative.startsWith('..')) continue;
        for (const one of executedIn(file, relative)) found.set(`${relative}:${one.line} ${one.name}`, one);
      }
    }
  }
  return [...found.values()];
}

function executedIn(file: GcovFile, relative: string): readonly ExecutedFunction[] {
  const codeLines = new Map<string, number>();
  for (const { function_name: name } of file.lines)
    if (name !== undefined) codeLines.set(name, (codeLines.get(name) ?? 0) + 1);
  return file.functions
    .filter((one) => one.execution_count > 0)
    .map((one) => ({
      file: relative,
      line: one.start_line,
      name: simpleName(one.demangled_name),
      codeLines: codeLines.get(one.name) ?? 0,
    }));
}

/** `bool Minisat::Heap<int>::less(int) const` → `less`; the call graph's `Minisat::sort [T = int]` → `sort`. */
export function simpleName(name: string): string {
  const shown = name.replace(/ \[.*\]$/, '');
  const operator = /\boperator\b.*?(?=\(|$)/.exec(shown);
  if (operator !== null) return operator[0].replace('operator(', 'operator()').trim();
  let depth = 0;
  let kept = '';
  for (const letter of shown) {
    if (letter === '<') depth++;
    else if (letter === '>') depth--;
    else if (depth === 0 && letter === '(') break;
    else if (depth === 0) kept += letter;
  }
  return kept.trim().split(/::|\s/).at(-1) ?? kept;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
}

function call(
  program: string,
  words: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv,
  statuses: readonly number[] = [0],
): string {
  const run = spawnSync(program, words, {
    cwd,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 512 << 20,
    timeout: 600_000,
  });
  if (run.status === null || !statuses.includes(run.status))
    throw new Error(
      `${program} ${words.join(' ')} ended with ${run.status ?? run.signal}\n${run.stderr.slice(-3000)}`,
    );
  return run.stdout;
}
