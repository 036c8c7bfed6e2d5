import { describe, expect, it } from 'vitest';
import { at, atInt, atUint } from '../../../../../src/core/at';
import { randomNumbers } from '../../../../../src/core/randomNumbers';
import {
  alignTraces,
  connectedBlocks,
  type Alignment,
} from '../../../../../src/core/trace/align/alignTraces';
import { RowClassifier } from '../../../../../src/core/trace/views/classify';
import { pairFacts } from '../../../../../src/core/trace/views/classes';
import { orderChanges } from '../../../../../src/core/trace/align/orderChanges';
import { alignSequences } from '../../../../../src/core/trace/align/sequences';
import type { CallTrace } from '../../../../../src/core/trace/callTrace';
import { KeyTable } from '../../../../../src/core/trace/keyTable';
import type { ComparedPairFacts } from '../../../../../src/core/trace/comparisonPieces';
import { call, figure4, handTrace, letters, type HandEntry } from '../handTrace';

/** Of traces without times, the call paths that take another time do not matter. */
const none = (): boolean => false;
const usual = { metric: 'instructions', sensitivity: 0.05 };

function aligned(left: string, right: string): readonly [CallTrace, CallTrace, Alignment] {
  const table = new KeyTable();
  const [one, other] = [handTrace(table, letters(left)), handTrace(table, letters(right))];
  return [one, other, alignTraces(one, other)];
}

function facts(left: CallTrace, right: CallTrace): ComparedPairFacts {
  return pairFacts(new RowClassifier(left, right, alignTraces(left, right)).classes(usual, none));
}

const partners = (left: string, right: string): number[] => [...aligned(left, right)[2].right];

/** A tree of up to `most` calls with few names. */
function randomEntries(random: () => number, most: number): HandEntry[] {
  let rest = Math.floor(random() * most);
  const list = (depth: number): HandEntry[] => {
    const entries: HandEntry[] = [];
    while (rest > 0 && random() < 0.7) {
      rest--;
      const name = 'abcd'[Math.floor(random() * 4)] ?? 'a';
      entries.push(call(name, { instructions: 1 }, depth < 4 ? list(depth + 1) : []));
    }
    return entries;
  };
  return list(1);
}

