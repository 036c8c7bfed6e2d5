// Working copies of a program: one that `kymo init` and `kymo refine` work in as a user would have them, and a vanilla build.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { shell } from '../lib/programs.mjs';

const compilers = { cc: 'gcc', cxx: 'g++', fc: 'gfortran' };

/** A copy with a `kymo.json` as `kymo init` writes it, with the workload and what has to be corrected. */
export function configure(program, source, copy, tool) {
  const tree = workingCopy(program, source, copy);
  const { targets } = kymo(tool, ['init', '--workspace', tree]);
  const file = path.join(tree, 'kymo.json');
  const config = parse(readFileSync(file, 'utf8'));
  const drafted = config.targets.find(({ name }) => name === program.target);
  if (drafted === undefined && program.edit?.build === undefined)
    throw new Error(`kymo init found ${targets.join(', ')}, not ${program.target}`);
  const target = {
    ...drafted,
    name: program.target,
    ...program.edit,
    run: { ...drafted?.run, ...program.run },
  };
  writeFileSync(file, JSON.stringify({ ...config, targets: [target] }, undefined, 2));
  return { tree, target, tool };
}

/** `kymo refine --json`, and its rows of functions. */
export function refineTree({ tree, tool }) {
  const result = kymo(tool, ['refine', '--fresh', '--workspace', tree]);
  const functions = JSON.parse(readFileSync(path.join(result.directory, 'functions.json'), 'utf8')).functions;
  return { result, functions, kymo: (words) => kymo(tool, words) };
}

/** The selection that the last refinement ended with, for the program as it is built now: a comparison with the vanilla build has made it again, and selections are of one build. */
export function finalSelection(tree, tool) {
  kymo(tool, ['accept', '--workspace', tree]);
  const { directory } = kymo(tool, ['measure', '--repetitions', '1', '--workspace', tree]);
  return path.join(directory, 'i0', 'selection.kymo');
}

/**
 * The same build with the plain compilers. Debug information and the index of unwinding tables, which static programs lack, change no
 * code: the samples' places and callers are found by them.
 */
export function vanillaBuild(program, source, copy, target) {
  const tree = workingCopy(program, source, copy);
  const commands = [target.build.configure, target.build.command].filter((command) => command !== undefined);
  const plain = plainCompilers(`${copy}-compilers`);
  const filled = commands
    .join(' && ')
    .replace(/\$\{(cc|cxx|fc)\}/g, (_, compiler) => path.join(plain, compilers[compiler]));
  shell(filled, path.join(tree, target.build.cwd ?? '.'), process.env);
  return { tree, command: runOf({ tree, target }) };
}

/** Program, arguments and the rest of a run without parameters. */
export function runOf({ tree, target: { executable, run } }) {
  const cwd = path.join(tree, run.cwd ?? '.');
  return {
    words: [path.join(tree, executable), ...run.arguments],
    cwd,
    input: run.input === undefined ? '/dev/null' : path.join(tree, run.input),
    environment: run.environment ?? {},
    statuses: run.successStatuses ?? [0],
  };
}

function workingCopy(program, source, copy) {
  // With their times: builds make again what looks older than what it is made of.
  cpSync(source, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const tree = path.join(copy, program.folder ?? '.');
  if (program.prepare !== undefined) shell(program.prepare, tree, process.env);
  program.inputs?.(tree, program.part ?? 1);
  return tree;
}

function plainCompilers(folder) {
  mkdirSync(folder, { recursive: true });
  for (const compiler of Object.values(compilers)) {
    const file = path.join(folder, compiler);
    writeFileSync(file, `#!/bin/sh\nexec ${compiler} "$@" -g -Wl,--eh-frame-hdr\n`);
    chmodSync(file, 0o755);
  }
  return folder;
}

function kymo(tool, words) {
  const run = spawnSync(process.execPath, [path.join(tool, 'cli.js'), ...words, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0)
    throw new Error(
      `kymo ${words[0]} ended with ${run.status ?? run.signal}: ${run.stdout.slice(0, 2000)}\n${run.stderr.slice(-2000)}`,
    );
  return JSON.parse(run.stdout);
}
