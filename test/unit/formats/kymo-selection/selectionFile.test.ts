import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printSelectionFile, type SelectionFile } from '../../../../src/formats/kymo-selection/selectionFile';
import { parseSelectionFile } from '../../../selectionFile';

const site = fc.record({
  kind: fc.constantFrom('entry' as const, 'in' as const, 'out' as const),
  slot: fc.nat(9),
  offset: fc.nat(2 ** 48),
});
const plain = {
  id: fc.stringMatching(/^[0-9a-f]{16}$/),
  slotCount: fc.constant(10),
  objects: fc.array(
    fc.record({
      buildId: fc.stringMatching(/^[0-9a-f]{2,40}$/),
      name: fc.constantFrom('a.out', 'my program', 'größe', 'x entry 1 2'),
      sites: fc.array(site),
    }),
  ),
};
const samples = fc.array(
  fc.record({ slot: fc.nat(9), interval: fc.integer({ min: 1, max: 16 }).map((log2) => 2 ** log2) }),
  { minLength: 1, maxLength: 9 },
);
const phases = fc.array(fc.nat(9), { minLength: 1, maxLength: 9 });
const selection: fc.Arbitrary<SelectionFile> = fc.oneof(
  fc.record(plain),
  fc.record({ ...plain, samples }),
  fc.record({ ...plain, phases }),
  fc.record({ ...plain, phases, samples }),
  fc.record({ ...plain, idle: phases }),
  fc.record({ ...plain, phases, samples, idle: phases }),
);

describe('selection file', () => {
  it('looks as docs/formats.md says', () => {
    const text = printSelectionFile({
      id: '00000000000000ab',
      slotCount: 2,
      objects: [
        {
          buildId: 'deadbeef',
          name: 'nbody',
          sites: [
            { kind: 'in', slot: 0, offset: 0x1234 },
            { kind: 'out', slot: 0, offset: 0x1300 },
            { kind: 'entry', slot: 1, offset: 0x401000 },
          ],
        },
      ],
    });
    expect(text).toBe(
      'kymo-selection 1\nid 00000000000000ab\nslots 2\nobject deadbeef nbody\nin 0 1234\nout 0 1300\nentry 1 401000\nend\n',
    );
  });

  it('says of which slots only some visits are timed, before the objects', () => {
    const text = printSelectionFile({
      id: '00000000000000ab',
      slotCount: 2,
      samples: [{ slot: 1, interval: 64 }],
      objects: [],
    });
    expect(text).toBe('kymo-selection 2\nid 00000000000000ab\nslots 2\nsample 1 64\nend\n');
  });

  it('says whose visits are the iterations, before anything else', () => {
    const text = printSelectionFile({
      id: '00000000000000ab',
      slotCount: 3,
      phases: [2],
      samples: [{ slot: 1, interval: 64 }],
      objects: [],
    });
    expect(text).toBe('kymo-selection 3\nid 00000000000000ab\nslots 3\nphase 2\nsample 1 64\nend\n');
  });

  it('says whose sites are off at first, behind the samples', () => {
    const text = printSelectionFile({
      id: '00000000000000ab',
      slotCount: 3,
      samples: [{ slot: 1, interval: 64 }],
      idle: [0, 2],
      objects: [],
    });
    expect(text).toBe('kymo-selection 4\nid 00000000000000ab\nslots 3\nsample 1 64\nidle 0\nidle 2\nend\n');
  });

  it('what is printed is read back', () => {
    fc.assert(
      fc.property(selection, (s) => {
        expect(parseSelectionFile(printSelectionFile(s))).toEqual(s);
      }),
    );
  });

  it('a file name cannot add lines', () => {
    const hostile = 'a\nentry 0 0\r\u2028end';
    const text = printSelectionFile({
      id: '0'.repeat(16),
      slotCount: 1,
      objects: [{ buildId: 'ab', name: hostile, sites: [] }],
    });
    expect(text.split('\n')).toHaveLength(6);
    expect(parseSelectionFile(text).objects[0]?.sites).toEqual([]);
  });
});
