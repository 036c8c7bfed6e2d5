import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { iterationsIn } from '../../../../../src/core/series/profileIterations';
import { placeToLookAt } from '../../../../../src/core/series/series';
import { profileSeries } from '../../../../../src/core/series/profileSeries';
import { limitsFor } from '../../../../../src/formats/cube4/archive/limits';
import { memoryCube } from '../../../../../src/formats/cube4/memoryCube';
import { readCube } from '../../../../../src/formats/cube4/read';
import { sourceFile } from '../../../../../src/core/profile/place';
import type { EngineClient } from '../../../../../src/engine/client';
import type { Studies } from '../../../../../src/editor/state/studies/studies';
import { sharedData } from '../../../../shared';
import { collect } from '../../../formats/series/collect';

const texts = new Map<string, string>();

/** As much of the editor as places need: documents by path. */
vi.mock('vscode', () => {
  const nothing = (): { dispose: () => void } => ({ dispose: () => undefined });
  class EventEmitter {
    readonly event = nothing;
    fire = (): void => undefined;
    dispose = (): void => undefined;
  }
  class Position {
    constructor(
      readonly line: number,
      readonly character: number,
    ) {}
  }
  class Location {
    constructor(
      readonly uri: unknown,
      readonly position: Position,
    ) {}
  }
  const openTextDocument = (uri: vscode.Uri): unknown => {
    const text = texts.get(uri.fsPath) ?? '';
    const lineCount = text.split('\n').length;
    const validatePosition = ({ line }: Position): Position =>
      new Position(Math.min(Math.max(0, line), lineCount - 1), 0);
    return Promise.resolve({ uri, lineCount, getText: () => text, validatePosition });
  };
  const workspace = {
    onDidChangeTextDocument: nothing,
    onDidCloseTextDocument: nothing,
    openTextDocument,
    getConfiguration: () => ({ get: () => undefined }),
  };
  return { EventEmitter, Position, Location, workspace };
});

const { LineMaps } = await import('../../../../../src/editor/state/places/lineMaps');

/** Without a study that measured any file. */
const lineMaps = new LineMaps(
  {} as unknown as EngineClient,
  {
    onDidChange: () => ({ dispose: () => undefined }),
    measuredIn: () => Promise.resolve(undefined),
    today: (file: vscode.Uri) => Promise.resolve(file),
  } as unknown as Studies,
);

/** The line (from 1) that a jump ends on, in a file of 5,000 lines. */
async function jump(file: string, line: number, endLine?: number): Promise<number> {
  if (!texts.has(file))
    texts.set(file, Array.from({ length: 5_000 }, (_, at) => `line ${at} of ${file}`).join('\n'));
  const lines = { line, ...(endLine === undefined ? {} : { endLine }) };
  const { location } = await lineMaps.locate({ fsPath: file } as unknown as vscode.Uri, lines);
  return (location as unknown as { readonly position: { readonly line: number } }).position.line + 1;
}

const profiles = [
  'foreign/kripke.p8.d2.g32.r1',
  'lulesh-dynamic/lulesh.s10.i250.dynamic',
  'lulesh-mpi/lulesh.p8.s5',
  'lulesh-omp/lulesh.p1.t3.s6',
  'lulesh-serial/lulesh.s10.r1',
  'lulesh-tuple/lulesh.s10.tuple',
  'milc/milc.serial.8888.ic',
  'tiny/tiny.256.unfiltered',
].map((folder) => ({ folder, file: sharedData(`scorep/${folder}/profile.cubex`) }));

describe('a jump to code that no study measured', () => {
  it('ends on the line that is named, in files of any size', async () => {
    expect(await jump('/a.c', 1)).toBe(1);
    expect(await jump('/a.c', 137, 150)).toBe(137);
    expect(await jump('/a.c', 30_000)).toBe(5_000);
    texts.set('/large.c', `${'x'.repeat(9 << 20)}\n`.concat('y\n'.repeat(99)));
    expect(await jump('/large.c', 42, 50)).toBe(42);
  });

  it.each(profiles)('of $folder ends on the line of each region', async ({ folder, file }) => {
    if (file === undefined) {
      console.warn(`The reference profile ${folder} is not here: skipped.`);
      return;
    }
    const { regions } = readCube(readFileSync(file), file);
    const placed = regions.filter(
      (region) => sourceFile(region) !== undefined && (region.firstLine ?? 0) > 0,
    );
    for (const { file: source = '', firstLine = 0, lastLine = 0 } of placed)
      expect(await jump(source, firstLine, lastLine > 0 ? lastLine : undefined)).toBe(firstLine);
    expect(placed.length).toBeGreaterThan(0);
  });
});

describe('a document that two studies measured', () => {
  it('is compared once with each, whichever is asked in turn', async () => {
    const compared: string[] = [];
    const query = (_: string, { studyDirectory }: { readonly studyDirectory: string }): Promise<object> => {
      compared.push(studyDirectory);
      return Promise.resolve({ hunks: new Uint32Array() });
    };
    const maps = new LineMaps(
      { query } as unknown as EngineClient,
      { onDidChange: () => ({ dispose: () => undefined }) } as unknown as Studies,
    );
    const document = { getText: () => 'a\nb', lineCount: 2 } as unknown as vscode.TextDocument;
    for (const linesOf of ['/one', '/two', '/one', '/two'])
      await maps.within(document, { linesOf, file: '/a.c' });
    expect(compared).toEqual(['/one', '/two']);
  });
});

describe('series of functions without a source', () => {
  const file = sharedData('scorep/lulesh-dynamic/lulesh.s10.i250.dynamic/profile.cubex');
  it.skipIf(file === undefined)('are looked at where they are called', async () => {
    const profile = readCube(readFileSync(file ?? ''), file ?? '');
    expect(iterationsIn(profile)).toBeDefined();
    const options = { callPaths: false, inclusive: false, metrics: ['time'] };
    const source = profileSeries(memoryCube(profile, limitsFor(1 << 20)), options);
    const regions = (source === undefined ? [] : await collect(source, 1000)).map(
      ({ context }) => context.region,
    );
    expect(
      regions.filter((region) => placeToLookAt(region).file === undefined).map(({ name }) => name),
    ).toEqual([]);
    expect(regions.filter(({ file }) => file !== undefined && /^[A-Z]*$/.test(file))).toEqual([]);
  });
});
