import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/formats/extrap/limits';
import { errorOf, read, valuesBySeries } from './reading';
import { zipArchive, type Damage, type Member } from './zipArchive';

const statistics = { mean: 2, median: 1.5, minimum: 1, maximum: 4, std: 1.25 };
const statisticsOf = { mean: 2, median: 1.5, minimum: 1, maximum: 4, deviation: 1.25 };

function experiment(points: readonly object[], changes: object = {}): string {
  return JSON.stringify({
    'Extra-P': '4.2.5',
    scaling: null,
    parameters: ['p'],
    measurements: { 'main->f': { time: points } },
    modelers: [{ name: 'Default', models: { f: { RSS: 'nan' } } }],
    ...changes,
  });
}

function saved(points: readonly object[], others: readonly Member[] = []): Uint8Array {
  return zipArchive([['experiment.json', experiment(points)], ...others]);
}

/** An array as NumPy writes it. */
function array(type: string, shape: string, data: ArrayBufferView, version = 1): Buffer {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117) + '\n';
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  length.writeUInt16LE(text.length);
  return Buffer.concat([
    Buffer.from([0x93]),
    Buffer.from(`NUMPY`),
    Buffer.from([version, 0]),
    length,
    Buffer.from(text),
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  ]);
}

/** The two files of a chunk of kept values. */
function chunk(number: number, arrays: readonly Buffer[]): readonly Member[] {
  const head = Buffer.from('Extra-P VALUES\0\0');
  const index = Buffer.alloc(24 + 8 * arrays.length);
  index.write('Extra-P INDEX\0\0\0', 'latin1');
  index.writeBigUInt64LE(BigInt(arrays.length), 16);
  let offset = head.length;
  for (const [position, { length }] of arrays.entries()) {
    index.writeBigUInt64LE(BigInt(offset), 24 + 8 * position);
    offset += length;
  }
  return [
    [`values/${number}.vals`, Buffer.concat([head, ...arrays]), false],
    [`values/${number}.indx`, index, false],
  ];
}

const pointWith = (values: unknown, repetitions = 3): object => ({
  coordinate: [1],
  ...statistics,
  repetitions,
  values,
});

