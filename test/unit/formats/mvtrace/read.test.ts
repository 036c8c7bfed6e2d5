import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { at } from '../../../../src/core/at';
import type { CallTrace } from '../../../../src/core/trace/callTrace';
import { pathName } from '../../../../src/core/trace/pair/entryWords';
import { messageWords } from '../../../../src/core/trace/pair/differenceWords';
import { KeyTable } from '../../../../src/core/trace/keyTable';
import { TraceBuilder } from '../../../../src/core/trace/build/traceBuilder';
import { namedBytes } from '../../../../src/formats/byteSource';
import { visitLines } from '../../../../src/formats/mvtrace/lines';
import { readMvtrace, readMvtraceHeader } from '../../../../src/formats/mvtrace/read';
import { MvtraceWriter } from '../../../../src/formats/mvtrace/write';
import { sweep3d } from '../../../sweep3d';
import { readText } from '../../core/trace/readText';

const head = '#mvtrace 1\trank=1\tnranks=12\nF\t1\t/src/main.f\nF\t2\t/src/init file.f\n';

function shown(trace: CallTrace): readonly string[] {
  return [...trace.key].map((key, row) => {
    const own = at(trace.table.keys, key);
    const name = own.kind === 'context' ? pathName(own) : messageWords(own, trace.rank);
    return `${'.'.repeat(trace.depth[row] ?? 0)}${trace.count[row]} ${name}`;
  });
}

test('M1 M2: ten lines give the call tree, with linked contexts', () => {
  const text = `${head}E\t1\t5\nE\t2\t3\nX\t2\t9\t0.5\t3\nE\t2\t3\nX\t2\t12\t0.5\t3\nX\t1\t20\t1\t10\n`;
  const { trace, read } = readText(text, new KeyTable());
  expect(shown(trace)).toEqual(['.1 main.f [5-20]', '..2 init file.f [3-12]']);
  const instructions = trace.counters.get('instructions') ?? new Float64Array();
  expect([...instructions]).toEqual([10, 6]);
  expect(instructions.reduce((sum, value) => sum + value, 0)).toBe(16);
  expect([...trace.seconds]).toEqual([1, 1]);
  expect(read).toEqual({ rank: 1, ranks: 12, sizeUnit: 'elements', hasInstructions: true, notes: [] });
});

test('M3: without instructions there is only the time', () => {
  const { trace, read } = readText(`${head}E 1 5\r\nX 1 9 0.25 -\r\n`, new KeyTable());
  expect([read.hasInstructions, trace.counters.size, trace.seconds[0]]).toEqual([false, 0, 0.25]);
  expect(readText(`${head}E 1 5\nX 1 9 0.25 -\nE 1 5\nX 1 9 1 7\n`, new KeyTable()).read.notes).toEqual([
    '1 of 2 exits have no instructions, which count as 0.',
  ]);
});

test('M4: messages have a source, a destination, a size and a type', () => {
  const text = `${head}E 1 5
M MPI_RECV 3 1 750 MPI_DOUBLE 0
M MPI_SEND 1 0 510 MPI_DOUBLE 0
M MPI_RECV - 1 1 MPI_INT 0
M MPI_SENDRECV 2 4 10 MPI_INT 0
M MPI_ALLREDUCE - - 1 MPI_DOUBLE 1
M MPI_BCAST 0 - 8 MPI_DOUBLE 1
X 1 9 1 1
`;
  const { trace } = readText(text, new KeyTable());
  expect(shown(trace)).toEqual([
    '.1 main.f [5-9]',
    '..1 MPI_RECV from 3 to 1',
    '..1 MPI_SEND from 1 to 0',
    '..1 MPI_RECV',
    '..1 MPI_SENDRECV from 1 to 4',
    '..1 MPI_SENDRECV from 2 to 1',
    '..1 MPI_ALLREDUCE',
    '..1 MPI_BCAST of 0',
  ]);
  expect([...trace.bytes]).toEqual([0, 750, 510, 1, 10, 10, 1, 8]);
  expect([...(trace.marks ?? [])]).toEqual([0, 1, 1, 2, 2, 2, 1, 1]);
  const bytes = readText(`${head}E 1 5\nM MPI_SEND 1 0 510 MPI_BYTE 0\nX 1 9 1 1\n`, new KeyTable());
  expect(bytes.read.sizeUnit).toBe('bytes');
});

