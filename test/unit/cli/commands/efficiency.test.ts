import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { registerEfficiency } from '../../../../src/cli/commands/efficiency';
import type { CommandResult } from '../../../../src/cli/execution/context';
import type { EfficiencyReport } from '../../../../src/workflows/efficiency';
import { useCommandFolder } from './commandFolder';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/cube4');
const mpi = path.join(fixtures, 'lulesh-mpi.cubex');
const { run } = useCommandFolder('efficiency');
const kymo = (...words: string[]): Promise<CommandResult> =>
  run([registerEfficiency], ['efficiency', ...words], false);

describe('kymo efficiency', () => {
  test('--json has the run and its functions, those that lose most first, and the definitions', async () => {
    const report = (await kymo(mpi)).result as EfficiencyReport;
    const { base, run: whole, functions, definitions } = report;
    expect(base).toEqual({ run: 'lulesh-mpi.cubex', clock: 'wall', seconds: whole.runSeconds, leftOut: [] });
    expect(whole.parallel).toBeCloseTo(whole.loadBalance * whole.communication, 9);
    expect(whole.processes).toBe(8);
    const lost = functions.map(({ parallel, runSeconds }) => (1 - parallel) * runSeconds);
    expect(lost).toEqual([...lost].sort((a, b) => b - a));
    expect(functions[0]).toMatchObject({ name: 'int main(int, char**)', mangled: 'main' });
    expect(functions[0]?.file).toMatch(/\/lulesh\.cc$/);
    expect(Object.keys(definitions)).toEqual([
      'Parallel efficiency',
      'Load balance',
      'Communication efficiency',
      'Base',
      'Source',
    ]);
  });

  test('people get the metrics with their definitions, and the functions', async () => {
    const { text } = await kymo(mpi, '--functions', '1');
    const lines = text.split('\n');
    expect(lines[0]).toMatch(
      /^8 processes, 8 threads; .* run time of the process that takes longest in run lulesh-mpi\.cubex\.$/,
    );
    expect(lines[1]).toMatch(
      /^[\d.]+ m?s of MPI’s start and end, of all processes together, are left out\.$/,
    );
    expect(lines[5]?.trim()).toMatch(
      /^[\d.]+ % {2}Parallel efficiency +Mean computation ÷ run time = load balance × communication efficiency\.$/,
    );
    expect(text).toMatch(
      / int main\(int, char\*\*\) .*lulesh\.cc:\d+\n\d+ more functions: --functions \d+\n/,
    );
    expect(text).toContain('Serialisation and transfer cannot be separated');
    expect(text).toContain('Definitions: POP Centre of Excellence');
  });

  test('a run of one thread has none, with the reason', async () => {
    await expect(kymo(path.join(fixtures, 'tiny.cubex'))).rejects.toMatchObject({
      reason: 'no-efficiency',
      message: 'The run has one process with one thread: nothing is parallel.',
    });
  });
});
