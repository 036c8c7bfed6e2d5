// A measurement that was judged by a baseline stands in the source until comparing is stopped.
import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { FoundIn } from '../../../../../src/editor/state/findings/propertySource';
import type { GatedFiles, JudgedBaseline } from '../../../../../src/workflows/views/baselineView';

vi.mock('vscode', async () => {
  const vscode = await import('./editor');
  return {
    ...vscode,
    workspace: {
      ...vscode.workspace,
      getConfiguration: () => ({
        get: (name: string) => (name === 'kymo.properties.threshold' ? 5 : undefined),
      }),
    },
    l10n: {
      t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, n) => values[Number(n)] ?? ''),
    },
  };
});
const { editor } = await import('./editor');
const { ComparisonSource, gatedIn } =
  await import('../../../../../src/editor/state/findings/comparisonSource');

const files: GatedFiles = {
  ...{ workspace: '/w', target: 't', baseline: '/w/b.json', candidate: '/w/.kymo/t/measure-2' },
};
const verdict: JudgedBaseline = {
  ...{
    verdict: 'regression',
    sentence: 'Regression: …',
    incomparable: [],
    allowable: [],
    changes: [],
    markdown: '# t',
  },
  ...{ missingSources: [], studyDirectory: '/w/.kymo/t/measure-2' },
  properties: (['regression', 'over-budget', 'cannot-tell', 'faster'] as const).map((kind) => ({
    ...{ id: kind, kind, title: kind, confidence: 1, evidence: {} },
  })),
};
const warnings: string[] = [];

/** A window with what it remembers; `judged` are the questions to the engine. */
function opened(stored: Record<string, unknown> = {}, answer = () => Promise.resolve(verdict)) {
  const judged: unknown[] = [];
  const engine = { job: (name: string, given: unknown) => (judged.push([name, given]), answer()) };
  const memory = {
    get: (key: string) => stored[key],
    update: (key: string, value: unknown) => Promise.resolve(void (stored[key] = value)),
  };
  const log = { warn: (message: string): void => void warnings.push(message) };
  return { source: new ComparisonSource(engine as never, memory as never, log), stored, judged };
}

async function found(source: InstanceType<typeof ComparisonSource>): Promise<readonly FoundIn[]> {
  let last: readonly FoundIn[] = [];
  for await (const next of source.find(new AbortController().signal)) last = next;
  return last;
}

describe('a measurement that a baseline judged', () => {
  it('has its findings in the source, with the verdict and a fix that accepts it', async () => {
    const { source, judged } = opened();
    await source.show(files, verdict);
    const [shown] = await found(source);
    expect(judged).toEqual([]);
    expect(shown).toMatchObject({ title: 'measure-2 compared with b.json', linesOf: verdict.studyDirectory });
    expect(shown?.command?.(verdict.properties[0] as never).command).toBe('kymo.showVerdict');
    expect(shown?.fixes).toEqual([
      { title: 'Accept as New Baseline', command: 'kymo.acceptBaseline', arguments: [files] },
    ]);
    expect(gatedIn(shown?.fixes?.[0]?.arguments?.[0])).toEqual(files);
  });

  it('is an error where it fails the gate, whatever its share, and nothing where it is faster', async () => {
    const { source } = opened();
    await source.show(files, verdict);
    const [shown] = await found(source);
    const levels = verdict.properties.map((property) => shown?.levelOf?.(property, {} as vscode.Uri));
    expect(levels).toEqual(['error', 'error', undefined, undefined]);
    const open = { ...verdict.properties[2], severity: 0.05 } as never;
    expect(shown?.levelOf?.(open, {} as vscode.Uri)).toBe('warning');
  });

  it('is judged again after a reload, once; comparing can be stopped', async () => {
    const { source, stored } = opened();
    await source.show(files, verdict);
    const again = opened(stored);
    const offered = () => ['comparing', 'judged'].map((key) => editor.contexts().get(`kymo.${key}`));
    expect(offered()).toEqual([true, true]);
    expect(again.source.judged).toEqual({ files, verdict: undefined });
    expect((await found(again.source))[0]?.properties).toEqual(verdict.properties);
    expect(await found(again.source)).toHaveLength(1);
    expect(again.judged).toHaveLength(1);
    expect(again.source.judged?.verdict).toEqual(verdict);
    await again.source.show(undefined);
    expect(offered()).toEqual([false, false]);
    await again.source.show({ file: '/w/a.cubex', baseline: '/w/b.cubex' });
    expect(offered()).toEqual([true, false]);
    await again.source.show(undefined);
    expect(await found(again.source)).toEqual([]);
    expect(again.source.judged).toBeUndefined();
  });

  it('is judged again with the differences that were allowed, and with no others', () => {
    const allowing: GatedFiles = { ...files, allow: ['machine', 'compiler'] };
    expect(opened({ 'kymo.comparison': allowing }).source.judged?.files).toEqual(allowing);
    const damaged = { ...files, allow: ['machine', 'noise', 7] };
    expect(opened({ 'kymo.comparison': damaged }).source.judged?.files).toEqual({
      ...files,
      allow: ['machine'],
    });
    expect(opened({ 'kymo.comparison': { ...files, allow: 'all' } }).source.judged?.files).toEqual(files);
  });

  it('is told of each time it is judged, and takes the place of a comparison of profiles', async () => {
    const { source } = opened();
    let changes = 0;
    source.onDidChange(() => (changes += 1));
    await source.show({ file: '/w/a.cubex', baseline: '/w/b.cubex' });
    expect([changes, source.compared?.file, source.judged]).toEqual([1, '/w/a.cubex', undefined]);
    await source.show(files, verdict);
    await source.show(files, verdict);
    expect([changes, source.compared]).toEqual([3, undefined]);
    await source.show(files);
    expect(changes).toBe(3);
  });

  it('whose baseline is gone has no findings, and the log says why', async () => {
    const { source } = opened({ 'kymo.comparison': files }, () =>
      Promise.reject(new Error('b.json is gone')),
    );
    expect(await found(source)).toEqual([]);
    expect(warnings.join()).toContain('b.json is gone');
  });
});
