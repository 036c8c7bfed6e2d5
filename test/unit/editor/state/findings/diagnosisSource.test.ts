// What was diagnosed last stands in the source until it is hidden: with a real search in a real profile.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { DiagnosisInput } from '../../../../../src/editor/state/diagnosis/diagnosisSession';
import type { FoundIn } from '../../../../../src/editor/state/findings/propertySource';
import { diagnosisInSource } from '../../../../../src/workflows/views/diagnosisInSource';

vi.mock('vscode', () => import('./editor'));
const { editor } = await import('./editor');
const { DiagnosisSource } = await import('../../../../../src/editor/state/findings/diagnosisSource');

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
  };
};
const profile = path.resolve(import.meta.dirname, '../../../../fixtures/cube4/lulesh-mpi.cubex');
const engine = {
  document: () => ({
    query: (_: string, asked: Parameters<typeof diagnosisInSource>[0]) => diagnosisInSource(asked),
    dispose: () => undefined,
  }),
};
const warnings: string[] = [];
const log = { warn: (message: string): void => void warnings.push(message) };

/** A window with what it remembers. */
function opened(stored: Record<string, unknown> = {}) {
  const memory = {
    get: (key: string) => stored[key],
    update: (key: string, value: unknown) => Promise.resolve(void (stored[key] = value)),
  };
  return { source: new DiagnosisSource(engine as never, memory as never, log), stored };
}

async function found(source: InstanceType<typeof DiagnosisSource>): Promise<readonly FoundIn[]> {
  let last: readonly FoundIn[] = [];
  for await (const next of source.find(new AbortController().signal)) last = next;
  return last;
}

const kinds = async (source: InstanceType<typeof DiagnosisSource>): Promise<readonly string[]> =>
  (await found(source)).flatMap(({ properties }) => properties.map(({ kind }) => kind));

describe('the findings of the last diagnosis', () => {
  it('are there once somebody has asked, and until they are hidden', async () => {
    const { source } = opened();
    expect(await kinds(source)).toEqual([]);
    await source.show({ path: profile });
    expect(await kinds(source)).toContain('diagnosis');
    await source.show(undefined);
    expect(await kinds(source)).toEqual([]);
  });

  it('can be hidden while they are shown', async () => {
    const isOffered = (): unknown => editor.contexts().get('kymo.diagnosisShown');
    const { source, stored } = opened();
    expect(isOffered()).toBe(false);
    await source.show({ path: profile });
    expect(isOffered()).toBe(true);
    await source.show(undefined);
    expect(isOffered()).toBe(false);
    await source.show({ path: profile });
    opened(stored);
    expect(isOffered()).toBe(true);
    const { commands } = manifest.contributes;
    expect(commands.find(({ command }) => command === 'kymo.hideDiagnosis')?.enablement).toBe(
      'kymo.diagnosisShown',
    );
  });

  it('say what to do next', async () => {
    const { source } = opened();
    await source.show({ path: profile });
    const [shown] = await found(source);
    const waiting = shown?.properties.find(({ id }) => id === 'diagnosis:ExcessiveSyncWaitingTime');
    expect(waiting?.advice).toMatch(/^Find out who comes late: .*\.$/);
  });

  it('have the thresholds of the panel', async () => {
    const { source } = opened();
    const threshold = 0.999;
    const thresholds = ['CPUBound', 'ExcessiveSyncWaitingTime'].map((hypothesis) => ({
      hypothesis,
      threshold,
    }));
    await source.show({ path: profile, thresholds });
    const [shown] = await found(source);
    expect(shown?.properties).toEqual([]);
    expect(shown?.title).toBe('diagnosis of lulesh-mpi.cubex');
  });

  it('are there again after a reload; what is damaged in the memory of the window is nothing', async () => {
    const { source, stored } = opened();
    const input: DiagnosisInput = { path: profile, thresholds: [{ hypothesis: 'CPUBound', threshold: 1 }] };
    await source.show(input);
    const [again] = await found(opened(stored).source);
    expect(again?.command?.(again.properties[0] as never)).toEqual({
      title: 'Show in Diagnosis Panel',
      command: 'kymo.diagnose',
      arguments: [input],
    });
    for (const damaged of [7, 'text', { path: 7 }, null])
      expect(await found(opened({ 'kymo.diagnosis': damaged }).source)).toEqual([]);
    const half = opened({ 'kymo.diagnosis': { path: profile, thresholds: [{ hypothesis: 7 }, null] } });
    expect(await kinds(half.source)).toContain('diagnosis');
  });

  it('tell of a change only when another one is shown', async () => {
    const { source } = opened();
    let changes = 0;
    source.onDidChange(() => (changes += 1));
    await source.show({ path: profile });
    await source.show({ path: profile });
    expect(changes).toBe(1);
    await source.show(undefined);
    expect(changes).toBe(2);
  });

  it('are problems where the program waits, and none where it only computes', async () => {
    const { source } = opened();
    await source.show({ path: profile, thresholds: [{ hypothesis: 'CPUBound', threshold: 0.01 }] });
    const [shown] = await found(source);
    const uri = {} as vscode.Uri;
    for (const property of shown?.properties ?? [])
      expect(shown?.levelOf?.(property, uri)).toBe(property.kind === 'diagnosis' ? 'warning' : undefined);
    expect(shown?.properties.map(({ kind }) => kind)).toContain('diagnosis-computing');
  });

  it('of a measurement that is gone are none, and the log says why', async () => {
    const { source } = opened();
    await source.show({ path: '/w/gone.cubex' });
    expect(await found(source)).toEqual([]);
    expect(warnings.join()).toMatch(/^Diagnosis: .*gone\.cubex/);
  });
});