test('M5: a trace that starts within calls has what came after the start', () => {
  const { trace, read } = readText(`${head}E 2 3\nX 2 9 1 1\nX 1 20 5 5\nE 2 3\nX 2 9 1 1\n`, new KeyTable());
  expect(shown(trace)).toEqual(['.2 init file.f [3-9]']);
  expect(read.notes).toEqual([
    'Exits of contexts that were not entered are ignored: 1, the first in line 6.',
  ]);
});

test('contexts without an exit end with their callers', () => {
  const { trace, read } = readText(`${head}E 1 5\nE 2 3\nX 1 20 5 5\nE 2 7\n`, new KeyTable());
  expect(shown(trace)).toEqual(['.1 main.f [5-20]', '..1 init file.f [3]', '.1 init file.f [7]']);
  expect(read.notes).toEqual(['Contexts without an exit end with their callers, and have no time: 2.']);
});

test('times are the nearest numbers to what is written, however it is written', () => {
  const digits = fc.stringMatching(/^\d{1,20}$/);
  const texts = fc.oneof(
    fc.tuple(digits, digits).map(([whole, part]) => `${whole}.${part}`),
    fc.tuple(digits, fc.integer({ min: -30, max: 2 })).map(([whole, power]) => `0.${whole}e${power}`),
    fc.constantFrom('0', '.5', '5.', '00.10', '0x10', '1E-3', '123456789012345', '9007199254740993'),
  );
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(Number(text) <= 2 ** 64);
      expect(readText(`${head}E 1 5\nX 1 9 ${text} -\n`, new KeyTable()).trace.seconds[0]).toBe(Number(text));
    }),
    { numRuns: 2000 },
  );
  for (const text of ['.', '1.2.3', '1_000', '--1'])
    expect(() => readText(`${head}E 1 5\nX 1 9 ${text} -\n`, new KeyTable())).toThrow(/line 5: the time/);
});

