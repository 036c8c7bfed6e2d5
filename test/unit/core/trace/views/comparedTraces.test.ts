import { describe, expect, it } from 'vitest';
import { at, atUint } from '../../../../../src/core/at';
import { randomNumbers } from '../../../../../src/core/randomNumbers';
import type { TraceView } from '../../../../../src/core/trace/views/compareTraces';
import type { CallTrace } from '../../../../../src/core/trace/callTrace';
import type {
  ComparisonFilter,
  ComparisonRow,
  ComparisonSettings,
} from '../../../../../src/core/trace/comparisonPieces';
import { KeyTable } from '../../../../../src/core/trace/keyTable';
import { TraceBuilder } from '../../../../../src/core/trace/build/traceBuilder';
import { inMemory } from '../../../../../src/core/trace/traceSource';
import { ComparedTraces } from '../../../../../src/core/trace/views/comparedTraces';
import { usualFilter } from '../../../../../src/protocol/comparison';
import { call, figure4, handTrace, letters, message } from '../handTrace';

const chain: ComparisonSettings = {
  mode: 'chain',
  metric: 'instructions',
  sensitivity: 0.05,
  isRelative: false,
  shows: usualFilter,
};
const frequency: ComparisonSettings = { ...chain, mode: 'frequency' };
const showing = (shows: Partial<ComparisonFilter>, settings = chain): ComparisonSettings => ({
  ...settings,
  shows: { ...settings.shows, ...shows },
});

const viewOf = (...traces: CallTrace[]): TraceView => ({ name: 'a view', traces: traces.map(inMemory) });

function of(...texts: string[]): ComparedTraces {
  const table = new KeyTable();
  return new ComparedTraces(
    texts.map((text) => viewOf(handTrace(table, letters(text)))),
    table,
  );
}

function fig4(): ComparedTraces {
  const table = new KeyTable();
  return new ComparedTraces(
    figure4(table).map((trace) => viewOf(trace)),
    table,
  );
}

const all = (
  compared: ComparedTraces,
  settings: ComparisonSettings,
  view?: number,
): readonly ComparisonRow[] => compared.rows({ settings, ...(view === undefined ? {} : { view }) }, 0, 1_000);
const names = (rows: readonly ComparisonRow[]): string[] => rows.map(({ name }) => name);
/** `A=+` : the name and the class in each pair. */
const marks: Record<string, string> = { equal: '=', changed: '≠', added: '+', deleted: '-' };
const lines = (rows: readonly ComparisonRow[]): string[] =>
  rows.map(
    ({ depth, name, classes }) =>
      `${'.'.repeat(depth)}${name}${classes.map((own) => (own === undefined ? ' ' : marks[own])).join('')}`,
  );