describe('the alignment of traces', () => {
  it('M8: aligns siblings as the toy examples say, and identical traces wholly', () => {
    expect(partners('M(ABCBCBCD)', 'M(ABCBCD)')).toEqual([0, 1, 2, 3, 4, 5, -1, -1, 6]);
    expect(partners('ABCD', 'ABXCD')).toEqual([0, 1, 3, 4]);
    expect(partners('ABXCD', 'ABCD')).toEqual([0, 1, -1, 2, 3]);
    expect(partners('M(A(B)C)', 'M(A(B)C)')).toEqual([0, 1, 2, 3]);
  });

  it('matches rows only below matched ones', () => {
    expect(partners('A(X)B', 'C(X)B')).toEqual([-1, -1, 2]);
    expect(partners('A(BC)', 'A(B)C')).toEqual([0, 1, -1]);
  });

  it('matches calls of the same structure first where a function is called several times', () => {
    // The first step is missing; by keys alone, each step would be the one after it.
    expect(partners('S(I)S(A)S(B)', 'S(A)S(B)')).toEqual([-1, -1, 0, 1, 2, 3]);
    // As many on both sides: each is the one of its place.
    expect(partners('S(I)S(A)', 'S(A)S(I)')).toEqual([0, -1, 2, -1]);
    expect(partners('S(I)S(A)T', 'S(B)T')).toEqual([0, -1, -1, -1, 2]);
  });

  it('aligns a pair of structures the same way wherever it comes again', () => {
    const [left, right] = ['A(BCD)X', 'A(BED)Y'];
    const once = partners(left, right);
    const often = partners(left.repeat(20), right.repeat(20));
    for (let repetition = 0; repetition < 20; repetition++)
      expect(often.slice(repetition * 5, repetition * 5 + 5)).toEqual(
        once.map((partner) => (partner < 0 ? -1 : partner + repetition * 5)),
      );
  });

  it('has a consistent alignment of whatever traces: ascending, with equal keys, below matched rows, the same both ways', () => {
    const random = randomNumbers(4);
    for (let round = 0; round < 300; round++) {
      const table = new KeyTable();
      const [left, right] = [
        handTrace(table, randomEntries(random, 60)),
        handTrace(table, randomEntries(random, 60)),
      ];
      const alignment = alignTraces(left, right);
      let before = -1;
      for (let row = 0; row < left.size; row++) {
        const partner = atInt(alignment.right, row);
        if (partner < 0) continue;
        expect(partner).toBeGreaterThan(before);
        before = partner;
        expect(atInt(alignment.left, partner)).toBe(row);
        expect(left.key[row]).toBe(right.key[partner]);
        expect(left.depth[row]).toBe(right.depth[partner]);
      }
      const [matched, back] = [alignment.right, alignment.left].map(
        (rows) => rows.filter((row) => row >= 0).length,
      );
      expect(matched).toBe(back);
      const connected = connectedBlocks(alignment).flatMap(({ left: i, right: j, length }) =>
        Array.from({ length }, (_, offset) => [i + offset, j + offset]),
      );
      expect(connected).toEqual([...alignment.right.entries()].filter(([, partner]) => partner >= 0));
    }
  });

  it('finds identical traces equal, and nothing but what was planted in others', () => {
    const random = randomNumbers(5);
    for (let round = 0; round < 100; round++) {
      const table = new KeyTable();
      const entries = randomEntries(random, 60);
      const left = handTrace(table, entries);
      expect(facts(left, handTrace(table, entries))).toEqual({
        matched: left.size,
        added: 0,
        deleted: 0,
        changed: 0,
        unchanged: left.size,
      });
      const place = Math.floor(random() * (entries.length + 1));
      const planted = [...entries.slice(0, place), call('new', {}, letters('nm')), ...entries.slice(place)];
      const right = handTrace(table, planted);
      expect(facts(left, right)).toEqual({
        matched: left.size,
        added: 3,
        deleted: 0,
        changed: 0,
        unchanged: left.size,
      });
      // M10: the other way round, what was added is deleted.
      expect(facts(right, left)).toEqual({
        matched: left.size,
        added: 0,
        deleted: 3,
        changed: 0,
        unchanged: left.size,
      });
    }
  });

  it('M11: connects blocks, not single rows', () => {
    const [left, right, alignment] = aligned('A(BC)D', 'XA(BC)YD');
    expect(left.size + right.size).toBe(10);
    expect(connectedBlocks(alignment)).toEqual([
      { left: 0, right: 1, length: 3 },
      { left: 3, right: 5, length: 1 },
    ]);
  });

  it('M13: aligns Fig. 4 in order in blocks of 5, 2, 1 and 5, as the flat sequences of its entries', () => {
    const [left, right] = figure4(new KeyTable());
    const flat = ({ key, depth }: CallTrace): Uint32Array =>
      key.map((own, row) => own * 8 + atUint(depth, row));
    const blocks = alignSequences(flat(left), flat(right));
    expect(blocks.map(({ length }) => length)).toEqual([5, 2, 1, 5]);
    expect(connectedBlocks(alignTraces(left, right))).toEqual(blocks);
    expect(facts(left, right)).toEqual({ matched: 13, added: 3, deleted: 1, changed: 5, unchanged: 8 });
  });

  it('aligns the calls of a deep recursion', () => {
    let entry = call('leaf');
    for (let depth = 0; depth < 1_000; depth++) entry = call('r', {}, [entry, call(`x${depth}`)]);
    const table = new KeyTable();
    const left = handTrace(table, [entry]);
    expect(facts(left, handTrace(table, [call('s'), entry])).matched).toBe(left.size);
    expect(facts(left, handTrace(table, [call('r', {}, [entry])])).matched).toBeGreaterThan(0);
  });
});

describe('calls in another order', () => {
  const changed = (left: string, right: string): unknown => orderChanges(...aligned(left, right));

  it('are found where the calls are the same', () => {
    expect(changed('M(AB)', 'M(BA)')).toEqual([{ left: 0, right: 0 }]);
    expect(changed('AB', 'BA')).toEqual([{ left: -1, right: -1 }]);
    expect(changed('M(AAB)', 'M(ABA)')).toEqual([{ left: 0, right: 0 }]);
    expect(changed('XM(AB)N(CD)', 'M(AB)N(DC)')).toEqual([{ left: 4, right: 3 }]);
  });

  it('are not found where calls are others, or the same', () => {
    for (const [left = '', right = ''] of [
      ['M(AB)', 'M(AB)'],
      ['M(AB)', 'M(BC)'],
      ['M(AB)', 'M(BAA)'],
      ['M(AB)', 'M(BAC)'],
      ['M(ABC)', 'M(AB)'],
    ])
      expect(changed(left, right), `${left} ${right}`).toEqual([]);
  });

  it('are compared per call of their caller', () => {
    const table = new KeyTable();
    const of = (count: number, names: string): CallTrace =>
      handTrace(table, [
        call(
          'M',
          { count },
          Array.from(names, (name) => call(name, { count })),
        ),
      ]);
    const [left, right] = [of(10, 'AB'), of(20, 'BA')];
    expect(orderChanges(left, right, alignTraces(left, right))).toHaveLength(1);
  });
});

