import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Series, SeriesContext } from '../../../../src/core/series/series';
import { bytesSource, type ByteSource } from '../../../../src/formats/byteSource';
import { openSeries } from '../../../../src/formats/series/read';
import { collect, opened } from './collect';
import { ndjsonPieces } from './write';

const header = '{"kymoSeries":1,"unit":"s","phase":"OP"}';

const regions = fc.constantFrom<SeriesContext['region'][]>(
  { name: 'velo', kind: 'function', file: '/src/velo.f', line: 12, endLine: 80 },
  { name: 'MPI_Wait', kind: 'mpi' },
  { name: 'OP', kind: 'phase' },
  { name: 'OP', kind: 'loop', line: 3 },
  { name: 'quote " and \\ and ] “values”:[', kind: 'user' },
);
const context = fc.record({
  region: regions,
  metric: fc.constantFrom('time', 'wait', '"values":['),
  rank: fc.nat(99),
  thread: fc.nat(3),
});
const someSeries = fc.uniqueArray(
  fc.record({
    context,
    values: fc
      .array(fc.oneof(fc.double({ noDefaultInfinity: true }), fc.constant(Number.NaN)), { maxLength: 30 })
      .map((values) => Float64Array.from(values, (value) => (value === 0 ? 0 : value))),
  }),
  { selector: ({ context: own }) => JSON.stringify(own), maxLength: 8 },
);

