import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import {
  compose,
  composeAll,
  difference,
  noFolding,
  type Folding,
} from '../../../../src/core/diagnosis/folding/folding';
import { foldedTree } from '../../../../src/core/diagnosis/folding/foldedTree';
import type { FoldingMode } from '../../../../src/core/diagnosis/folding/foldingSender';
import { foldSource } from '../../../../src/core/diagnosis/folding/foldSource';
import { sizeOf } from '../../../../src/core/diagnosis/folding/sourceGraph';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { foldingParameters, Foldings } from '../../../../src/overlay/filters/foldings';
import { OverlayError } from '../../../../src/overlay/packets/overlayError';
import { Packet } from '../../../../src/overlay/packets/packet';
import type { Packable } from '../../../../src/overlay/packets/values';
import { packColumns, type Column } from '../../../../src/overlay/services/columns';
import {
  foldingColumns,
  foldingFormat,
  foldingValues,
  readFolding,
  sendAllFormat,
} from '../../../../src/overlay/services/foldingPacket';
import { contentsOf, fold, hosts, linesOf, syntheticHost } from '../../core/diagnosis/folding/graphs';
import { batched, bytesOf, folding } from './foldingNetwork';
import { volume } from '../../../volume';

const packetOf = (folding: Folding, sequence = 1, source = 0): Packet =>
  Packet.of(100, source, foldingFormat, foldingValues({ sequence, folding }));