describe('experiments that Extra-P saved', () => {
  it.each([true, false])('has statistics without values (deflated: %s)', (deflated) => {
    const points = [
      { coordinate: [1], ...statistics, repetitions: 5, values: null },
      { coordinate: [2.0], ...statistics },
    ];
    const { parameters, series } = read(zipArchive([['experiment.json', experiment(points), deflated]]));
    expect(parameters).toEqual(['p']);
    expect(series).toEqual([
      {
        callPath: 'main->f',
        metric: 'time',
        points: [
          { point: [1], ...statisticsOf, repetitions: 5 },
          { point: [2], ...statisticsOf, repetitions: 1 },
        ],
      },
    ]);
  });

  it('reads kept values of all types and chunks', () => {
    const three = (position: number, part: number): object => ({
      ...pointWith([part, position]),
      coordinate: [10 * part + position],
    });
    const measurements = read(
      saved(
        [three(0, 0), three(1, 0), three(2, 0), three(3, 0), three(4, 0), three(0, 1)],
        [
          ...chunk(0, [
            array('<f8', '3,', Float64Array.of(1, -2.5, 3)),
            array('<f4', '3,', Float32Array.of(0.5, 0.25, 4)),
            array('<i8', '3,', BigInt64Array.of(-1n, 2n, 3n)),
            array('<i4', '3,', Int32Array.of(-7, 8, 9)),
            array('<u8', '3, 1', BigUint64Array.of(1n, 2n, 3n)),
          ]),
          ...chunk(1, [array('<f8', '3,', Float64Array.of(7, 8, 9), 2)]),
        ],
      ),
    );
    expect(valuesBySeries(measurements)).toEqual({
      'main->f|time': [
        [0, [1, -2.5, 3]],
        [1, [0.5, 0.25, 4]],
        [2, [-1, 2, 3]],
        [3, [-7, 8, 9]],
        [4, [1, 2, 3]],
        [10, [7, 8, 9]],
      ],
    });
  });

  it('has statistics only where a repetition has several values', () => {
    const { series } = read(
      saved([pointWith([0, 0], 2)], chunk(0, [array('<f8', '2, 2', Float64Array.of(1, 2, 3, 4))])),
    );
    expect(series[0]?.points[0]).toEqual({ point: [1], ...statisticsOf, repetitions: 2 });
  });

  const kept = chunk(0, [
    array('<f8', '3,', Float64Array.of(1, 2, NaN)),
    array('>f8', '3,', new Float64Array(3)),
    array('<f8', '3,', new Float64Array(2)),
  ]);
  const [values, index] = kept as readonly [Member, Member];
  const shortIndex: Member = [index[0], Buffer.from(index[1]).subarray(0, 16), false];
  const wrongIndex: Member = [
    index[0],
    Buffer.concat([Buffer.from(index[1]).subarray(0, 24), Buffer.alloc(8, 0xff)]),
    false,
  ];
  it.each<[string, Uint8Array, string]>([
    [
      'no values',
      saved([pointWith([0, 0])]),
      '“values/0.vals” was expected in the archive, but is not there',
    ],
    [
      'no index',
      saved([pointWith([0, 0])], [values]),
      '“values/0.indx” was expected in the archive, but is not there',
    ],
    [
      'a chunk that is a path',
      saved([pointWith([-1, 0])], kept),
      '“values/-1.vals” was expected in the archive',
    ],
    [
      'values that are not finite',
      saved([pointWith([0, 0])], kept),
      'finite values was expected, but others',
    ],
    [
      'another type',
      saved([pointWith([0, 1])], kept),
      '“values/0.vals”: the array at byte 168 has elements of the type “>f8”',
    ],
    [
      'an array that is cut off',
      saved([pointWith([0, 2])], kept),
      '“values/0.vals”: the array at byte 320 is cut off',
    ],
    ['no such array', saved([pointWith([0, 3])], kept), 'array 3 was expected, but there are 3'],
    ['half an array', saved([pointWith([0, 0.5])], kept), 'array 0.5 was expected'],
    ['an array before the first', saved([pointWith([0, -1])], kept), 'array -1 was expected'],
    [
      'an index that is cut off',
      saved([pointWith([0, 0])], [values, shortIndex]),
      'array 0 was expected, but there are 0',
    ],
    [
      'a wrong offset',
      saved([pointWith([0, 0])], [values, wrongIndex]),
      'an array was expected at byte 18446744073709552000',
    ],
    [
      'a wrong beginning',
      saved([pointWith([0, 0])], [['values/0.vals', 'Extra-Q VALUES\0\0'], index]),
      '“values/0.vals” does not begin as Extra-P writes it',
    ],
    [
      'three numbers',
      saved([pointWith([0, 0, 0])], kept),
      'null or the two numbers of kept values was expected, but 3 numbers',
    ],
    [
      'a text',
      saved([pointWith('x')], kept),
      'null or the two numbers of kept values was expected, but “"x"”',
    ],
    [
      'no mean',
      saved([{ coordinate: [1] }]),
      'in (experiment.json):1:89: an object with “mean” was expected, but one without',
    ],
    [
      'NaN',
      saved([{ coordinate: [1], ...statistics, mean: 'nan' }]),
      'a finite number was expected, but “"nan"”',
    ],
    ['no repetitions', saved([pointWith(null, 0)]), 'a number of repetitions from 1 on was expected, but 0'],
    [
      'a point twice',
      saved([pointWith(null), pointWith(null)]),
      'each point once was expected, but “1” again',
    ],
    ['no points', saved([]), 'measurements was expected, but none'],
  ])('explains %s', (_, bytes, message) => {
    expect(errorOf(bytes)).toContain(message);
  });
});

