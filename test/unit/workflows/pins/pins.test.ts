import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listPins, pin, undoPin } from '../../../../src/workflows/pins';
import { matchPins, pinnedFunctions } from '../../../../src/workflows/pins/pinnedFunctions';
import { fn, graphOf } from '../../core/selection/graphs';
import { iterationOf, studyFileOf } from '../studyFiles';

let workspace = '';
const pinsFile = (): string => path.join(workspace, '.kymo', 'pins.json');

beforeEach(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'kymo-pins-'));
  const study = path.join(workspace, '.kymo', 't', 's');
  await mkdir(path.join(study, 'i0'), { recursive: true });
  await writeFile(
    path.join(study, 'study.json'),
    JSON.stringify(studyFileOf({ iterations: [iterationOf(0)] })),
  );
  const row = (key: string, name: string, hasSite = true): object => ({
    key,
    name,
    selected: true,
    reason: 'in: the program begins here',
    hasSite,
  });
  await writeFile(
    path.join(study, 'functions.json'),
    JSON.stringify({
      kymoFunctions: 1,
      functions: [row('_Z4stepi', 'step(int)'), row('main', 'main'), row('tiny', 'tiny', false)],
    }),
  );
});

afterEach(async () => rm(workspace, { recursive: true, force: true }));

describe('pins', () => {
  it('are set by key or name, listed, changed and taken away', async () => {
    const first = await pin({ workspace, functions: ['step'], byName: true, state: 'out' });
    expect(first.message).toBe('Excluded step(int): it will be left out from the next round on.');
    expect((await listPins(workspace)).pins).toEqual([{ key: '_Z4stepi', name: 'step(int)', state: 'out' }]);
    await pin({ workspace, functions: ['_Z4stepi', 'main'], state: 'in' });
    expect((await listPins(workspace)).pins.map(({ state }) => state)).toEqual(['in', 'in']);
    await pin({ workspace, functions: ['_Z4stepi', 'main'], state: 'none' });
    expect((await listPins(workspace)).pins).toEqual([]);
  });

  it('undo one change after the other, whatever it was', async () => {
    await pin({ workspace, functions: ['main'], state: 'in' });
    await pin({ workspace, functions: ['main', '_Z4stepi'], state: 'out' });
    expect((await undoPin(workspace)).message).toBe('Undone: Excluded main and 1 more.');
    expect((await listPins(workspace)).pins).toEqual([{ key: 'main', name: 'main', state: 'in' }]);
    expect((await undoPin(workspace)).pins).toEqual([]);
    expect((await undoPin(workspace)).message).toContain('no change');
  });

  it('a change that changes nothing is nothing to undo', async () => {
    await pin({ workspace, functions: ['main'], state: 'in' });
    await pin({ workspace, functions: ['main'], state: 'in' });
    expect((await undoPin(workspace)).pins).toEqual([]);
  });

  it('say of a function without a site that it cannot be recorded, and why', async () => {
    const { notes } = await pin({ workspace, functions: ['tiny'], state: 'in' });
    expect(notes.join(' ')).toMatch(/tiny cannot be recorded .* no patch point/);
    expect((await pin({ workspace, functions: ['tiny'], state: 'out' })).notes).toEqual([]);
  });

  it('refuse a function that no study knows, and say what to do', async () => {
    await expect(pin({ workspace, functions: ['nope'], state: 'in' })).rejects.toMatchObject({
      reason: 'unknown-function',
    });
    await rm(path.join(workspace, '.kymo'), { recursive: true });
    await expect(pin({ workspace, functions: ['main'], state: 'in' })).rejects.toThrow(/Run a refinement/);
  });

  it('of functions that are gone can be taken away', async () => {
    await pin({ workspace, functions: ['main'], state: 'in' });
    await rm(path.join(workspace, '.kymo', 't'), { recursive: true });
    expect((await pin({ workspace, functions: ['main'], state: 'none' })).pins).toEqual([]);
  });

  it('never overwrite a damaged file', async () => {
    await writeFile(pinsFile(), '{"kymoPins": 1, "pins": [{"ke');
    await expect(listPins(workspace)).rejects.toMatchObject({ reason: 'pins-invalid' });
    await expect(pin({ workspace, functions: ['main'], state: 'in' })).rejects.toThrow(/Fix it, or remove/);
    expect(await readFile(pinsFile(), 'utf8')).toContain('{"ke');
    const notes: string[] = [];
    const pinned = await pinnedFunctions(workspace, graphOf([], []), (note) => notes.push(note));
    expect(pinned.pinnedIn.size + pinned.pinnedOut.size).toBe(0);
    expect(notes.join(' ')).toContain('not honoured');
  });

  it('keep all changes of many that write at once', async () => {
    const keys = ['main', '_Z4stepi', 'tiny'];
    await Promise.all(keys.map((key) => pin({ workspace, functions: [key], state: 'out' })));
    const { pins } = await listPins(workspace);
    expect(pins.map(({ key }) => key).sort()).toEqual([...keys].sort());
  });
});

describe('matchPins', () => {
  const graph = graphOf(
    [
      fn('a', { name: 'a()' }),
      fn('b2', { name: 'b()' }),
      fn('c@x.c:9', { name: 'c', file: 'x.c' }),
      fn('c@y.c:1', { name: 'c', file: 'y.c' }),
    ],
    [],
  );

  it('goes by key, then by name and file, then by a name that means one function', () => {
    const notes: string[] = [];
    const pinned = matchPins(
      [
        { key: 'a', name: 'a()', state: 'in' },
        { key: 'b1', name: 'b()', state: 'out' },
        { key: 'c@x.c:5', name: 'c', file: 'x.c', state: 'out' },
        { key: 'c@z.c:5', name: 'c', file: 'z.c', state: 'in' },
        { key: 'of another target', name: 'x()', state: 'in' },
      ],
      graph,
      (note) => notes.push(note),
    );
    expect([...pinned.pinnedIn]).toEqual(['a']);
    expect([...pinned.pinnedOut]).toEqual(['b2', 'c@x.c:9']);
    expect(notes).toHaveLength(2);
  });

  it('prefers a pin of the very function to one that was made for another version of it', () => {
    const pinned = matchPins(
      [
        { key: 'b1', name: 'b()', state: 'out' },
        { key: 'b2', name: 'b()', state: 'in' },
      ],
      graph,
    );
    expect(pinned).toEqual({ pinnedIn: new Set(['b2']), pinnedOut: new Set() });
  });
});