describe('a folded graph in a packet', () => {
  const isStrict = fc.boolean();

  it('F4: is what it was, whole or as a change', () => {
    fc.assert(
      fc.property(hosts(0), hosts(0), isStrict, fc.nat(), (before, after, strictSignatures, sequence) => {
        const graphOf = (nodes: typeof before): Folding =>
          foldSource({ level: 'program', label: '', children: nodes }, { strictSignatures });
        for (const folding of [graphOf(after), difference(graphOf(before), graphOf(after))]) {
          const read = readFolding(packetOf(folding, sequence));
          expect(read.sequence).toBe(sequence);
          expect(contentsOf(read.folding)).toEqual(contentsOf(folding));
        }
      }),
    );
  });

  it('that is damaged anywhere is refused with a reason, or is a graph that can be shown', () => {
    const whole = packetOf(fold(syntheticHost(3), syntheticHost(4)));
    const bytes = Buffer.alloc(whole.size);
    whole.write(bytes, 0);
    const random = randomNumbers(1);
    const pick = (below: number): number => Math.floor(random() * below);
    const header = 14 + whole.format.latin1.length;
    const other = fold(syntheticHost(0));
    let refused = 0;
    for (let attempt = 0; attempt < 5000; attempt++) {
      const damaged = Buffer.from(bytes);
      for (let change = 0; change <= pick(3); change++)
        damaged[header + pick(damaged.length - header)] = pick(256);
      try {
        const { folding } = readFolding(Packet.read(damaged, 0, damaged.length));
        const tree = foldedTree(compose(other, folding));
        expect(sizeOf(tree)).toBeLessThan(200);
      } catch (error) {
        expect(error).toBeInstanceOf(OverlayError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(1000);
  });

  it('that names all numbers there are is shown without counting them', () => {
    const everybody = good.map((own, position) =>
      position === 7 ? (own as number[]).map((_, place) => (place % 2 === 0 ? 0 : 2 ** 32 - 1)) : own,
    );
    const { folding } = readFolding(ofColumns(everybody));
    expect(linesOf(folding)[0]).toBe(`host * true ×${2 ** 32} ${2 ** 32}/1`);
  });

  const ofColumns = (columns: readonly Column[]): Packet =>
    Packet.of(100, 0, foldingFormat, [1, packColumns(columns)]);
  const good = foldingColumns(fold(syntheticHost(3)));
  const [, parents, , , labels] = good as readonly (readonly number[])[];
  const nodes = parents?.length ?? 0;
  const same = (value: number, length = nodes): readonly number[] => new Array<number>(length).fill(value);
  const first = (value: number, column: readonly number[] | undefined): readonly number[] => [
    value,
    ...(column ?? []).slice(1),
  ];
  it.each<[string, number, Column]>([
    ['a text without end', 0, ['r'.repeat(5000)]],
    ['a node above itself', 1, first(0, parents)],
    ['a node above nothing', 1, first(-2, parents)],
    ['a level too few', 2, same(0, nodes - 1)],
    ['a level that is not there', 2, same(77)],
    ['a truth that is not there', 3, same(4)],
    ['a label that is not there', 4, first(1000, labels)],
    ['a signature that is not there', 5, first(1000, same(-1))],
    ['a signature below all', 5, first(-2, same(-1))],
    ['two nodes of one path', 4, same(0)],
    ['runs that are not there', 6, same(2)],
    ['runs of no node', 6, []],
    ['a run that ends before it begins', 7, [3, 2, ...same(3, 2 * nodes - 2)]],
    ['a run above all numbers', 7, [3, 2 ** 32, ...same(3, 2 * nodes - 2)]],
    ['a run of none', 8, same(0)],
    ['a run without end', 8, same(2 ** 30)],
    ['a kind of owner too many', 9, [0, 1, 1, 0]],
    ['owners that are not there', 9, [0, 2, 1]],
    ['owners in no order', 10, [5, 3, 3, 3]],
    ['half a range of owners', 10, [3, 3, 3]],
    ['a host without a name', 11, [3, 4]],
    ['a process without a host', 14, []],
    ['a process without a name', 15, []],
  ])('with %s is refused', (_, position, value) => {
    const columns = good.map((own, place) => (place === position ? value : own));
    expect(() => readFolding(ofColumns(columns))).toThrow(OverlayError);
  });

  it('with columns that are cut, go on, or are longer than their bytes is refused', () => {
    const bytes = [...packColumns(good)];
    const read = (own: readonly number[]) => () => readFolding(Packet.of(100, 0, foldingFormat, [1, own]));
    expect(read(bytes)).not.toThrow();
    expect(read(bytes.slice(0, -1))).toThrow(OverlayError);
    expect(read([...bytes, 0])).toThrow(/after the last column/);
    expect(read([0xff, 0xff, 0xff, 0xff, 0x0f])).toThrow(/beyond the end/);
    expect(read([0xff, 0xff, 0xff, 0xff, 0xff, 0x0f])).toThrow(/without end/);
  });

  it.each([
    ['name', fold(syntheticHost(3)), 'n'.repeat(257)],
    ['path', noFolding, 'deep'],
  ] as const)('with a %s too long is refused', (kind, folding, text) => {
    if (kind === 'name') {
      const named = { ...folding, names: { ...folding.names, hosts: new Map([[3, text]]) } };
      expect(() => readFolding(packetOf(named))).toThrow(/length of names/);
      return;
    }
    const depth = 4000;
    const chain = Array.from({ length: depth }, (_, node) => node - 1);
    const zeros = same(0, depth);
    const columns = [
      ['f'],
      chain,
      zeros,
      zeros,
      zeros,
      zeros,
      zeros,
      [],
      [],
      [0, 0, 0],
      [],
      [],
      [],
      [],
      [],
      [],
    ];
    expect(() => readFolding(ofColumns(columns))).toThrow(/depths of nodes/);
  });
});

describe('the filter for folding', () => {
  const filterOf = () => {
    const filter = new Foldings({ rank: 9, isFrontEnd: false, children: [1, 2], backEnds: 2 });
    const given: Packet[] = [];
    const asked: Packet[] = [];
    const problems: string[] = [];
    const output = {
      up: (packet: Packet) => void given.push(packet),
      down: (packet: Packet) => void asked.push(packet),
      problem: ({ message }: OverlayError) => void problems.push(message),
    };
    return {
      filter,
      given,
      asked,
      problems,
      apply: (...packets: readonly Packet[]) => filter.apply(packets, output),
      result: () => composeAll(given.map((packet) => readFolding(packet).folding)),
    };
  };
  const [a, b] = [fold(syntheticHost(0)), fold(syntheticHost(1))];
  const flipped = difference(a, fold(syntheticHost(0, 1)));

  it('F4: passes on what is new, of all children together and with numbers of its own, and nothing of nothing', () => {
    const { apply, given, result } = filterOf();
    apply(packetOf(a, 7, 1), packetOf(b, 4, 2));
    apply(packetOf(flipped, 8, 1), packetOf(difference(fold(syntheticHost(0, 1)), a), 9, 1));
    apply();
    expect(given).toHaveLength(1);
    apply(packetOf(flipped, 10, 1));
    expect(given.map((packet) => [packet.source, packet.tag, readFolding(packet).sequence])).toEqual([
      [9, 100, 1],
      [9, 100, 2],
    ]);
    expect(contentsOf(readFolding(at(given, 1)).folding)).toEqual(contentsOf(flipped));
    expect(contentsOf(result())).toEqual(contentsOf(fold(syntheticHost(0, 1), syntheticHost(1))));
  });

  it('F4: when a packet is missing, says so and asks for whole graphs, once until what comes is right again', () => {
    const { apply, asked, problems, result } = filterOf();
    apply(packetOf(a, 1, 1), packetOf(b, 1, 2));
    apply(packetOf(difference(fold(syntheticHost(0, 1)), fold(syntheticHost(0, 2))), 3, 1));
    expect(asked.map(({ tag, format }) => [tag, format.text])).toEqual([[100, sendAllFormat]]);
    expect(problems).toEqual(['Part of what rank 1 found was lost. Packet 3 came instead of 2.']);
    apply(packetOf(noFolding, 5, 1));
    expect(asked).toHaveLength(1);
    expect(problems).toHaveLength(2);
    apply(packetOf(fold(syntheticHost(0, 2)), 6, 1));
    expect(contentsOf(result())).toEqual(contentsOf(fold(syntheticHost(0, 2), syntheticHost(1))));
    apply(packetOf(noFolding, 8, 1));
    expect(asked).toHaveLength(2);
  });

  it('F4: a packet that is wrong costs nothing of the others in its wave', () => {
    const { apply, asked, problems, result } = filterOf();
    const wrong = Packet.of(100, 1, '%d', [1]);
    apply(wrong, packetOf(b, 1, 2));
    apply(wrong);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^Part of what rank 1 found was lost. The packet was packed with/);
    expect(asked).toHaveLength(1);
    expect(contentsOf(result())).toEqual(contentsOf(b));
    apply(packetOf(a, 3, 1));
    expect(problems).toHaveLength(2);
    expect(contentsOf(result())).toEqual(contentsOf(fold(syntheticHost(0), syntheticHost(1))));
  });

  it('F4: takes any number after the tree has changed', () => {
    const { apply, filter, problems, asked } = filterOf();
    apply(packetOf(a, 1, 1));
    filter.setChildren();
    apply(packetOf(flipped, 1, 1));
    expect([...problems, ...asked]).toEqual([]);
  });

  it('F4: in the mode for whole graphs passes on all that it has whole, and the rest once', () => {
    const { apply, filter, given, result } = filterOf();
    filter.setParameters(Packet.of(100, 0, ...parametersOf('full')));
    apply(packetOf(a, 1, 1), packetOf(difference(b, fold(syntheticHost(1, 1))), 1, 2));
    apply(packetOf(a, 2, 1));
    expect(contentsOf(readFolding(at(given, 1)).folding)).toEqual(
      contentsOf({ ...a, names: readFolding(at(given, 1)).folding.names }),
    );
    apply(packetOf(fold(syntheticHost(1)), 2, 2));
    expect(contentsOf(result())).toEqual(contentsOf(fold(syntheticHost(0), syntheticHost(1))));
  });

  it('refuses a mode that does not exist', () => {
    const { filter } = filterOf();
    expect(() => filter.setParameters(Packet.of(100, 0, '%uc', [7]))).toThrow(
      /no parameters of the filter “folding”/,
    );
  });
});

const parametersOf = (mode: FoldingMode): [string, readonly Packable[]] => {
  const [format, ...values] = foldingParameters(mode);
  return [format, values];
};

describe('folding in a network', () => {
  it.each([[[16]], [[4, 4]], [[2, 2, 4]], [[4, 2, 2]]])(
    'F3: a tree %j gives the front end the graph of all, in few packets',
    (fanOuts) => {
      const { state, all } = folding(fanOuts, 1);
      expect(contentsOf(state.graph)).toEqual(contentsOf(all()));
      expect(sizeOf(foldedTree(state.graph))).toBe(43);
      expect(state.packets).toBeLessThanOrEqual(2);
    },
  );

  it('F4: after each step, what changes add up to is what whole graphs are', () => {
    const [delta, full] = [folding([2, 2, 2], 3), folding([2, 2, 2], 3, 'full')];
    const random = randomNumbers(5);
    for (let step = 0; step < 40; step++) {
      const [rank, shift] = [Math.floor(random() * 8), Math.floor(random() * 5)];
      for (const { show, network, state, all } of [delta, full]) {
        show(rank, shift);
        network.run();
        expect(contentsOf(state.graph)).toEqual(contentsOf(all()));
      }
      expect(contentsOf(delta.state.graph)).toEqual(contentsOf(full.state.graph));
    }
  });

  it('F4: who moves to another parent is counted once and not lost, whichever processes are killed, whenever', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<readonly number[]>([4, 4], [2, 2, 2], [3, 2], [2, 3, 2]),
        fc.nat(),
        fc.array(fc.record({ time: fc.double({ min: 0, max: 400, noNaN: true }), which: fc.nat(99) }), {
          minLength: 1,
          maxLength: 4,
        }),
        (fanOuts, seed, kills) => {
          const { network, state, show, all, leaves } = folding(fanOuts, seed);
          const begun = network.now;
          for (const { time, which } of kills)
            network.at(begun + time, () => {
              const { inner } = network;
              if (inner.length > 0) network.kill(at(inner, which % inner.length));
            });
          for (let change = 0; change < 60; change++)
            network.at(begun + network.random() * 400, () =>
              show(Math.floor(network.random() * leaves), Math.floor(network.random() * 5)),
            );
          network.run();
          expect(contentsOf(state.graph)).toEqual(contentsOf(all()));
        },
      ),
      { numRuns: volume({ full: 60, usual: 20 }) },
    );
  });

  it('F4: a back end that comes later is in the graph', () => {
    const { network, stream, state, graphs, all } = folding([2, 2], 4);
    graphs.set(30, fold(syntheticHost(30)));
    network.add(30, 4);
    network.run();
    stream.send(100, '%d', 1);
    network.run();
    expect(contentsOf(state.graph)).toEqual(contentsOf(all()));
  });

  it('F4: at 1,024 processes changes have at least 10 times fewer bytes than whole graphs at each step, as published, over all links and at the front end', () => {
    const steps = volume({ full: 200, usual: 80 });
    const [delta, full] = [bytesOf('delta', batched, steps), bytesOf('full', { kind: 'none' }, steps)];
    expect(full.all / delta.all).toBeGreaterThan(10);
    expect(full.top / delta.top).toBeGreaterThan(10);
  });
});