describe('the rows of compared traces', () => {
  it('M13: Fig. 4 in the frequency view has 14 matched, 2 added, 0 deleted, 6 changed, 8 unchanged', () => {
    const facts = { matched: 14, added: 2, deleted: 0, changed: 6, unchanged: 8 };
    expect(fig4().summary({ settings: frequency }).pairs).toEqual([facts]);
    // The same in the other mode: they are facts of call paths.
    expect(fig4().summary({ settings: chain }).pairs).toEqual([facts]);
    expect(lines(all(fig4(), frequency))).toEqual([
      '.source.f=',
      '.sweep.f=',
      '..octant.f=',
      '..mpi_stuff.f≠',
      '...MPI_RECV from 3≠',
      '...MPI_RECV from 4+',
      '..mpi_stuff.f≠',
      '...MPI_SEND to 0≠',
      '...MPI_SEND to 4+',
      '...MPI_SEND to 3≠',
      '...MPI_RECV from 0≠',
      '.mpi_stuff.f=',
      '..MPI_ALLREDUCE=',
      '.flux_err.f=',
      '..mpi_stuff.f=',
      '...MPI_ALLREDUCE=',
    ]);
  });

  it('M13: Fig. 4 in order has one row deleted and three added', () => {
    expect(lines(all(fig4(), chain)).filter((line) => /[-+]$/.test(line))).toEqual([
      '...MPI_RECV from 4+',
      '...MPI_RECV from 0+',
      '...MPI_SEND to 4+',
      '...MPI_RECV from 0-',
    ]);
  });

  it('show the values of each view, and where the entry is', () => {
    const rows = all(fig4(), frequency);
    const [, sweep] = rows;
    expect(sweep).toMatchObject({
      kind: 'context',
      place: { file: 'sweep.f', line: 2 },
      lastLine: 625,
      cells: [
        { count: 1, seconds: 1.50463, instructions: 98_794 },
        { count: 1, seconds: 1.50463 },
      ],
    });
    expect(sweep?.cells[0]?.share).toBeCloseTo(98_828 / 100_001, 12);
    expect(rows[4]?.cells).toMatchObject([
      { count: 40, size: { mean: 750, least: 750, most: 750 } },
      { count: 40, size: { mean: 510, least: 510, most: 510 } },
    ]);
    expect(rows[5]?.cells).toMatchObject([undefined, { count: 40 }]);
    expect(rows[4]).not.toHaveProperty('place');
    expect(rows[1]?.cells[0]).not.toHaveProperty('size');
  });

  it('M12: compare the first view with the second and the second with the third', () => {
    expect(lines(all(of('AB', 'AXB', 'AXC'), chain))).toEqual(['.A==', '.X+=', '.B=-', '.C +']);
    // What the second does not have is not compared with the third.
    expect(lines(all(of('AB', 'A', 'AB'), chain))).toEqual(['.A==', '.B- ', '.B +']);
    const [first, second] = of('ABC', 'AC', 'ADC').summary({ settings: chain }).pairs;
    expect(first).toMatchObject({ matched: 2, deleted: 1, added: 0 });
    expect(second).toMatchObject({ matched: 2, deleted: 0, added: 1 });
  });

  it('M12: have every row of each view once, in its order and at its depth, whatever the three are', () => {
    const random = randomNumbers(6);
    const text = (depth: number): string => {
      let one = '';
      while (random() < 0.75 && one.length < 40) {
        one += 'ABCD'[Math.floor(random() * 4)] ?? 'A';
        if (depth < 3 && random() < 0.5) one += `(${text(depth + 1)})`;
      }
      return one;
    };
    for (let round = 0; round < 60; round++) {
      const table = new KeyTable();
      const traces = [1, 2, 3].map(() => handTrace(table, letters(text(1))));
      const compared = new ComparedTraces(
        traces.map((trace) => viewOf(trace)),
        table,
      );
      const { merged } = compared.mode(chain);
      for (const [view, trace] of traces.entries()) {
        const own = [...at(merged.rows, view).entries()].filter(([, row]) => row >= 0);
        expect(own.map(([, row]) => row)).toEqual([...trace.key.keys()]);
        for (const [row, inView] of own) expect(merged.depth[row]).toBe(trace.depth[inView]);
      }
      for (const settings of [chain, frequency]) {
        const rows = compared.mode(settings);
        const callers: number[] = [];
        for (let row = 0; row < rows.merged.size; row++) {
          callers.length = atUint(rows.merged.depth, row) - 1;
          // Below its own caller in each view.
          for (const [view, column] of rows.merged.rows.entries()) {
            const inView = column[row] ?? -1;
            const above = callers.at(-1);
            if (inView < 0 || above === undefined) continue;
            const caller = at(rows.merged.rows, view)[above] ?? -1;
            expect(caller).toBeGreaterThanOrEqual(0);
            expect(inView > caller && inView < atUint(at(rows.traces, view).end, caller)).toBe(true);
          }
          callers.push(row);
        }
        expect(all(compared, settings)).toHaveLength(rows.merged.size);
      }
    }
  });

  it('colour calls by their time where the comparison names them, and not where single calls vary', () => {
    const changed = (times: readonly number[]): string[] => {
      const table = new KeyTable();
      const run = (ofA: readonly number[], by: number): CallTrace => {
        const builder = new TraceBuilder(table);
        const one = (name: string, seconds: number): void => {
          builder.enter(table.context(name, { name }));
          builder.leave(seconds, []);
        };
        for (const [step, seconds] of ofA.entries()) {
          one('A', seconds);
          for (const name of ['B', 'C', 'D']) one(name, 1 + (step % 2 === 0 ? by : -by));
          // No two steps are the same, so that each call is a row.
          one(`E${step}`, 0.001);
        }
        return builder.finish({ name: 'a', rank: 0, ranks: 1, sizeUnit: 'bytes' });
      };
      const views = [viewOf(run([1, 1.01, 0.99, 1], 0.01)), viewOf(run(times, 0.012))];
      const rows = all(new ComparedTraces(views, table), { ...chain, metric: 'time' });
      expect(rows).toHaveLength(20);
      return lines(rows).filter((line) => line.endsWith('≠'));
    };
    // One of four calls was interrupted: the function is not named, and no row has another colour.
    expect(changed([1.5, 1.01, 0.99, 1])).toEqual([]);
    expect(changed([1.5, 1.51, 1.02, 1.5])).toEqual([]);
    expect(changed([1.5, 1.51, 1.49, 1.5])).toEqual(['.A≠', '.A≠', '.A≠', '.A≠']);
  });

  it('M14: hide kinds of entries without changing what is compared', () => {
    const rows = all(fig4(), chain);
    const kinds = [
      ['collectives', 'collective'],
      ['contexts', 'context'],
    ] as const;
    for (const [filter, kind] of kinds)
      expect(all(fig4(), showing({ [filter]: false }))).toEqual(rows.filter((row) => row.kind !== kind));
    expect(all(fig4(), showing({ pointToPoint: false }))).toEqual(
      rows.filter(({ kind }) => kind !== 'send' && kind !== 'receive'),
    );
  });

  it('M15: highlight hot spots by their inclusive share', () => {
    const hot = (hotSpotShare: number): string[] =>
      names(all(fig4(), showing({ hotSpotShare }, frequency)).filter(({ isHotSpot }) => isHotSpot));
    expect(hot(0.01)).toEqual(['sweep.f']);
    expect(hot(0.005)).toEqual(['source.f', 'sweep.f']);
  });

  it('M16: show a view alone, without the rows of the others', () => {
    expect(lines(all(of('AXB', 'AYB'), chain, 0))).toEqual(['.A=', '.X-', '.B=']);
    expect(lines(all(of('AXB', 'AYB'), chain, 1))).toEqual(['.A=', '.Y+', '.B=']);
    expect(all(of('AXB', 'AYB'), chain)).toHaveLength(4);
  });

  it('M17: end at a depth', () => {
    expect(names(all(fig4(), showing({ depth: 1 }, frequency)))).toEqual([
      'source.f',
      'sweep.f',
      'mpi_stuff.f',
      'flux_err.f',
    ]);
  });

  it('show only what differs, with its callers', () => {
    const onlyDifferent = { onlyDifferent: true };
    expect(lines(all(of('A(BC(D))E(F)', 'A(BC(X))E(F)'), showing(onlyDifferent)))).toEqual([
      '.A=',
      '..C=',
      '...D-',
      '...X+',
    ]);
    // What differs is too deep to be shown, but not of a kind that is hidden.
    expect(lines(all(of('A(B(D))E', 'A(B(X))E'), showing({ ...onlyDifferent, depth: 1 })))).toEqual(['.A=']);
    const withoutMessages = showing({ ...onlyDifferent, pointToPoint: false }, frequency);
    expect(names(all(fig4(), withoutMessages))).toEqual(['sweep.f', 'mpi_stuff.f', 'mpi_stuff.f']);
  });

  it('M9: are classified again for another sensitivity, without another alignment', () => {
    const table = new KeyTable();
    const trace = (instructions: number): TraceView =>
      viewOf(handTrace(table, [call('a', { instructions })]));
    const compared = new ComparedTraces([trace(1000), trace(1051)], table);
    const rows = compared.mode(chain);
    const classOf = (sensitivity: number): unknown =>
      all(compared, { ...showing({}), sensitivity }).map(({ classes }) => classes);
    expect([0.05, 0.06, 0].map(classOf)).toEqual([[['changed']], [['equal']], [['changed']]]);
    expect(compared.mode({ ...chain, sensitivity: 0.2 } as ComparisonSettings)).toBe(rows);
  });

  it('M20: see no difference between ranks of a pattern that is the same for all, with relative partners', () => {
    const table = new KeyTable();
    const rank = (own: number): TraceView =>
      viewOf(
        handTrace(
          table,
          [
            call('exchange', {}, [
              message('send', (own + 1) % 8, { size: 10 }),
              message('receive', (own + 7) % 8, { size: 10 }),
            ]),
          ],
          { rank: own, ranks: 8 },
        ),
      );
    const compared = new ComparedTraces([rank(0), rank(7)], table);
    expect(compared.summary({ settings: { ...chain, isRelative: true } }).pairs).toEqual([
      { matched: 3, added: 0, deleted: 0, changed: 0, unchanged: 3 },
    ]);
    expect(names(all(compared, { ...chain, isRelative: true }))).toEqual([
      'exchange',
      'MPI_SEND to +1',
      'MPI_RECV from −1',
    ]);
    expect(compared.summary({ settings: chain }).pairs).toEqual([
      { matched: 1, added: 2, deleted: 2, changed: 0, unchanged: 1 },
    ]);
  });

  it('show loops at their first row, by view', () => {
    const table = new KeyTable();
    const built = (repeats: number): CallTrace => {
      const builder = new TraceBuilder(table);
      const enter = (name: string): void => builder.enter(table.context(name, { name }));
      enter('M');
      for (let step = 0; step < repeats; step++) {
        for (const name of ['A', 'B']) {
          enter(name);
          builder.leave(1, []);
        }
      }
      builder.leave(1, []);
      return builder.finish({ name: 'a', rank: 0, ranks: 1, sizeUnit: 'bytes' });
    };
    const compared = new ComparedTraces([viewOf(built(10)), viewOf(built(1))], table);
    const rows = all(compared, { ...chain, metric: 'time' });
    expect(lines(rows)).toEqual(['.M=', '..A≠', '..B≠']);
    expect(rows.map(({ loop }) => loop)).toEqual([
      undefined,
      { rows: 2, repeats: [10, undefined] },
      undefined,
    ]);
  });

  it('compare views of several processes one after the other, or together', () => {
    const table = new KeyTable();
    const trace = (text: string): CallTrace => handTrace(table, letters(text));
    const compared = new ComparedTraces(
      [viewOf(trace('M(A)'), trace('M(B)')), viewOf(trace('M(A)'), trace('M(BC)'))],
      table,
    );
    expect(lines(all(compared, chain))).toEqual(['.M=', '..A=', '.M=', '..B=', '..C+']);
    expect(lines(all(compared, frequency))).toEqual(['.M=', '..A=', '..B=', '..C+']);
    expect(all(compared, frequency)[0]?.cells[0]?.count).toBe(2);
  });

  it('have the call chains of as many threads as there is room for, and the call paths of all', () => {
    const table = new KeyTable();
    const trace = (text: string): CallTrace => handTrace(table, letters(text));
    const views = [
      viewOf(...['M(A)', 'M(B)', 'M(C)'].map(trace)),
      viewOf(...['M(A)', 'M(BC)', 'M'].map(trace)),
    ];
    const shown = (room: number): readonly string[] =>
      lines(all(new ComparedTraces(views, table, room), chain));
    expect(shown(4)).toEqual(['.M=', '..A=']);
    expect(shown(1)).toEqual(shown(4));
    expect(shown(5)).toEqual(['.M=', '..A=', '.M=', '..B=', '..C+']);
    const notes = (room: number): string =>
      new ComparedTraces(views, table, room).notes({ ...chain, metric: 'time' }).join('\n');
    expect(notes(4)).toContain('The call chains are those of the first 1 of 3 threads');
    expect(notes(6)).not.toContain('call chains');
    expect(lines(all(new ComparedTraces(views, table, 1), frequency))).toEqual([
      ...['.M=', '..A=', '..B='],
      '..C=',
    ]);
  });
});

