import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { RefineResult } from '../src/workflows/refine.types';

const cli = path.resolve(import.meta.dirname, '../dist/cli.js');

/** Runs the command line as a user does and returns its one JSON document. */
export function kymo(args: readonly string[], timeoutSeconds = 900): unknown {
  const run = spawnSync(process.execPath, [cli, ...args, '--json'], {
    encoding: 'utf8',
    maxBuffer: 256 << 20,
    timeout: timeoutSeconds * 1000,
    killSignal: 'SIGKILL',
  });
  expect(run.status, `kymo ${args.join(' ')}\n${run.stdout.slice(0, 2000)}\n${run.stderr.slice(-4000)}`).toBe(
    0,
  );
  return JSON.parse(run.stdout);
}

/** Refines a program in place and asserts what must hold for every program (issue: the main job). */
export function refineProgram(workspace: string, target: Record<string, unknown>): RefineResult {
  writeFileSync(
    path.join(workspace, 'kymo.json'),
    JSON.stringify({ version: 1, targets: [target] }, undefined, 2),
  );
  const result = kymo(['refine', '--vanilla', '--workspace', workspace]) as RefineResult;
  const last = result.iterations.at(-1);
  expect(last).toBeDefined();
  if (last === undefined) return result;
  process.stderr.write(`${String(target.name)}: ${summary(result)}\n`);
  // A second one only where the comparison has shown that the usual probes cost too much.
  const rebuilt = result.notes.some((note) => note.includes('built a second time'));
  expect(result.builds, 'builds with sites in one refinement').toBe(rebuilt ? 2 : 1);
  expect(
    last.overheadPercent <= 5 || last.overheadPercent <= last.noisePercent,
    `final overhead ${last.overheadPercent} %, noise ${last.noisePercent} %`,
  ).toBe(true);
  expect(last.instrumented).toBeGreaterThan(0);
  const vanilla = result.vanilla;
  expect(vanilla).toBeDefined();
  if (vanilla !== undefined)
    expect(
      vanilla.sitesPercent <= 3 || vanilla.sitesPercent <= vanilla.noisePercent,
      `sites cost ${vanilla.sitesPercent} %, noise ${vanilla.noisePercent} %`,
    ).toBe(true);
  const hot = result.hotFunctions.filter(
    (hotFunction) => hotFunction.exclusiveShare >= 0.05 && hotFunction.hasSite,
  );
  expect(hot.filter((hotFunction) => !hotFunction.selected).map((hotFunction) => hotFunction.name)).toEqual(
    [],
  );
  return result;
}

function summary(result: RefineResult): string {
  const steps = result.iterations
    .map((i) => `${i.instrumented} functions ${i.overheadPercent.toFixed(1)} %`)
    .join(' → ');
  return `${result.stopReason}; ${steps}; sites ${result.vanilla?.sitesPercent.toFixed(1) ?? '?'} %; ${result.functionsKnown} functions known; build ${result.buildSeconds.toFixed(1)} s of ${result.totalSeconds.toFixed(1)} s`;
}
