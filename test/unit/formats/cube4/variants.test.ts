import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inclusive } from '../../../../src/core/profile/values';
import { openCube, readCube } from '../../../../src/formats/cube4/read';
import { bytesSource } from '../../../../src/formats/byteSource';
import { tarHeader } from '../../../../src/formats/cube4/archive/tarWriter';
import { cubeChunks, writeCube } from '../../../../src/formats/cube4/write';
import { arbitraryProfile } from '../../core/profile/profiles';
import { concat, pack, unpack, utf8 } from './archive';

const fixture = readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/cube4/tiny.cubex'));
const plain = readCube(fixture, 'tiny.cubex');

/** A file with one metric over main → (a → c, b) and three locations; ids are not in document order. */
function small(metric: string, data: Uint8Array, index: Uint8Array): Uint8Array {
  const anchor = `<?xml version="1.0"?><cube version="4.4"><metrics>${metric}</metrics><program>
    <region id="9" mod="" begin="-1" end="-1"><name>f &amp; g</name></region>
    <cnode id="3" calleeId="9"><cnode id="1" line="12" mod="/a.c" calleeId="9"><cnode id="0" calleeId="9"/></cnode>
      <cnode id="2" calleeId="9"/></cnode>
    </program><system><systemtreenode Id="0"><name>m</name><class>machine</class><locationgroup Id="0"><name>p</name>
    <rank>5</rank><type>process</type><location Id="2"><name>z</name><rank>2</rank><type>thread</type></location>
    <location Id="0"><name>x</name><rank>0</rank><type>thread</type></location>
    <location Id="1"><name>y</name><rank>1</rank><type>thread</type></location></locationgroup></systemtreenode></system></cube>`;
  return pack([
    ['7.data', data],
    ['anchor.xml', utf8(anchor)],
    ['7.index', index],
  ]);
}

function metricText(type: string, dtype: string): string {
  return `<metric id="7" type="${type}"><disp_name>M</disp_name><uniq_name>m</uniq_name><dtype>${dtype}</dtype><uom/></metric>`;
}

function indexOf(little: boolean, positions?: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(positions === undefined ? 18 : 22 + positions.length * 4);
  bytes.set(utf8('CUBEX.INDEX'));
  const view = new DataView(bytes.buffer);
  view.setUint32(11, 1, little);
  view.setUint8(17, positions === undefined ? 3 : 1);
  if (positions !== undefined) view.setUint32(18, positions.length, little);
  positions?.forEach((position, i) => {
    view.setUint32(22 + i * 4, position, little);
  });
  return bytes;
}

/** Twelve values 1 … 12: four rows of three locations. */
function doubles(little: boolean, values = Array.from({ length: 12 }, (_, i) => i + 1)): Uint8Array {
  const bytes = new Uint8Array(values.length * 8);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    view.setFloat64(i * 8, value, little);
  });
  return bytes;
}

const dataOf = (little: boolean): Uint8Array => concat([utf8('CUBEX.DATA'), doubles(little)]);
const rowsOf = (profile: ReturnType<typeof readCube>): number[] =>
  [0, 3, 6, 9].map((at) => profile.stored.get('m')?.[at] ?? Number.NaN);

describe('which row belongs to which call path', () => {
  // Document order: 3 (main), 1 (a), 0 (c), 2 (b). Rows hold 1 …, 4 …, 7 …, 10 ….
  test.each([
    ['EXCLUSIVE', [1, 4, 7, 10]],
    ['INCLUSIVE', [1, 4, 10, 7]],
    ['SIMPLE', [10, 4, 1, 7]],
  ])('%s', (type, expected) => {
    const bytes = small(metricText(type, 'DOUBLE'), dataOf(true), indexOf(true));
    expect(rowsOf(readCube(bytes, 's.cubex'))).toEqual(expected);
    expect(readCube(writeCube(readCube(bytes, 's.cubex')), 's.cubex')).toEqual(readCube(bytes, 's.cubex'));
  });

  test('rows that are missing are 0, in either byte order', () => {
    for (const little of [true, false]) {
      const bytes = small(metricText('EXCLUSIVE', 'DOUBLE'), dataOf(little), indexOf(little, [0, 2, 3]));
      expect(rowsOf(readCube(bytes, 's.cubex'))).toEqual([1, 0, 4, 7]);
    }
  });

  test('locations are ordered by id, call sites and unknown lines are kept', () => {
    const profile = readCube(
      small(metricText('EXCLUSIVE', 'DOUBLE'), dataOf(true), indexOf(true)),
      's.cubex',
    );
    expect(profile.locations.map(({ name, rank, thread }) => [name, rank, thread])).toEqual([
      ['x', 5, 0],
      ['y', 5, 1],
      ['z', 5, 2],
    ]);
    expect(profile.callPaths.callSites?.get(1)).toEqual({ file: '/a.c', line: 12 });
    expect(profile.regions).toEqual([{ name: 'f & g', paradigm: 'unknown', role: 'unknown' }]);
  });
});