describe('finding in compared traces', () => {
  it('goes to the next difference or text, forwards and backwards', () => {
    const asked = { settings: chain };
    const compared = of('AXBCD', 'ABCYD');
    expect(names(all(compared, chain))).toEqual(['A', 'X', 'B', 'C', 'Y', 'D']);
    const find = (row: number, isBackwards: boolean, text?: string): number | undefined =>
      compared.find(asked, { row, isBackwards, ...(text === undefined ? {} : { text }) });
    expect([find(-1, false), find(1, false), find(4, false)]).toEqual([1, 4, undefined]);
    expect([find(6, true), find(4, true), find(1, true)]).toEqual([4, 1, undefined]);
    expect([find(-1, false, 'c'), find(5, true, 'A'), find(0, false, 'z')]).toEqual([3, 0, undefined]);
    expect(compared.find({ settings: chain, view: 0 }, { row: -1, isBackwards: false, text: 'Y' })).toBe(
      undefined,
    );
  });

  it('M22: has the place of an entry, and of a message the one of its caller', () => {
    const compared = fig4();
    const place = (row: number): unknown => compared.place({ settings: frequency }, row);
    expect(place(1)).toMatchObject({ file: 'sweep.f', line: 2 });
    expect(place(10)).toMatchObject({ file: 'mpi_stuff.f', line: 73 });
    expect(place(99)).toBeUndefined();
  });

  it('M19: has the rows of characteristics, in both modes', () => {
    const compared = fig4();
    for (const settings of [frequency, chain]) {
      const { characteristics, rows } = compared.summary({ settings });
      const shown = all(compared, settings);
      expect(shown).toHaveLength(rows);
      const found = (kind: string): string[] =>
        characteristics.flatMap((own) => (own.kind === kind ? [shown[own.row]?.name ?? ''] : []));
      expect(found('message sizes').sort()).toEqual(['MPI_RECV from 3', 'mpi_stuff.f']);
      expect(found('counts')).toContain('mpi_stuff.f');
      expect(found('partners')).toEqual(['mpi_stuff.f', 'mpi_stuff.f']);
      expect(characteristics.find(({ kind }) => kind === 'partners')?.sentence).toContain('rank 4');
    }
    // Where the row is hidden, the one before it.
    const settings = showing({ depth: 1 }, frequency);
    const [size] = compared
      .summary({ settings })
      .characteristics.filter(({ kind }) => kind === 'message sizes');
    expect(all(compared, settings)[size?.row ?? -1]?.name).toBe('sweep.f');
  });
});

