import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { patience } from '../scripts/lib/machine.mjs';
import { studyContradictions, type Cli } from './consistency';
import type { RefineResult } from '../src/workflows/studies/refine.types';

const cli = path.resolve(import.meta.dirname, '../dist/cli.js');

/** Of an enter+exit pair, on any processor of the last ten years. */
const typicalPairSeconds = 20e-9;
/** Of a visit that is counted and not timed. */
const typicalCountSeconds = 3e-9;

/** Runs the command line as a user does and returns its one JSON document. */
export function kymo(args: readonly string[], timeoutSeconds = 900): unknown {
  return JSON.parse(printed([...args, '--json'], timeoutSeconds));
}

/** Both forms of what the command line prints; an error's document where there is one. */
export const cliOutputs: Cli = {
  json: (args): unknown => JSON.parse(printed([...args, '--json'], 900, /^(0|1)$/)),
  text: (args) => printed(args, 900),
};

function printed(args: readonly string[], timeoutSeconds: number, status = /^0$/): string {
  const run = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    maxBuffer: 256 << 20,
    timeout: patience(timeoutSeconds * 1000),
    killSignal: 'SIGKILL',
  });
  const shown = `kymo ${args.join(' ')}\n${run.stdout.slice(0, 2000)}\n${run.stderr.slice(-4000)}`;
  expect(String(run.status), shown).toMatch(status);
  return run.stdout;
}

/** Each is in the message: of a list that is not empty, a summary shows only that it has entries. */
export function expectNone(contradictions: readonly string[]): void {
  expect(contradictions, contradictions.join('\n')).toEqual([]);
}

/**
 * Refines a program in place and asserts what must hold for every program.
 * @param compared whether the plain build is measured, too, which takes as long as all the rest
 * @param ranks numbers of ranks for the command line
 */
export function refineProgram(
  workspace: string,
  target: Record<string, unknown>,
  { compared = false, ranks = [] }: { readonly compared?: boolean; readonly ranks?: readonly number[] } = {},
): RefineResult {
  writeFileSync(
    path.join(workspace, 'kymo.json'),
    JSON.stringify({ version: 1, targets: [target] }, undefined, 2),
  );
  const counts = ranks.length === 0 ? [] : ['--ranks', ranks.join(',')];
  const words = ['refine', ...(compared ? ['--vanilla'] : []), ...counts, '--workspace', workspace];
  const result = kymo(words) as RefineResult;
  const last = result.iterations.at(-1);
  expect(last).toBeDefined();
  if (last === undefined) return result;
  process.stderr.write(`${String(target.name)}: ${summary(result)}\n`);
  // A second one only where the comparison has shown that the usual probes cost too much.
  const rebuilt = result.notes.some((note) => note.includes('built a second time'));
  // Where the cost of idle sites was in doubt, the plain build has taken the place of the one with sites, which is made again.
  const inDoubt = !compared && result.vanilla !== undefined;
  const plain = result.vanilla !== undefined;
  const builds = 1 + Number(rebuilt) + Number(inDoubt) + Number(plain);
  expect(result.builds, 'builds of one refinement').toBe(builds);
  expect(last.instrumented).toBeGreaterThan(0);
  // What the final selection must cost by counts alone: measured overheads are printed, and judged by `npm run bench`, since
  // other work on the machine would fail a test that times.
  const timed = last.timedVisits ?? last.visits;
  const seconds = timed * typicalPairSeconds + (last.visits - timed) * typicalCountSeconds;
  const predicted = (100 * seconds) / last.baselineSeconds;
  expect(predicted, `${last.visits} visits in ${last.baselineSeconds} s`).toBeLessThan(15);
  if (compared) expect(result.vanilla?.vanillaSeconds).toBeGreaterThan(0);
  expectNone(studyContradictions(result, cliOutputs));
  return result;
}

/** Functions of 5 % and more that have a site and are not in the final selection. */
function hotAndOut({ hotFunctions }: RefineResult): string {
  const out = hotFunctions.filter((f) => f.exclusiveShare >= 0.05 && f.hasSite && !f.selected);
  return out.map((f) => `${f.name} ${(100 * f.exclusiveShare).toFixed(0)} %`).join(', ') || 'none';
}

function sampled({ hotFunctions }: RefineResult): string {
  const some = hotFunctions.filter((f) => f.timedOneIn !== undefined);
  return some.map((f) => `${f.name} 1 in ${String(f.timedOneIn)}`).join(', ') || 'none';
}

function summary(result: RefineResult): string {
  const steps = result.iterations
    .map(
      (i) =>
        `${i.instrumented} functions ${i.overheadPercent.toFixed(1)} % (noise ${i.noisePercent?.toFixed(1) ?? '?'} %)`,
    )
    .join(' → ');
  return `${result.stopReason}; ${steps}; sites ${result.vanilla?.sitesPercent.toFixed(1) ?? '?'} % (${result.vanilla?.leastPercent?.toFixed(1) ?? '?'} to ${result.vanilla?.mostPercent?.toFixed(1) ?? '?'} %, ${result.offCost?.percent.toFixed(1) ?? '?'} to ${result.offCost?.mostPercent.toFixed(1) ?? '?'} % by estimate); hot and out: ${hotAndOut(result)}; sampled: ${sampled(result)}; ${result.functionsKnown} functions known; build ${result.buildSeconds.toFixed(1)} s of ${result.totalSeconds.toFixed(1)} s`;
}
