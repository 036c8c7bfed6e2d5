// The runtime is compiled once by each compiler for all files of tests: two seconds of processor time each, and most files need two.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import type { BuiltRuntime } from './build';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the compiled runtimes, and of one `.json` per runtime that is complete. */
    readonly runtimes: string;
  }
}

/** Before the first file of tests; what it returns runs after the last one. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-runtimes-'));
  project.provide('runtimes', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The runtime `name`, compiled by `build` into a folder where no process of these tests has it yet. */
export function sharedRuntime(name: string, build: (folder: string) => BuiltRuntime): BuiltRuntime {
  const folder = inject('runtimes');
  const complete = path.join(folder, `${name}.json`);
  if (!existsSync(complete)) {
    // Two processes may compile it at the same time: each into a folder of its own, and the later one stays.
    const own = path.join(folder, `${name}-${String(process.pid)}`);
    writeFileSync(`${own}.json`, JSON.stringify(build(own)));
    renameSync(`${own}.json`, complete);
  }
  return JSON.parse(readFileSync(complete, 'utf8')) as BuiltRuntime;
}