describe('series files as NDJSON', () => {
  it('give back exactly what was written, whatever the burst', async () => {
    await fc.assert(
      fc.asyncProperty(someSeries, fc.integer({ min: 1, max: 40 }), async (series: Series[], burst) => {
        const text = [...ndjsonPieces({ unit: 's', phase: 'OP' }, series)].join('');
        const source = opened(text);
        const read = await collect(source, burst);
        const iterations = Math.max(0, ...series.map(({ values }) => values.length));
        expect(source.iterations).toBe(iterations);
        const expected = series
          .filter(({ values }) => values.length > 0)
          .map(({ context: own, values }) => ({
            context: own,
            values: Float64Array.from({ length: iterations }, (_, i) => values[i] ?? Number.NaN),
          }));
        expect(read).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('with very many short series are read by blocks', async () => {
    const lines = Array.from(
      { length: 5000 },
      (_, rank) => `{"region":"solve","rank":${rank},"values":[${rank}.5]}`,
    );
    const bytes = bytesSource(new TextEncoder().encode([header, ...lines, ''].join('\n')));
    let reads = 0;
    const counted: ByteSource = {
      size: bytes.size,
      read: (offset, length) => {
        reads++;
        return bytes.read(offset, length);
      },
    };
    const read = await collect(openSeries(counted, 'run.ndjson'), 16);
    expect(read.map(({ values }) => values[0])).toEqual(lines.map((_, rank) => rank + 0.5));
    expect(reads).toBeLessThan(20);
  });

  it('take texts of numbers as JSON has them, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
            fc.tuple(fc.bigInt(), fc.nat(400)).map(([digits, e]) => `${digits}.25e-${e}`),
            fc.constantFrom('0', '-0.0', '1E+2', '123456789012345678901234567890', '0.1', '5e-324'),
          ),
          { minLength: 1, maxLength: 20 },
        ),
        async (texts) => {
          const [series] = await collect(
            opened(`${header}\n{"region":"a","values":[${texts.join(' ,\t')}]}`),
          );
          expect(Array.from(series?.values ?? [])).toEqual(texts.map((text) => JSON.parse(text) as number));
        },
      ),
    );
    for (const wrong of ['01', '+1', '.5', '5.', '1e', '--1', '1 2', 'nul', 'nullnull', '1,,2', ',', '1e999'])
      await expect(
        collect(opened(`${header}\n{"region":"a","values":[${wrong}]}`)),
        wrong,
      ).rejects.toMatchObject({ reason: 'series-invalid', where: { line: 2 } });
  });

  it('NaN, which is no JSON, is a missing value as null is', async () => {
    const [series] = await collect(opened(`${header}\n{"region":"a","values":[1,NaN , null,4,NaN]}`));
    expect(Array.from(series?.values ?? [])).toEqual([1, NaN, NaN, 4, NaN]);
    for (const wrong of ['NaNs', 'Na', 'nan', '-NaN', 'NaN1', 'Infinity'])
      await expect(
        (async () => collect(opened(`${header}\n{"region":"a","values":[${wrong}]}`)))(),
        wrong,
      ).rejects.toMatchObject({ reason: 'series-invalid', where: { line: 2 } });
  });

  it('have series of different lengths: the shorter ones are missing at the end', async () => {
    const source = opened(
      `${header}\r\n{"values":[1,null,3],"region":"a"}\r\n\r\n{"region":"b","rank":3,"values":[5]}\r\n{"region":"c","values":[]}`,
    );
    expect(source).toMatchObject({ unit: 's', phase: 'OP', iterations: 3 });
    const bursts = [];
    for await (const burst of source.bursts(2)) bursts.push(burst);
    expect(bursts.map(({ first, length, series }) => [first, length, series.length])).toEqual([
      [0, 2, 2],
      [2, 1, 1],
    ]);
    expect(bursts[0]?.series.map(({ values }) => Array.from(values))).toEqual([
      [1, NaN],
      [5, NaN],
    ]);
  });

  it('name the phase’s own time, and what kind of region a name is', async () => {
    const read = await collect(
      opened(
        `${header}\n{"region":"<phase>","rank":1,"values":[1]}\n{"region":"MPI_Wait","values":[1]}\n{"region":"x","kind":"io","callPath":["main",{"name":"x","file":"x.c","line":3}],"values":[1]}`,
      ),
    );
    expect(read.map(({ context: own }) => own)).toEqual([
      { region: { name: 'OP', kind: 'phase' }, metric: 'time', rank: 1, thread: 0 },
      { region: { name: 'MPI_Wait', kind: 'mpi' }, metric: 'time', rank: 0, thread: 0 },
      {
        region: { name: 'x', kind: 'io' },
        callPath: [
          { name: 'main', kind: 'function' },
          { name: 'x', kind: 'function', file: 'x.c', line: 3 },
        ],
        metric: 'time',
        rank: 0,
        thread: 0,
      },
    ]);
  });

  it('say where they are wrong: line and column, what was expected and what was found', async () => {
    const wrong: readonly [text: string, line: number, column: number, message: RegExp][] = [
      ['', 1, 1, /kymoSeries/],
      ['\n{"a":1}', 2, 1, /kymoSeries/],
      ['{"kymoSeries":2}', 1, 1, /version 1.* 2 was found/],
      ['{"kymoSeries":1,"unit":5}', 1, 1, /text as “unit”/],
      [`${header}\n[1,2]`, 2, 1, /series with “values”/],
      [`${header}\n{"region":"a"}`, 2, 1, /series with “values”/],
      [`${header}\n{"region":7,"values":[]}`, 2, 1, /name as “region”.*7/],
      [`${header}\n{"region":"a","rank":-1,"values":[]}`, 2, 1, /“rank”.*-1/],
      [`${header}\n{"region":"a","thread":1.5,"values":[]}`, 2, 1, /“thread”/],
      [`${header}\n{"region":"a","line":0,"values":[]}`, 2, 1, /“line”/],
      [`${header}\n{"region":"a","kind":"odd","values":[]}`, 2, 1, /“kind”/],
      [`${header}\n{"region":"a","callPath":[],"values":[]}`, 2, 1, /“callPath”/],
      [`${header}\n{"region":"a","values":[1,Inf]}`, 2, 27, /“I” was found/],
      [`${header}\n{"region":"a","values":[1,"2"]}`, 2, 27, /number or null/],
      [`${header}\n{"region":"a","values":[Infinity]}`, 2, 25, /“I” was found/],
      [`${header}\n{"region":"a","values":[[1]]}`, 2, 25, /“\[” was found/],
      [`${header}\n{"region":"a","values":[1,\n2]}`, 2, 27, /end of the line/],
      [`${header}\n{"region":"a","values":[1`, 2, 26, /end of the file/],
      [`${header}\n{"region":"a","values":[1],"values":[2]}`, 2, 37, /one list of values/],
      [`${header}\n{"region":"a","values":[1]`, 2, 1, /JSON/],
      [`${header}\n{"region":"a","values":[1]}\n{"region":"a","rank":0,"values":[1]}`, 3, 1, /line 2 again/],
      [`${header}\n{"region":"${'x'.repeat(70_000)}","values":[1]}`, 2, 65537, /64 KiB/],
    ];
    for (const [text, line, column, message] of wrong) {
      const failure = await (async () => collect(opened(text)))().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure, text.slice(0, 90)).toMatchObject({
        reason: 'series-invalid',
        where: { file: 'run.ndjson', line, column },
      });
      expect((failure as Error).message).toMatch(message);
    }
  });

  it('hold 100,000 ranks of one iteration, and one rank of many', async () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, rank) => `{"region":"a","rank":${rank},"values":[${rank}]}`,
    );
    const wide = opened(`${header}\n${lines.join('\n')}\n`);
    let sum = 0;
    for await (const { series } of wide.bursts(1024))
      for (const { values } of series) sum += values[0] ?? Number.NaN;
    expect(sum).toBe((100_000 * 99_999) / 2);
    const long = opened(`${header}\n{"region":"a","values":[${'0.25,'.repeat(300_000)}0.25]}`);
    let iterations = 0;
    let bursts = 0;
    for await (const { length, series } of long.bursts(1024)) {
      iterations += length;
      bursts++;
      expect(series[0]?.values.every((value) => value === 0.25)).toBe(true);
    }
    expect([iterations, bursts]).toEqual([300_001, Math.ceil(300_001 / 1024)]);
  });
});