describe('what is no trace is refused with its line', () => {
  test.each([
    ['', /line 1: the file is empty/],
    ['hello\n', /line 1: the first line is no/],
    ['#mvtrace 2 rank=0 nranks=1\n', /version 2/],
    ['#mvtrace 1 rank=3 nranks=3\n', /rank 3 is none of 3/],
    [`${head}Q 1\n`, /line 4: “Q” is no record/],
    [`${head}Enter 1\n`, /line 4: “Enter” is no record/],
    [`${head}E 1\n`, /line 4: the line is no number from 0 on: “”/],
    [`${head}E 1 -5\n`, /line 4: the line is no number/],
    [`${head}E 7 5\n`, /file 7 has no F record/],
    [`${head}X 7 5 1 1\n`, /file 7 has no F record/],
    [`${head}E 1 5 9\n`, /more than expected: “9”/],
    [`${head}E 1 5\nX 1 9 1e999 1\n`, /line 5: the time/],
    [`${head}E 1 5\nX 1 9 NaN 1\n`, /line 5: the time/],
    [`${head}E 1 5\nX 1 9 1e20 1\n`, /line 5: the time is no number from 0 to 2\^64/],
    [`${head}E 1 5\nX 1 9 1 1e308\n`, /line 5: the number of instructions/],
    [`${head}\x1b[31mQ\x9b\u202e 1\n`, /line 4: “\ufffd\[31mQ\ufffd\ufffd” is no record/],
    [`${head}E 1 5\nX 1 9 1 -3\n`, /line 5: the number of instructions/],
    [`${head}E 1 99999999999999999999\n`, /the line is no number/],
    [`${head}F 1 /other.f\n`, /file 1 is “\/src\/main.f” already/],
    [`${head}F 3\n`, /The path of the file is missing/],
    [`${head}M MPI_SEND 3 2 1 int 0\n`, /a message from 3 to 2 is none of rank 1/],
    [`${head}I one\n`, /the iteration is no number/],
  ])('%j', (text, message) => {
    expect(() => readText(text, new KeyTable())).toThrow(message);
  });
});

test('a trace that was cut off is read up to there', () => {
  const { trace, read } = readText(`${head}E 1 5\nX 1 9 1 1\nE 2`, new KeyTable());
  expect(shown(trace)).toEqual(['.1 main.f [5-9]']);
  expect(read.notes).toEqual(['a.mvtrace was cut off within its last line.']);
});

test('lines are found wherever windows end; too long ones are refused', () => {
  const lines = (text: string, windowBytes: number): readonly string[] => {
    const found: string[] = [];
    visitLines(
      namedBytes('a', new TextEncoder().encode(text)),
      windowBytes,
      ({ bytes, start, end, number, isCutOff }) =>
        found.push(`${number}${isCutOff ? '!' : ''} ${new TextDecoder().decode(bytes.subarray(start, end))}`),
    );
    return found;
  };
  const text = 'one\r\ntwo\n\nthree and more\nfour';
  for (const windowBytes of [1, 2, 3, 7, 100])
    expect(lines(text, windowBytes)).toEqual(['1 one', '2 two', '3 ', '4 three and more', '5! four']);
  for (const windowBytes of [1000, 1_000_000]) {
    expect(() => lines(`one\n${'1'.repeat(70_000)}\n`, windowBytes)).toThrow(
      /line 2: it has more than 64 KiB/,
    );
    expect(() => lines(`one\n${'1'.repeat(70_000)}`, windowBytes)).toThrow(/line 2: it has more than 64 KiB/);
  }
});

test('the header is read alone', () => {
  expect(() => readMvtraceHeader(namedBytes('a', new Uint8Array()))).toThrow('line 1: the file is empty');
  expect(readMvtraceHeader(namedBytes('a', new TextEncoder().encode(sweep3d(2))))).toEqual({
    rank: 2,
    ranks: 12,
  });
});

test('a million contexts in each other do no harm', () => {
  const text = `${head}${'E 1 5\n'.repeat(1e6)}${'X 1 9 0 0\n'.repeat(1e6)}`;
  expect(readText(text, new KeyTable()).trace.size).toBe(1e6);
});

test('what is written is read back equal', () => {
  const text = sweep3d(1);
  const table = new KeyTable();
  const lines: string[] = [];
  readMvtrace(
    namedBytes('a', new TextEncoder().encode(text)),
    table,
    (header) => new MvtraceWriter(table, header, (line) => lines.push(line)),
  );
  const other = new KeyTable();
  expect(shown(readText(lines.join(''), other).trace)).toEqual(shown(readText(text, new KeyTable()).trace));
  expect([...readText(lines.join(''), other).trace.seconds]).toEqual([
    ...readText(text, new KeyTable()).trace.seconds,
  ]);
});

test('no text breaks the reader: it is read, or refused', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'E 1 5',
      'X 1 9 1 1',
      'E 2 3',
      'X 2 4 0 -',
      'M MPI_SEND 1 2 3 int 0',
      'I 1',
      '',
      '# comment',
    ),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (lines) => {
      const source = namedBytes('a', new TextEncoder().encode(`${head}${lines.join('\n')}`));
      try {
        const table = new KeyTable();
        readMvtrace(source, table, () => new TraceBuilder(table));
      } catch (error) {
        expect(error).toMatchObject({ reason: 'invalid-mvtrace', where: { file: 'a' } });
      }
    }),
  );
});
