import { describe, expect, it } from 'vitest';
import { TraceFunctions } from '../../../../src/formats/otf2/functions';
import { enterKind, eventKind } from '../../../../src/formats/otf2/layouts/events';
import { openMemory } from './memoryArchive';
import { smallTrace, undefinedRef } from './smallTrace';

const contextEnter = eventKind('CALLING_CONTEXT_ENTER');
const { definitions } = openMemory(
  smallTrace({
    functions: ['main', 'solve'],
    ranks: [[]],
    define: (writer) => {
      const name = writer.string('far');
      const place = { file: undefinedRef, firstLine: 0, lastLine: 0 };
      const region = { name, canonicalName: name, description: name, role: 1, paradigm: 2, flags: 0 };
      writer.define('REGION', { id: 3_000_000_000, ...region, ...place });
      for (const [id, of] of [
        [0, 1],
        [7, 5],
      ] as const)
        writer.define('CALLING_CONTEXT', {
          id,
          region: of,
          sourceCodeLocation: undefinedRef,
          parent: undefinedRef,
        });
    },
  }),
  'traces',
);

describe('functions of a trace', () => {
  it('have the positions of their regions, whatever their ids are', () => {
    const functions = new TraceFunctions(definitions);
    expect([0, 1, 3_000_000_000].map((id) => functions.positionOf(enterKind, id))).toEqual([0, 1, 2]);
    expect(functions.positionOf(contextEnter, 0)).toBe(1);
    expect(functions.unknown).toEqual([]);
  });

  it('are made for ids that are not defined, in the order in which these come', () => {
    const functions = new TraceFunctions(definitions);
    expect([5, 2 ** 32, 5].map((id) => functions.positionOf(enterKind, id))).toEqual([3, 4, 3]);
    expect([7, 8].map((id) => functions.positionOf(contextEnter, id))).toEqual([3, 5]);
    expect(functions.unknown).toEqual(['region 5', 'region 4294967296', 'calling context 8']);
    expect(functions.list[3]).toEqual({ name: 'region 5', role: 'unknown', paradigm: 'unknown' });
  });

  it('are bounded, however many ids are not defined', () => {
    const functions = new TraceFunctions(definitions);
    const positions = Array.from({ length: 3000 }, (_, id) => functions.positionOf(enterKind, 10 + id));
    expect(positions[999]).toBe(1002);
    expect(new Set(positions.slice(1000))).toEqual(new Set([1003]));
    expect(functions.list).toHaveLength(functions.most);
    expect(functions.list.at(-1)?.name).toBe('functions that the trace does not define');
  });

  it('are those of an earlier index and no others', () => {
    const fixed = new TraceFunctions(definitions, ['region 5']);
    expect([1, 5, 6].map((id) => fixed.positionOf(enterKind, id))).toEqual([1, 3, -1]);
    const names = ['region 5', 'functions that the trace does not define'];
    const full = new TraceFunctions(definitions, names);
    expect([5, 6].map((id) => full.positionOf(enterKind, id))).toEqual([3, 4]);
    expect(full.unknown).toEqual(names);
  });
});
