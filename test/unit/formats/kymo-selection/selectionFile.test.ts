import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseSelectionFile,
  printSelectionFile,
  type SelectionFile,
} from '../../../../src/formats/kymo-selection/selectionFile';

const site = fc.record({
  kind: fc.constantFrom('entry' as const, 'in' as const, 'out' as const),
  slot: fc.nat(9),
  offset: fc.nat(2 ** 48),
});
const selection: fc.Arbitrary<SelectionFile> = fc.record({
  id: fc.stringMatching(/^[0-9a-f]{16}$/),
  slotCount: fc.constant(10),
  objects: fc.array(
    fc.record({
      buildId: fc.stringMatching(/^[0-9a-f]{2,40}$/),
      name: fc.constantFrom('a.out', 'my program', 'größe', 'x entry 1 2'),
      sites: fc.array(site),
    }),
  ),
});

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

  it('what is printed is read back', () => {
    fc.assert(
      fc.property(selection, (s) => {
        expect(parseSelectionFile(printSelectionFile(s), 'x')).toEqual(s);
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
    expect(parseSelectionFile(text, 'x').objects[0]?.sites).toEqual([]);
  });

  it('cut off anywhere is refused', () => {
    const text = 'kymo-selection 1\nid 00000000000000ab\nslots 1\nobject ab x\nin 0 12\nend';
    for (let length = 0; length < text.length; length++) {
      expect(() => parseSelectionFile(text.slice(0, length), 'sel'), text.slice(0, length)).toThrow(
        /^sel:\d/,
      );
    }
    expect(parseSelectionFile(text, 'sel').slotCount).toBe(1);
  });

  it.each([
    ['in 0 12', 'before the first "object"'],
    ['object ab x\nin 5 12', 'slot 5 is not below'],
    ['object ab x\nin 0 -1', 'expected a number'],
    ['object xyz x', 'a build id in hex'],
    ['surprise', '"surprise" is not known'],
  ])('refuses %j', (lines, message) => {
    const text = `kymo-selection 1\nid 00000000000000ab\nslots 1\n${lines}\nend\n`;
    expect(() => parseSelectionFile(text, 'sel')).toThrow(message);
  });
});
