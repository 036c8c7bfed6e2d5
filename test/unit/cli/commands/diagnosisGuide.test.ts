// What docs/diagnosis.md shows is what the command does.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { registerDiagnose } from '../../../../src/cli/commands/diagnose';
import type { CommandResult } from '../../../../src/cli/execution/context';
import { metricIds } from '../../../../src/core/diagnosis/hypotheses/metrics';
import { usualHypotheses } from '../../../../src/core/diagnosis/hypotheses/usual';
import { useCommandFolder } from './commandFolder';

const guide = readFileSync('docs/diagnosis.md', 'utf8');
const fixtures = path.resolve(import.meta.dirname, '../../../fixtures');
const { run, inFolder, file } = useCommandFolder('diagnosis-guide');
const kymo = (...words: string[]): Promise<CommandResult> =>
  run([registerDiagnose], ['diagnose', ...words], false);
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? '';
const codes = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('docs/diagnosis.md', () => {
  test('shows what a run of examples/bottlenecks printed', async () => {
    const [measure = '', , ...printed] = block('').trimEnd().split('\n');
    const search = path.join(fixtures, 'diagnosis/late-sender.kymo-search.json');
    expect(printed.join('\n')).toBe((await kymo(search)).text);
    const [, name = '', value = ''] = /^\$ kymo measure --parameter (\w+)=([\w-]+)/.exec(measure) ?? [];
    expect(readFileSync('examples/bottlenecks/kymo.json', 'utf8')).toContain(`"${name}":`);
    const truth = readFileSync('examples/bottlenecks/truth.json', 'utf8');
    expect(truth).toContain(`"${value}"`);
  });

  test('has options that the command has', () => {
    const program = new Command();
    registerDiagnose(program, () => Promise.resolve());
    const own = program.commands.flatMap(({ options }) => options.map(({ long }) => long));
    const rows = [...guide.matchAll(/^\| `(--[\w-]+)/gm)].map(([, option]) => option);
    expect(rows.length).toBeGreaterThan(4);
    for (const option of rows) expect(own).toContain(option);
  });

  test('has hypotheses of one’s own that are searched, and all hypotheses and metrics that there are', async () => {
    file('kymo.hypotheses.json', block('jsonc'));
    const { result } = await kymo(
      path.join(fixtures, 'cube4/lulesh-mpi.cubex'),
      '--hypotheses',
      inFolder('kymo.hypotheses.json'),
    );
    expect(result).toMatchObject({
      hypotheses: expect.arrayContaining([
        expect.objectContaining({ id: 'CPUBound', threshold: 0.5 }),
        expect.objectContaining({ id: 'SolverWaits', pruned: ['Machine'] }),
      ]) as unknown,
    });
    expect(codes(/^Metrics: .*$/m.exec(guide)?.[0] ?? '')).toEqual(metricIds);
    const table = [...guide.matchAll(/^\| [↳ ]*`[A-Z].*$/gm)].join('\n');
    for (const { id, metric } of usualHypotheses)
      if (metric !== undefined) expect(codes(table)).toContain(id);
  });
});
