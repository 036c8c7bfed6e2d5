import { describe, expect, it, test } from 'vitest';
import type { ProcessContext } from '../../../../../src/core/groups/context';
import { groupReadings } from '../../../../../src/core/groups/differences/readings';
import { comparableAfter } from '../../../../../src/core/groups/graph/fallbacks';
import { bt, contextOf, many, ranks, w6, w8 } from '../contexts';

const read = (context: ProcessContext): readonly string[] => groupReadings(context).sentences;

describe('sentences about groups', () => {
  test('D12: W6', () => {
    expect(read(w6)).toEqual([
      'No function is called by all 4 ranks.',
      'Ranks 1, 3 call the same functions.',
      'Rank 2 does everything that all other ranks do.',
      'Rank 2 does everything that ranks 1, 3 do, and additionally calls A.',
      'Rank 2 does everything that rank 0 does, and additionally calls B and C.',
      'Rank 0 and ranks 1, 3 do different work: they have no function in common. Only rank 0 calls A; only ranks 1, 3 call B and C.',
    ]);
  });

  test('D12: W8', () => {
    expect(read(w8)).toEqual([
      'All 16 threads call common_0, common_1, common_2 and 106 more, and have 109 of 453 pairs of caller and callee in common (24.1 %).',
      'Threads 1–3 of ranks 0–3 make the same calls.',
      'Ranks 1–3 make the same calls.',
      'Rank 0 does everything that ranks 1–3 do, and additionally calls first_0, first_1, first_2, first_3, first_4, first_5 and 89 more.',
      'Threads 1–3 of ranks 0–3 and ranks 1–3 do different work: they have 109 of 358 pairs of caller and callee in common (30.4 %). Only threads 1–3 of ranks 0–3 call thread_0, thread_1, thread_2, thread_3, thread_4, thread_5 and 27 more; only ranks 1–3 call process_0, process_1, process_2, process_3, process_4, process_5 and 210 more.',
      'Rank 0 and threads 1–3 of ranks 0–3 do different work: they have 109 of 453 pairs of caller and callee in common (24.1 %). Only rank 0 calls process_0, process_1, process_2, process_3, process_4, process_5 and 305 more; only threads 1–3 of ranks 0–3 call thread_0, thread_1, thread_2, thread_3, thread_4, thread_5 and 27 more.',
    ]);
  });

  test('D5, D12: a run as of BT', () => {
    expect(read(bt)).toEqual([
      'All 16 threads call !$omp parallel @bt.f:7, kernel_0, kernel_1 and 54 more, and have 56 of 126 pairs of caller and callee in common (44.4 %).',
      'Threads 1–3 of ranks 0–3 make the same calls.',
      'Ranks 1–3 make the same calls.',
      'Rank 0 does everything that all other threads do.',
      'Rank 0 does everything that ranks 1–3 do, and additionally calls print_results.',
      'Ranks 1–3 do everything that threads 1–3 of ranks 0–3 do, and additionally call main, phase_0, phase_1, phase_2, phase_3, phase_4 and 61 more.',
      'Rank 0 does everything that threads 1–3 of ranks 0–3 do, and additionally calls main, phase_0, phase_1, phase_2, phase_3, phase_4 and 62 more.',
    ]);
  });

  test('D4, D12: the same apart from intermediate calls, and from where', () => {
    const w1 = contextOf(
      ranks(
        ['main', 'main>MPI_Init', 'main>fopen', 'MPI_Init>fopen'],
        ['main', 'main>MPI_Init', 'MPI_Init>fopen'],
      ),
    );
    expect(read(w1)).toEqual([
      'Both ranks call main, MPI_Init and fopen, and have 3 of 4 pairs of caller and callee in common (75.0 %).',
      'Rank 0 and rank 1 do the same work apart from intermediate calls. Only rank 0 calls fopen from main.',
    ]);
  });

  test('D4, D12: more calls of the same functions', () => {
    const plain = ['main', 'main>a', 'main>b'];
    expect(read(contextOf(ranks([...plain, 'a>b'], plain))).at(-1)).toBe(
      'Rank 0 does everything that rank 1 does, and additionally calls b from a.',
    );
  });

  test('D12: what is nearest to equal comes first', () => {
    const [one, other] = [
      ['main', 'main>a', 'main>b', 'a>b'],
      ['main', 'main>a', 'a>b'],
    ];
    const { differences } = groupReadings(contextOf(ranks([...one, 'main>c'], one, other, ['d'])));
    expect(differences.map(({ one: x, other: y, kind }) => [x, y, kind])).toEqual([
      [1, 2, 'intermediate'],
      [0, 1, 'more'],
      [0, 2, 'more'],
      [0, 3, 'different'],
      [1, 3, 'different'],
      [2, 3, 'different'],
    ]);
  });

  test('D4, D12: nearly the same and nearly everything', () => {
    const all = many(96, (index) => `f${index}`);
    expect(read(contextOf(ranks([...all, 'a'], [...all, 'b']), 'functions')).at(-1)).toBe(
      'Rank 0 and rank 1 do nearly the same work. Only rank 0 calls a; only rank 1 calls b.',
    );
    const other = many(20, (index) => `b${index}`);
    expect(read(contextOf(ranks([...all, 'a'], [...all, ...other]), 'functions')).at(-1)).toBe(
      'Rank 1 does nearly everything that rank 0 does (99.0 %). Only rank 1 calls b0, b1, b2, b3, b4, b5 and 14 more; only rank 0 calls a.',
    );
    // What is not everything is not shown as 100 %.
    const large = many(4000, (index) => `f${index}`);
    expect(
      read(contextOf(ranks([...large, 'a'], [...large, ...many(400, String)]), 'functions')).at(-1),
    ).toContain('does nearly everything that rank 0 does (99.9 %).');
  });

  test('D12: work that has something in common', () => {
    expect(read(contextOf(ranks(['A', 'B', 'C'], ['B', 'D']), 'functions'))).toEqual([
      'Both ranks call B.',
      'Rank 0 and rank 1 do different work: they have 1 of 4 functions in common (25.0 %). Only rank 0 calls A and C; only rank 1 calls D.',
    ]);
  });

  test('D12: one group, one process, none', () => {
    expect(read(contextOf(ranks(['main', 'main>f'], ['main', 'main>f'])))).toEqual([
      'Both ranks make the same calls.',
    ]);
    expect(read(contextOf(ranks(['f'], ['f'], ['f']), 'functions'))).toEqual([
      'All 3 ranks call the same functions.',
    ]);
    expect(read(contextOf(ranks(['main'])))).toEqual([]);
    expect(read(contextOf([]))).toEqual([]);
  });

  it('describe the six largest groups', () => {
    const rows = many(8, (index) => `f${index}`);
    const context = contextOf(ranks(...rows.map((name) => [name]), ['f6'], ['f7']), 'functions');
    const { differences, sentences, names } = groupReadings(context);
    expect(names).toHaveLength(8);
    expect(new Set(differences.flatMap(({ one, other }) => [one, other]))).toEqual(
      new Set([0, 1, 2, 3, 6, 7]),
    );
    expect(sentences.at(-1)).toBe('2 further groups are not described here.');
    expect(groupReadings(context, { most: 7 }).sentences.at(-1)).toBe(
      '1 further group is not described here.',
    );
    expect(groupReadings(context, { most: 8 }).differences).toHaveLength(28);
  });

  it('call irregular processes so', () => {
    const context = contextOf(ranks(['A'], ['B'], ['A', 'C'], ['D'], ['D']), 'functions');
    const { context: smaller, combined } = comparableAfter(context, 'combine');
    expect(combined).toBe(0);
    expect(groupReadings(smaller, { combined: 0, most: 1 }).names[0]?.text).toBe('the 3 irregular ranks');
    expect(groupReadings(smaller, { combined: 0 }).sentences).toEqual([
      'No function is called by all 5 ranks.',
      'Ranks 3–4 call the same functions.',
      'The 3 irregular ranks and ranks 3–4 do different work: they have no function in common. Only the 3 irregular ranks call A, B and C; only ranks 3–4 call D.',
    ]);
  });

  it('hold for names of any length and kind', () => {
    const names = [`x${'y'.repeat(100_000)}`, 'a\nb', '\u202e', 'f(int) (a.c)', ''];
    const context = contextOf(ranks(names, ['main']), 'functions');
    for (const sentence of read(context)) {
      expect(sentence.length).toBeLessThan(300);
      expect(sentence).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});
