import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { compareShares, type FunctionRow } from '../../bench/programs/agreement';
import { canSample, sampleProgram } from '../../bench/programs/sampling';
import type { RefineResult } from '../../src/workflows/refine.types';

/** Of the samples. The tolerance of smaller shares is for many samples and a quiet machine (bench/programs). */
const comparedShare = 0.25;

/** What a program to be compared is run as; its sites are at rest. */
export interface ComparedRun {
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly input?: string;
}

/** The largest functions of an independent profile stand in the final result with their share, or it says where their time is. */
export function expectAsPerf(tree: string, run: ComparedRun, result: RefineResult): void {
  if (!canSample()) {
    process.stderr.write('shares are not compared: perf cannot sample on this machine\n');
    return;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-perf-'));
  try {
    const { inclusiveShares } = sampleProgram(
      {
        words: [path.join(tree, run.executable), ...run.arguments],
        cwd: tree,
        input: run.input === undefined ? '/dev/null' : path.join(tree, run.input),
        environment: {},
        statuses: [0],
      },
      tree,
      folder,
    );
    const { functions } = JSON.parse(readFileSync(path.join(result.directory, 'functions.json'), 'utf8')) as {
      functions: readonly FunctionRow[];
    };
    const compared = compareShares(inclusiveShares, functions, result.properties).filter(
      ({ perf }) => perf >= comparedShare,
    );
    expect(compared.length).toBeGreaterThan(2);
    expect(compared.filter(({ state }) => state === 'differs' || state === 'missing')).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
