import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateShape, specOf } from '../../../../src/overlay/layout/generate';
import { LayoutError } from '../../../../src/overlay/layout/layoutError';
import { parseLayout } from '../../../../src/overlay/layout/parseLayout';
import { parseHosts, placeOnHosts, type Hosts } from '../../../../src/overlay/layout/placement';
import { printLayout } from '../../../../src/overlay/layout/printLayout';
import { evenShape } from '../../../../src/overlay/layout/shape';

const anywhere: Hosts = { kind: 'shared', hosts: [{ host: 'localhost', slots: 5000 }] };
const faultOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof LayoutError) return error;
    throw error;
  }
  throw new Error('accepted');
};

describe('generated layouts', () => {
  test.each([
    ['b:4^2', 21, 16, 4],
    ['b:8^3', 585, 512, 72],
    ['b:16^3', 4369, 4096, 272],
    ['b:2x4x8', 75, 64, 10],
    ['k:2@128', 128, 64, 63],
    ['k:3@27', 27, 18, 8],
    ['g:2:8,4', 15, 12, 2],
    ['g:4:4x4', 21, 16, 4],
  ])('N2: %s has %i processes, %i leaves and %i inner ones', (spec, processes, leaves, inner) => {
    const layout = placeOnHosts(generateShape(spec), anywhere);
    expect(layout.nodes.length).toBe(processes);
    expect(layout.leaves).toBe(leaves);
    expect(layout.nodes.length - layout.leaves - 1).toBe(inner);
    expect(printLayout(placeOnHosts(generateShape(spec), anywhere))).toBe(printLayout(layout));
    expect(parseLayout({ text: printLayout(layout) })).toEqual(layout);
  });

  test('N2: fan-outs are those of the specification, level by level', () => {
    const fanOuts = (spec: string) => generateShape(spec).map(({ children }) => children.length);
    expect(fanOuts('b:2x3')).toEqual([2, 3, 3, 0, 0, 0, 0, 0, 0]);
    expect(fanOuts('g:2:1,2')).toEqual([2, 1, 2, 0, 0, 0]);
    expect(fanOuts('g:3:0,2x1')).toEqual([3, 0, 1, 1, 0, 0]);
    // The binomial tree of 8: the root has sub-trees of 4, 2 and 1.
    expect(fanOuts('k:2@8')).toEqual([3, 2, 1, 0, 1, 0, 0, 0]);
  });

  test.each([
    ['4^2', 1, '"b:", "k:" or "g:"'],
    ['b:4^', 5, 'a whole number from 1'],
    ['b:0x2', 3, 'a whole number from 1'],
    ['b:2xx3', 5, 'a whole number from 1'],
    ['k:1@8', 3, 'a whole number from 2'],
    ['k:2', 3, 'K@N'],
    ['g:2:8', 5, 'numbers of children for the 2 processes of the level above'],
    ['g:2:8,4,1', 5, 'numbers of children for the 2 processes of the level above'],
    ['g:2:0,0', 5, 'at least one child at each level'],
    ['g:2:2x2x2', 5, 'N or KxN'],
    ['g:1:-1', 5, 'a whole number from 0'],
    ['b:1e2', 3, 'a whole number from 1'],
  ])('N2: refuses %s at character %i', (spec, column, expected) => {
    const error = faultOf(() => generateShape(spec));
    expect(error).toMatchObject({ reason: 'bad-syntax', where: { column } });
    expect(error.message).toContain(`expected ${expected}`);
  });

  test('N2: a tree larger than a network may be is refused before it is made', () => {
    for (const spec of [
      'b:100000^9',
      'b:2^18',
      'b:262144',
      'g:262144',
      'k:2@262145',
      'g:100000:100000x100000',
    ])
      expect(faultOf(() => generateShape(spec)).reason).toMatch(/too-large|bad-syntax/u);
    expect(generateShape('k:2@262144').length).toBe(262_144);
  });

  test('N2: the specification of a tree generates it', () => {
    for (const spec of ['b:4^2', 'b:2x4x8', 'g:2:8,4', 'g:3:0,2x1'])
      expect(specOf(generateShape(spec))).toBe(spec);
    expect(specOf(generateShape('g:4:4x4'))).toBe('b:4^2');
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        (...of) => {
          const shape = evenShape(...of);
          expect(generateShape(specOf(shape))).toEqual(shape);
        },
      ),
    );
  });

  test('N2: an even tree has all its leaves at one depth, and shares them evenly', () => {
    const counts = evenShape(20, 8, 2).map(({ children }) => children.length);
    expect(counts.slice(0, 4)).toEqual([3, 7, 7, 6]);
    expect(counts.slice(4)).toEqual(new Array(20).fill(0));
  });
});

describe('placement on hosts', () => {
  const shape = generateShape('b:2^2');
  const names = (hosts: Hosts) =>
    placeOnHosts(shape, hosts).nodes.map(({ host, index }) => `${host}:${index}`);

  test('N2: separate lists keep inner processes off the hosts of back ends', () => {
    const backEnds = parseHosts({ text: 'n1:2\nn2:2 # the job\n' });
    const inner = parseHosts({ text: '\nlogin\n s1:3\n' });
    expect(names({ kind: 'separate', backEnds, inner })).toEqual([
      'n1:0',
      'n1:1',
      'n2:0',
      'n2:1',
      'login:0',
      's1:0',
      's1:1',
    ]);
  });

  test('N2: one list is filled level by level; a front end of its own needs no slot', () => {
    const hosts = [
      { host: 'a', slots: 4 },
      { host: 'z', slots: 0 },
      { host: 'b', slots: 2 },
    ];
    expect(names({ kind: 'shared', hosts, frontEnd: 'a' })).toEqual([
      'a:3',
      'a:4',
      'b:0',
      'b:1',
      'a:0',
      'a:1',
      'a:2',
    ]);
    expect(faultOf(() => names({ kind: 'shared', hosts })).message).toBe(
      'The tree needs 7 slots for processes, and the 3 hosts of the list have 6. Add hosts or slots, or choose a smaller tree.',
    );
  });

  test('N2: names the list whose slots run out', () => {
    const few = [{ host: 'a', slots: 3 }];
    const error = faultOf(() => names({ kind: 'separate', backEnds: few, inner: few }));
    expect(error.reason).toBe('slots-run-out');
    expect(error.message).toContain('4 slots for back ends, and the 1 hosts of the list have 3');
    const inner = faultOf(() =>
      names({ kind: 'separate', backEnds: [{ host: 'a', slots: 4 }], inner: [{ host: 'b', slots: 2 }] }),
    );
    expect(inner.message).toContain('3 slots for the front end and inner processes');
  });

  test('N2: a line of a list of hosts that is no host is refused with its place', () => {
    expect(faultOf(() => parseHosts({ text: 'a:2\n  b:x\n', file: 'hosts' }))).toMatchObject({
      reason: 'bad-syntax',
      where: { file: 'hosts', line: 2, column: 3 },
    });
    for (const text of ['-oX', 'a b', 'a:1:2', 'a:-1', 'a;rm', 'a:999999'])
      expect(faultOf(() => parseHosts({ text })).reason).toBe('bad-syntax');
  });
});
