// A new analysis: one file of records beside its rule, and one source. Every surface shows it.
import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { PropertyKindRecord } from '../../../../../src/core/properties/kinds/record';
import type { FoundIn, PropertySource } from '../../../../../src/editor/state/findings/propertySource';
import type { FoundProperty } from '../../../../../src/workflows/views/dynamicsInSource';
import type { PropertyKind } from '../../../../../src/core/properties/kinds';
import type { Kymo } from '../../../../../src/editor/state/kymo';
import { editor, Position } from './editor';

vi.mock('vscode', () => import('./editor'));

// ---- the analysis: its kind …
const record: PropertyKindRecord = {
  label: 'Cache thrashing',
  plural: 'Cache thrashing',
  description: 'Lines of the cache are evicted before they are used again.',
  direction: 'worse',
  level: 'warning',
  icon: 'chip',
  sign: '≋',
  group: 'time',
  inSource: 'lens',
  ranks: 'in title',
};
vi.mock('../../../../../src/core/properties/kinds/profile', async (original) => {
  const { profileKinds } = await original<{ readonly profileKinds: object }>();
  return { profileKinds: { ...profileKinds, 'cache-thrashing': record } };
});
// … and its source
const property: FoundProperty = {
  id: 'cache-thrashing:sweep',
  kind: 'cache-thrashing' as PropertyKind,
  title: 'sweep evicts 40 % of the lines that it reads again',
  severity: 0.4,
  confidence: 0.9,
  region: { name: 'sweep', file: '/w/sweep.c', line: 3 },
  evidence: { evictedShare: 0.4 },
};
const folder = editor.folder as unknown as vscode.WorkspaceFolder;
const source: PropertySource = {
  name: 'caches',
  onDidChange: editor.never,
  find: async function* (): AsyncGenerator<readonly FoundIn[]> {
    yield await Promise.resolve([{ folder, title: 'caches', target: 'sweep', properties: [property] }]);
  },
};
// ---- that is all

const { Findings } = await import('../../../../../src/editor/state/findings/findings');
const { FindingLenses } = await import('../../../../../src/editor/surfaces/lenses/findingLenses');
const { FindingHovers } = await import('../../../../../src/editor/surfaces/hovers/findingHovers');
const { FindingProblems } = await import('../../../../../src/editor/surfaces/problems/findingProblems');
const { PropertiesView } = await import('../../../../../src/editor/surfaces/trees/propertiesView');
const { propertiesText } = await import('../../../../../src/formats/property-exports');
const { propertyTable } = await import('../../../../../src/cli/commands/properties');

const engine = { query: () => Promise.resolve({ hunks: new Uint32Array() }) };
const studies = {
  onDidChange: editor.never,
  measuredIn: () => Promise.resolve(undefined),
  today: (file: unknown) => Promise.resolve(file),
};
const log = { warn: (message: string): void => expect.fail(message) };
const findings = new Findings(engine as never, studies as never, log);
const extension = { workspaceState: { get: (): undefined => undefined } };
const kymo = { findings, studies, engine, log, extension } as unknown as Kymo;
const document = editor.document as unknown as vscode.TextDocument;
const lenses = new FindingLenses(kymo);
const hovers = new FindingHovers(kymo);
new FindingProblems(kymo);
const view = new PropertiesView(kymo);
findings.register(source);
await findings.of(source);

describe('an analysis that registers once', () => {
  it('has a lens at its line', async () => {
    const [lens] = await lenses.provideCodeLenses(document);
    expect(lens?.command?.title).toBe('≋ cache thrashing · 40 %');
    expect(lens?.range.start.line).toBe(2);
  });

  it('has a hover at its line, and at no other', async () => {
    const hover = (line: number): Promise<vscode.Hover | undefined> =>
      hovers.provideHover(document, new Position(line, 5) as unknown as vscode.Position);
    const { contents: [text] = [] } = (await hover(2)) ?? {};
    expect((text as vscode.MarkdownString).value).toContain('sweep evicts 40 % of the lines');
    expect(await hover(1)).toBeUndefined();
  });

  it('has a problem under the name, at the level of its kind', async () => {
    await expect.poll(() => editor.problems.get('/w/sweep.c')).toHaveLength(1);
    expect(editor.problems.get('/w/sweep.c')).toMatchObject([
      { message: property.title, code: 'cache-thrashing', severity: 1, source: 'Kymo' },
    ]);
    expect(editor.problems.get('/w/sweep.c')).toMatchObject([
      { range: { start: { line: 2, character: 5 } } },
    ]);
  });

  it('has an entry in the tree, with its label and icon', async () => {
    const [group] = await view.getChildren();
    expect(group && view.getTreeItem(group).label).toBe('Cache thrashing');
    const [entry] = await view.getChildren(group);
    const item = entry && view.getTreeItem(entry);
    expect([item?.label, item?.description, item?.iconPath]).toEqual([
      'sweep',
      '40 % · sweep.c:3',
      { id: 'chip' },
    ]);
  });

  it.each(['f.sarif', 'f.csv', 'f.json', 'f.md'])('is exported as %s', (file) => {
    const text = propertiesText([property], file, '/w') ?? '';
    expect(text).toContain('cache-thrashing');
    expect(text).toContain(property.title);
  });

  it('has its rule and level in SARIF', () => {
    const text = propertiesText([property], 'f.sarif', '/w') ?? '';
    expect(text).toContain(record.description);
    expect(text).toContain('"level": "warning"');
  });

  it('is in the table of the command line', () => {
    expect(propertyTable([property])).toMatch(/40\.?0? %\s+cache-thrashing\s+sweep evicts/);
  });
});