describe('value types', () => {
  test.each(
    (
      [
        ['UINT64', 8, (view, at) => view.setBigUint64(at, 2n ** 64n - 1n, true), -1],
        ['INT64', 8, (view, at) => view.setBigInt64(at, -5n, true), -5],
        ['INTEGER', 8, (view, at) => view.setBigInt64(at, -(2n ** 63n), true), -(2 ** 63)],
        ['UINT32', 4, (view, at) => view.setUint32(at, 4e9, true), 4e9],
        ['SIGNED INT', 4, (view, at) => view.setInt32(at, -7, true), -7],
        ['UINT16', 2, (view, at) => view.setUint16(at, 65_535, true), 65_535],
        ['SHORT INT', 2, (view, at) => view.setInt16(at, -300, true), -300],
        ['CHAR', 1, (view, at) => view.setUint8(at, 200), 200],
        ['INT8', 1, (view, at) => view.setInt8(at, -100), -100],
        ['MAXDOUBLE', 8, (view, at) => view.setFloat64(at, 1.5, true), 1.5],
        ['NDOUBLES(3)', 24, (view, at) => view.setFloat64(at, 2.5, true), 2.5],
        ['HISTOGRAM(4)', 48, (view, at) => view.setFloat64(at, 3.5, true), 3.5],
        ['TAU_ATOMIC', 36, (view, at) => view.setFloat64(at + 20, 4.5, true), 4.5],
        ['SCALE_FUNC', 848, (view, at) => view.setFloat64(at, 5.5, true), 5.5],
      ] as [string, number, (view: DataView, at: number) => void, number][]
    ).map((row) => row),
  )('%s', (dtype, size, set, value) => {
    const data = new Uint8Array(10 + 12 * size);
    data.set(utf8('CUBEX.DATA'));
    set(new DataView(data.buffer), 10 + size * 5);
    const profile = readCube(small(metricText('EXCLUSIVE', dtype), data, indexOf(true)), 's.cubex');
    expect([...(profile.stored.get('m') ?? [])]).toEqual([0, 0, 0, 0, 0, value, 0, 0, 0, 0, 0, 0]);
    const again = readCube(writeCube(profile), 's.cubex');
    expect(again).toEqual(profile);
  });

  test('rates divide what was summed', () => {
    const pairs = Array.from({ length: 12 }, (_, i) => [i + 1, 2]).flat();
    const data = concat([utf8('CUBEX.DATA'), doubles(true, pairs)]);
    const profile = readCube(small(metricText('EXCLUSIVE', 'RATE'), data, indexOf(true)), 's.cubex');
    expect(inclusive(profile, 'm')[0]).toBe(78 / 24);
  });

  test('values that a type cannot hold are not written', () => {
    const stored = new Map([['visits', new Float64Array(plain.callPaths.count).fill(0.5)]]);
    expect(() => writeCube({ ...plain, stored })).toThrow(/“visits” has the value 0.5.*UINT64 cannot hold/);
  });
});

