import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pinFromFile, type Pin } from '../../../../src/workflows/pins';
import { sharedData } from '../../../shared';
import { iterationOf, studyFileOf } from '../studyFiles';

let workspace = '';
const study = (): string => path.join(workspace, '.kymo', 't', 's');

beforeEach(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'kymo-pin-from-'));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

async function refined(
  functions: readonly (readonly [mangledName: string, selected: boolean])[],
): Promise<void> {
  await mkdir(path.join(study(), 'i0'), { recursive: true });
  await writeFile(
    path.join(study(), 'study.json'),
    JSON.stringify(studyFileOf({ iterations: [iterationOf(0)] })),
  );
  await writeFile(
    path.join(study(), 'functions.json'),
    JSON.stringify({
      kymoFunctions: 1,
      functions: functions.map(([mangledName, selected]) => ({
        key: mangledName,
        name: mangledName,
        mangledName,
        selected,
        reason: '',
        hasSite: true,
      })),
    }),
  );
}

async function pinned(
  name: string,
  text: string,
): Promise<{ pins: readonly string[]; notes: readonly string[] }> {
  const file = path.join(workspace, name);
  await writeFile(file, text);
  const { pins, notes } = await pinFromFile({ workspace, file });
  return { pins: pins.map(({ key, state }: Pin) => `${state} ${key}`).sort(), notes };
}

describe('pins from a file', () => {
  const program = [
    ['main', true],
    ['_ZN4Heap4downEi', true],
    ['_ZN4Heap2upEi', false],
  ] as const;

  it('take a CaPI selection, a plain list and a list of PIRA alike', async () => {
    for (const [name, text] of [
      ['capi.json', '{"selection": {"main": {"flags": 1}, "_ZN4Heap2upEi": {"flags": 1}}}'],
      ['plain.txt', '# mine\nmain\n_ZN4Heap2upEi\n'],
      [
        'pira.filt',
        'SCOREP_REGION_NAMES_BEGIN\nINCLUDE main\nINCLUDE _ZN4Heap2upEi\nSCOREP_REGION_NAMES_END\n',
      ],
    ] as const) {
      await rm(path.join(workspace, '.kymo'), { recursive: true, force: true });
      await refined(program);
      const { pins } = await pinned(name, text);
      expect(pins, name).toEqual(['in _ZN4Heap2upEi', 'out _ZN4Heap4downEi']);
    }
  });

  it('tell which listed functions the program has not', async () => {
    await refined(program);
    const { notes } = await pinned('plain.txt', 'main\nHeap::up\n');
    expect(notes).toEqual([
      expect.stringMatching(/^1 of the 2 functions that plain\.txt names are not in the program: Heap::up\./),
    ]);
  });

  it('say what to do when nothing was refined yet', async () => {
    await expect(pinned('plain.txt', 'main\n')).rejects.toMatchObject({ reason: 'nothing-refined' });
  });

  const proposed = sharedData('scorep/filters/tiny-scorep-score-g.filter');
  it.skipIf(proposed === undefined)('take what scorep-score proposes', async () => {
    await refined(program);
    const { pins } = await pinFromFile({ workspace, file: proposed! });
    expect(pins.map(({ key, state }) => `${state} ${key}`)).toEqual(['out _ZN4Heap4downEi']);
  });
});
