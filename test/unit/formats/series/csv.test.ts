import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Series } from '../../../../src/core/series/series';
import { collect, opened } from './collect';
import { csvPieces } from './write';

describe('series files as CSV', () => {
  it('give back what was written, but for places and call paths', async () => {
    const context = fc.record({
      region: fc.constantFrom(
        { name: 'velo', kind: 'function' as const },
        { name: 'MPI_Wait', kind: 'mpi' as const },
        { name: 'a,"b" c', kind: 'function' as const },
        { name: '=1+1', kind: 'function' as const },
        { name: "'-x", kind: 'function' as const },
        { name: 'phase', kind: 'phase' as const },
      ),
      metric: fc.constantFrom('time', 'wait'),
      rank: fc.nat(99),
      thread: fc.nat(3),
    });
    const someSeries = fc.uniqueArray(
      fc.record({
        context,
        values: fc
          .array(fc.oneof(fc.double({ noDefaultInfinity: true }), fc.constant(Number.NaN)), {
            minLength: 12,
            maxLength: 12,
          })
          .map((values) => Float64Array.from(values, (value) => (value === 0 ? 0 : value))),
      }),
      {
        selector: ({ context: own }) => JSON.stringify(own),
        minLength: 1,
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(someSeries, fc.integer({ min: 1, max: 20 }), async (series: Series[], burst) => {
        // Only time is the phase's own; another metric of it is a region of that name.
        const usual = series.filter(
          ({ context: own }) => own.region.kind !== 'phase' || own.metric === 'time',
        );
        fc.pre(usual.length > 0);
        const read = await collect(opened([...csvPieces(usual)].join('')), burst);
        expect(read).toEqual(usual);
      }),
    );
  });

  it('are read as other programs write them', async () => {
    const read = await collect(
      opened(
        '\ufeffiteration,phase rank=2,"MPI_Wait rank=2",velo metric=visits rank=2 thread=1\r\n1, 1.5 ,"0.5",nan\r\n2,1.0D+00,.25,\r\n\r\n4,+2,NA\r\n',
      ),
    );
    expect(read).toEqual([
      {
        context: { region: { name: 'phase', kind: 'phase' }, metric: 'time', rank: 2, thread: 0 },
        values: Float64Array.of(1.5, 1, NaN, 2),
      },
      {
        context: { region: { name: 'MPI_Wait', kind: 'mpi' }, metric: 'time', rank: 2, thread: 0 },
        values: Float64Array.of(0.5, 0.25, NaN, NaN),
      },
      {
        context: { region: { name: 'velo', kind: 'function' }, metric: 'visits', rank: 2, thread: 1 },
        values: Float64Array.of(NaN, NaN, NaN, NaN),
      },
    ]);
  });

  const valuesOf = async (text: string): Promise<readonly (readonly number[])[]> =>
    (await collect(opened(text))).map(({ values }) => Array.from(values));

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('are the same with %s as with commas', async (_, separator) => {
    const lines = [
      ['\ufeff Iteration ', ' PHASE Rank=2', ' "a, b; c\td RANK=2" ', "'=x METRIC=visits"],
      ['1', ' 1.5 ', '"0.5"', 'nan'],
      ['2', '1.0D+00', '', '7'],
      ['4', '+2', 'NA', '1e3'],
    ];
    const read = await collect(opened(lines.map((cells) => cells.join(separator)).join('\r\n')));
    expect(read).toEqual([
      {
        context: { region: { name: 'phase', kind: 'phase' }, metric: 'time', rank: 2, thread: 0 },
        values: Float64Array.of(1.5, 1, NaN, 2),
      },
      {
        context: { region: { name: 'a, b; c\td', kind: 'function' }, metric: 'time', rank: 2, thread: 0 },
        values: Float64Array.of(0.5, NaN, NaN, NaN),
      },
      {
        context: { region: { name: '=x', kind: 'function' }, metric: 'visits', rank: 0, thread: 0 },
        values: Float64Array.of(NaN, 7, NaN, 1000),
      },
    ]);
  });

  it('are separated by what follows the first name, wherever the others are', async () => {
    for (const header of ['iteration,a;b', '"iteration" ,a;b', 'iteration\t,"a;b"', 'Iteration,a;b\r'])
      expect((await collect(opened(`${header}\n1,2\n`)))[0]?.context.region.name).toBe('a;b');
    const [tabs] = await collect(opened('iteration\ta,b;c\n1\t2\n'));
    expect([tabs?.context.region.name, tabs?.values]).toEqual(['a,b;c', Float64Array.of(2)]);
  });

  it('have decimal commas where these can be nothing else', async () => {
    expect(await valuesOf('iteration;a;b\n1;0,5;1\n2;"1,234";1,5E-1\n3;-12,25;,5')).toEqual([
      [0.5, 1.234, -12.25],
      [1, 0.15, 0.5],
    ]);
    expect(await valuesOf('iteration\ta\n1\t1,234\n2\t1234,567\n')).toEqual([[1.234, 1234.567]]);
    // What shows it is not always near the beginning.
    const late = `${Array.from({ length: 9000 }, (_, i) => `${i + 1};100`).join('\n')}\n9001;0,5\n`;
    await expect(valuesOf(`iteration;a\n${late}`)).rejects.toMatchObject({ where: { line: 9002 } });
    const wide = Array.from({ length: 9000 }, (_, i) => i);
    const cells = wide.map(() => '100,25');
    expect(await valuesOf(`iteration;${wide.map((i) => `a${i}`).join(';')}\n1;${cells.join(';')}\n`)).toEqual(
      wide.map(() => [100.25]),
    );
  });

  it.each([
    ['iteration;a\n1;1,234\n', 2, 4],
    ['iteration\ta\n1\t1,234\n', 2, 4],
    ['iteration;a\n1;1,234,567\n', 2, 4],
    ['iteration;a\n1;0.5\n2;1,234\n', 3, 4],
    ['iteration;a\n1;0,5\n2;1.234\n', 3, 4],
    ['iteration;a\n1;0,5\n2;1.234,5\n', 3, 4],
    ['iteration,a\n1,"1,234"\n', 2, 5],
  ])('with %j may mean two numbers, and are refused with what to do', async (text, line, column) => {
    await expect(valuesOf(text)).rejects.toMatchObject({
      reason: 'series-invalid',
      message: expect.stringContaining('with decimal points') as string,
      where: { line, column },
    });
  });

  it('with decimal commas are read as meant or refused, whatever the numbers', async () => {
    const numbers = fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(2000)), {
      minLength: 1,
      maxLength: 8,
    });
    const thousandths = fc.array(fc.nat(3_000_000), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(numbers, thousandths, fc.constantFrom(';', '\t'), async (any, whole, separator) => {
        const all = [...whole.map((number) => number / 1000), ...any];
        const rows = all.map((number, i) => `${i + 1}${separator}${String(number).replace('.', ',')}`);
        const read = await valuesOf(['iteration,a'.replace(',', separator), ...rows].join('\n')).catch(
          (error: unknown) => error,
        );
        if (read instanceof Error) expect(read).toMatchObject({ reason: 'series-invalid' });
        else expect(read).toEqual([all.map((number) => (number === 0 ? 0 : number))]);
      }),
    );
  });

  it('keep gaps that are longer than a burst', async () => {
    const [series] = await collect(opened('iteration,a\n1,1\n11,2\n'), 4);
    expect(Array.from(series?.values ?? [])).toEqual([1, ...Array<number>(9).fill(NaN), 2]);
  });

  it('say where they are wrong: line and column, what was expected and what was found', async () => {
    const wrong: readonly [text: string, line: number, column: number, message: RegExp][] = [
      ['', 1, 1, /begins with “iteration”/],
      ['time,a\n1,2', 1, 1, /“time” was found/],
      ['iteration,a,a rank=0\n', 1, 13, /column 2 again/],
      ['iteration,a rank=x\n', 1, 11, /whole number as rank/],
      ['iteration,a rank=1 rank=2\n', 1, 11, /rank= once/],
      ['iteration,\n', 1, 11, /name of a series/],
      ['iteration\n1\n', 1, 10, /a column for each series/],
      ['iteration,"a\n', 1, 11, /quote/],
      ['iteration,a\n0,1\n', 2, 1, /from 1 on/],
      ['iteration,a\n1,1\n1,2\n', 3, 1, /after 1/],
      ['iteration,a\n1,1\n3000000000,2\n', 3, 1, /soon after 1/],
      ['iteration,a\n1,1\n2,x\n', 3, 3, /“x” was found/],
      ['iteration,a\n1,1;2\n', 2, 4, /“;” was found/],
      ['iteration,a\n1,1e999\n', 2, 3, /double/],
      ['iteration,a\n1,2,3\n', 2, 5, /no more than 2 cells/],
      ['iteration,a\n1,"2\n', 2, 5, /closing quote/],
      ['iteration;a\n1,1\n', 2, 1, /from 1 on/],
      ['iteration;a\n1 2\n', 2, 3, /“2” was found/],
      ['iteration\ta\n1\t1 2\n', 2, 5, /“2” was found/],
      ['iteration,phase,Phase\n', 1, 17, /column 2 again/],
    ];
    for (const [text, line, column, message] of wrong) {
      const failure = await (async () => collect(opened(text, 'run.csv')))().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure, text).toMatchObject({
        reason: 'series-invalid',
        where: { file: 'run.csv', line, column },
      });
      expect((failure as Error).message).toMatch(message);
    }
  });
});