describe('containers', () => {
  const members = unpack(fixture);
  const same = (bytes: Uint8Array): void => {
    expect(readCube(bytes, 'tiny.cubex')).toEqual(plain);
  };

  test('gzip anchor, other order, leading ./', () => {
    const anchor = gzipSync(members.get('anchor.xml') ?? '');
    same(
      pack(
        [...members].reverse().map(([name, bytes]) => [`./${name}`, name === 'anchor.xml' ? anchor : bytes]),
      ),
    );
  });

  test('wrong checksums, NUL as type, GNU magic, zero blocks between members', () => {
    const odd = pack(members, (name, bytes) => {
      const header = tarHeader(name, bytes.length);
      header.set(utf8('000001'), 148);
      header[156] = 0;
      header.set(utf8('ustar  \0'), 257);
      return concat([new Uint8Array(1024), header]);
    });
    same(odd);
  });

  test('sizes in pax headers and in base 256', () => {
    const pax = pack(members, (name, bytes) => {
      const record = utf8(`${String(bytes.length).length + 9} size=${bytes.length}\n`);
      const extension = tarHeader('pax', record.length);
      extension[156] = 'x'.charCodeAt(0);
      return concat([extension, record, new Uint8Array(512 - record.length), tarHeader(name, 0)]);
    });
    same(pax);
    const binary = pack(members, (name, bytes) => {
      const header = tarHeader(name, 0);
      new DataView(header.buffer).setUint32(132, bytes.length, false);
      header.fill(0, 124, 132);
      header[124] = 0x80;
      return header;
    });
    same(binary);
  });

  test.each([true, false])('zlib rows (little endian: %s)', (little) => {
    const streams = [0, 1, 2, 3].map((r) => deflateSync(doubles(little).subarray(r * 24, r * 24 + 24)));
    const head = new Uint8Array(19 + 4 * 24);
    head.set(utf8('ZCUBEX.DATA'));
    const view = new DataView(head.buffer);
    view.setBigUint64(11, 4n, little);
    let at = 0;
    streams.forEach((stream, r) => {
      [r * 24, at, stream.length].forEach((value, k) => {
        view.setBigUint64(19 + r * 24 + k * 8, BigInt(value), little);
      });
      at += stream.length;
    });
    const data = concat([head, ...streams]);
    const bytes = small(metricText('EXCLUSIVE', 'DOUBLE'), data, indexOf(little));
    expect(rowsOf(readCube(bytes, 's.cubex'))).toEqual([1, 4, 7, 10]);
  });

  test('old elements: machine, node, process, thread', () => {
    const old = `<cube version="4.0"><metrics></metrics><program><region id="0"><name>f</name></region><cnode id="0" calleeId="0"></cnode></program>
      <system><machine Id="0"><name>jugene</name><node Id="0"><name>n</name><process Id="0"><name>p</name><rank>3</rank>
      <thread Id="0"><name>t</name><rank>1</rank></thread></process></node></machine></system></cube>`;
    const profile = readCube(pack([['anchor.xml', utf8(old)]]), 'old.cubex');
    expect(profile.system.map(({ kind }) => kind)).toEqual(['machine', 'node', 'process']);
    expect(profile.locations).toEqual([{ name: 't', rank: 3, thread: 1, process: 2, kind: 'thread' }]);
  });

  test('derived, ghost and nested metrics', () => {
    const metric = `<metric id="0" type="POSTDERIVED"><uniq_name>d</uniq_name><dtype>DOUBLE</dtype>
      <cubepl>metric::m() / 2 &lt; 1</cubepl><metric id="7" type="EXCLUSIVE" viztype="GHOST"><uniq_name>m</uniq_name>
      <dtype>DOUBLE</dtype><attr key="k" value="v"/></metric></metric>`;
    const bytes = small(metric, dataOf(true), indexOf(true));
    const ghost = pack([...unpack(bytes)].map(([name, part]) => [name.replace(/^7/, 'ghost_7'), part]));
    const profile = readCube(ghost, 's.cubex');
    expect(profile.metrics[0]?.derivation?.expressions.get('cubepl')).toBe('metric::m() / 2 < 1');
    expect(profile.metrics[1]).toMatchObject({ parent: 0, ghost: true });
    expect(rowsOf(profile)).toEqual([1, 4, 7, 10]);
    expect(readCube(writeCube(profile), 's.cubex')).toEqual(profile);
  });
});

describe('topologies', () => {
  const cart = `<topologies><cart name="grid &lt;2&gt;" ndims="2"><dim name="x" size="4" periodic="true"/><dim size="2" periodic="false"/>
    <coord locId="2">3 1</coord><coord thrdId="0"> 0  1 </coord><coord locId="1">1</coord><coord locId="9">1 1</coord>
    <coord procId="0">1 1</coord><coord lgId="7">0 0</coord><coord nodeId="0">0 0</coord>
    <coord stnId="0">2 0</coord></cart></topologies></system>`;
  const anchor = new TextDecoder()
    .decode(unpack(small(metricText('EXCLUSIVE', 'DOUBLE'), dataOf(true), indexOf(true))).get('anchor.xml'))
    .replace('</system>', cart);

  test('are read and written as far as they place locations and processes', () => {
    const profile = readCube(pack([['anchor.xml', utf8(anchor)]]), 't.cubex');
    expect(profile.topologies).toEqual([
      {
        name: 'grid <2>',
        dimensions: [
          { name: 'x', size: 4, periodic: true },
          { size: 2, periodic: false },
        ],
        coordinates: new Map([
          [2, [3, 1]],
          [0, [0, 1]],
        ]),
        nodeCoordinates: new Map([
          [1, [1, 1]],
          [0, [2, 0]],
        ]),
      },
    ]);
    expect(readCube(writeCube(profile), 't.cubex')).toEqual(profile);
  });
});

describe('reading by ranges', () => {
  test('one row does not read the others', () => {
    const read: number[] = [];
    const inner = bytesSource(fixture);
    const cube = openCube(
      {
        size: inner.size,
        read: (offset, length) => {
          read.push(length);
          return inner.read(offset, length);
        },
      },
      'tiny.cubex',
    );
    read.length = 0;
    for (const callPath of [0, 17, 49])
      expect([...cube.row('time', callPath)]).toEqual([plain.stored.get('time')?.[callPath]]);
    expect([...cube.row('bytes_put', 3)]).toEqual([0]);
    expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(2000);
  });
});

describe('any profile is the same after writing and reading', () => {
  test('property', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const bytes = writeCube(profile);
        assert.deepStrictEqual(readCube(bytes, 'p.cubex'), profile);
        assert.deepStrictEqual(concat([...cubeChunks(profile)]), bytes);
      }),
      { numRuns: 300 },
    );
  });
});