describe('the classes of rows', () => {
  const pair = (
    one: Partial<HandEntry>,
    other: Partial<HandEntry>,
    rest = 0,
  ): readonly [CallTrace, CallTrace] => {
    const table = new KeyTable();
    const of = (facts: Partial<HandEntry>): CallTrace =>
      handTrace(table, [{ ...call('a'), ...facts }, call('rest', { instructions: rest })]);
    return [of(one), of(other)];
  };
  const isChanged = (
    one: Partial<HandEntry>,
    other: Partial<HandEntry>,
    sensitivity: number,
    rest = 0,
    metric = 'instructions',
    isNamed = none,
  ): boolean => {
    const [left, right] = pair(one, other, rest);
    const classifier = new RowClassifier(left, right, alignTraces(left, right));
    const classes = classifier.classes({ metric, sensitivity }, isNamed);
    expect(classes.left).toEqual(classes.right);
    return at([...classes.left], 0) === 1;
  };
  const instructions = (number: number): Partial<HandEntry> => ({ instructions: number });

  it('M9: tolerate 5 % and no more, and nothing at 0 %', () => {
    expect(isChanged(instructions(1000), instructions(1049), 0.05)).toBe(false);
    expect(isChanged(instructions(1000), instructions(1050), 0.05)).toBe(false);
    expect(isChanged(instructions(1000), instructions(1051), 0.05)).toBe(true);
    expect(isChanged(instructions(1000), instructions(949), 0.05)).toBe(true);
    expect(isChanged(instructions(1000), instructions(1000), 0)).toBe(false);
    expect(isChanged(instructions(1000), instructions(1001), 0)).toBe(true);
    expect(isChanged(instructions(1), instructions(2), 0, 1e9)).toBe(true);
  });

  it('M9: ignore what is below a thousandth of a per cent on both sides', () => {
    expect(isChanged(instructions(9), instructions(5), 0.05, 1e6)).toBe(false);
    expect(isChanged(instructions(9), instructions(11), 0.05, 1e6)).toBe(true);
    expect(isChanged(instructions(0), instructions(9), 0.05, 1e6)).toBe(false);
    expect(isChanged(instructions(0), instructions(11), 0.05, 1e6)).toBe(true);
  });

  it('see another number of calls, other sizes, and the metric that is asked for', () => {
    expect(isChanged({ count: 40 }, { count: 41 }, 0.05)).toBe(true);
    const sized = (size: number): Partial<HandEntry> => ({
      key: { kind: 'send', call: 'MPI_SEND', partner: 1 },
      size,
    });
    expect(isChanged(sized(750), sized(750), 0.05)).toBe(false);
    expect(isChanged(sized(750), sized(751), 0.05)).toBe(true);
    expect(isChanged({ seconds: 1, instructions: 1 }, { seconds: 2, instructions: 1 }, 0.05)).toBe(false);
  });

  it('see another time where the comparison names the call path by its time', () => {
    const see = (seconds: number, isNamed: boolean, sensitivity = 0.05): boolean =>
      isChanged({ seconds: 1 }, { seconds }, sensitivity, 0, 'time', () => isNamed);
    expect(see(2, true)).toBe(true);
    expect(see(0.5, true)).toBe(true);
    expect(see(2, false)).toBe(false);
    expect(see(1.04, true)).toBe(false);
    // At 0 % any difference is one.
    expect(see(1.04, false, 0)).toBe(true);
  });

  it('M10: exchange added and deleted when traces are swapped', () => {
    const [left, right] = aligned('AB(C)D', 'AEB(F)');
    expect(facts(left, right)).toEqual({ matched: 2, added: 2, deleted: 2, changed: 0, unchanged: 2 });
    const classes = new RowClassifier(left, right, alignTraces(left, right)).classes(usual, none);
    const swapped = new RowClassifier(right, left, alignTraces(right, left)).classes(usual, none);
    const exchanged = (all: Uint8Array): number[] => Array.from(all, (own) => [0, 1, 3, 2][own] ?? own);
    expect([...swapped.left]).toEqual(exchanged(classes.right));
    expect([...swapped.right]).toEqual(exchanged(classes.left));
  });
});