describe('archives', () => {
  const content = experiment([pointWith(null)]);
  const damaged = (damage: Damage, deflated = true): Uint8Array =>
    zipArchive([['experiment.json', content, deflated, damage]]);
  const bytes = saved([pointWith(null)]);
  const patched = (offsetFromEnd: number, ...values: readonly number[]): Uint8Array => {
    const copy = Uint8Array.from(bytes);
    copy.set(values, copy.length - offsetFromEnd);
    return copy;
  };

  it('may have a comment', () => {
    expect(read(Buffer.concat([bytes, Buffer.from('by hand')])).series).toHaveLength(1);
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing', zipArchive([]), '“experiment.json” was expected in the archive, but is not there'],
    ['other names', zipArchive([['../experiment.json', content]]), '“experiment.json” was expected'],
    [
      'a name twice',
      zipArchive([
        ['a', ''],
        ['a', ''],
      ]),
      'the archive has two members “a”',
    ],
    ['a wrong sum', damaged({ checksum: 1 }), '“experiment.json” is damaged'],
    ['a wrong sum of stored bytes', damaged({ checksum: 1 }, false), '“experiment.json” is damaged'],
    ['more bytes than it says', damaged({ bytes: 10 }), '“experiment.json” does not decompress to 10 bytes'],
    ['fewer bytes than it says', damaged({ bytes: 10_000 }), '“experiment.json” is damaged'],
    [
      'a bomb',
      damaged({ bytes: limits.inflatedBytes + 1 }),
      'more than 536870912 bytes are not decompressed',
    ],
    ['ZIP64', damaged({ bytes: 0xffffffff }), 'ZIP64 archives cannot be read'],
    ['another method', damaged({ method: 12 }), 'is compressed with method 12; 0 and 8 can be read'],
    ['a password', damaged({ flags: 1 }), '“experiment.json” is encrypted'],
    ['a member behind the end', damaged({ packedBytes: 10_000 }), '“experiment.json” is cut off'],
    ['members of ZIP64', patched(12, 0xff, 0xff), 'ZIP64 archives cannot be read'],
    ['too many members', patched(12, 2, 0), 'a header of a ZIP archive was expected, but is not there'],
    ['a wrong list', patched(6, 1, 0, 0, 0), 'a header of a ZIP archive was expected, but is not there'],
    [
      'a list behind the end',
      patched(6, 0, 0, 0, 0x7f),
      'a header of a ZIP archive was expected, but is not there',
    ],
    ['no end', bytes.subarray(0, bytes.length - 1), 'the end of a ZIP archive was expected'],
    ['nearly nothing', bytes.subarray(0, 10), 'the end of a ZIP archive was expected'],
  ])('explains %s', (_, archive, message) => {
    expect(errorOf(archive)).toContain(message);
  });

  it('does not read bytes again and again for overlapping members', () => {
    const [values, index] = chunk(0, [array('<f8', '3,', Float64Array.of(1, 2, 3))]) as [Member, Member];
    const half = saved([pointWith([0, 0])], [values, index]);
    const { length } = half;
    // The stored values seem to go to the end of the file.
    const at = Buffer.from(half).lastIndexOf('values/0.vals') - 46;
    const copy = Buffer.from(half);
    copy.writeUInt32LE(length - Buffer.from(half).indexOf('values/0.vals') - 13, at + 20);
    copy.writeUInt32LE(length, at + 24);
    expect(errorOf(copy)).toMatch(/is damaged|lies over other members/);
  });
});

describe('files of other kinds', () => {
  it.each([
    ['Extra-P 3', Buffer.from('\x01\0\x11\0\0\0EXTRAP_EXPERIMENT'), 'it is an experiment of Extra-P 3'],
    [
      'an archive',
      Buffer.concat([Buffer.alloc(257), Buffer.from('ustar')]),
      'it is an archive, such as a profile of Cube',
    ],
    [
      'Latin-1',
      Buffer.from('PARAMETER p\nPOINTS \xe4', 'latin1'),
      'in:2:8: a text in UTF-8 was expected, but another byte',
    ],
  ])('explains %s', (_, bytes, message) => {
    expect(errorOf(bytes)).toContain(message);
  });
});