describe('M21: the overview', () => {
  it('has 100 000 entries in one strip, in which the strongest class of a pixel wins', () => {
    const table = new KeyTable();
    const entries = (changed: boolean): CallTrace =>
      handTrace(
        table,
        Array.from({ length: 100_000 }, (_, row) =>
          call(changed && row === 70_000 ? 'new' : `f${row % 7}`, {
            instructions: changed && row === 30_000 ? 2 : 1,
          }),
        ),
      );
    const compared = new ComparedTraces([viewOf(entries(false)), viewOf(entries(true))], table);
    const { strips, rows } = compared.overview({ settings: { ...chain, sensitivity: 0 } }, 1_000);
    const [first, second] = [at(strips, 0), at(strips, 1)];
    const others = (strip: Uint8Array): number[][] => [...strip.entries()].filter(([, own]) => own !== 0);
    expect(others(first)).toEqual([
      [299, 1],
      [300, 1],
      [699, 3],
      [700, 3],
    ]);
    expect(others(second)).toEqual([
      [299, 1],
      [300, 1],
      [700, 2],
    ]);
    expect(rows[0]).toBe(0);
    expect(rows[500]).toBeGreaterThanOrEqual(49_999);
    expect(rows[500]).toBeLessThanOrEqual(50_001);
  });

  it('is as long as rows have entries, and each has a pixel', () => {
    const table = new KeyTable();
    const trace = (name: string): CallTrace =>
      handTrace(table, [call('a', { count: 98 }), call(name), call('b')]);
    const compared = new ComparedTraces([viewOf(trace('x')), viewOf(trace('y'))], table);
    const { strips, rows } = compared.overview({ settings: chain }, 10);
    expect(strips.map((strip) => [...strip])).toEqual([
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 2],
    ]);
    expect([...rows]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const alone = compared.overview({ settings: showing({ onlyDifferent: true }), view: 1 }, 2);
    expect(alone.strips[1]).toEqual(Uint8Array.of(2, 2));
    const empty = compared.overview({ settings: showing({ contexts: false }) }, 2);
    expect(empty.strips[0]).toEqual(Uint8Array.of(0xff, 0xff));
  });
});
