import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { inclusive } from '../../../../src/core/profile/values';
import { profileJson } from '../../../../src/formats/exports/json';
import { openCube, readCube } from '../../../../src/formats/cube4/read';
import { bytesSource } from '../../../../src/formats/byteSource';
import { tarHeader } from '../../../../src/formats/cube4/archive/tarWriter';
import { writeCube } from '../../../../src/formats/cube4/write';
import { concat, pack, unpack, utf8 } from './archive';

const fixture = new Uint8Array(
  readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/cube4/tiny.cubex')),
);
const members = unpack(fixture);

/** The error that reading gives; fails when there is none or another than `KymoError`. */
function errorOf(bytes: Uint8Array): KymoError {
  try {
    readCube(bytes, 'bad.cubex');
  } catch (error) {
    if (error instanceof KymoError) return error as KymoError;
    throw error;
  }
  throw new Error('was read');
}

const anchorText = new TextDecoder().decode(members.get('anchor.xml'));
const withAnchor = (text: string): Uint8Array =>
  pack([...members].map(([name, bytes]) => [name, name === 'anchor.xml' ? utf8(text) : bytes]));
const withMember = (changed: string, bytes: Uint8Array): Uint8Array =>
  pack([...members].map(([name, old]) => [name, name === changed ? bytes : old]));

describe('what is wrong is said with file, offset, expected and found', () => {
  test('not a profile', () => {
    expect(errorOf(utf8('hello')).reason).toBe('not-a-cube');
    expect(errorOf(new Uint8Array(0)).reason).toBe('not-a-cube');
    expect(errorOf(utf8('x'.repeat(5000))).message).toContain('is not a Cube 4 profile');
    expect(errorOf(pack([['other.xml', utf8('<a/>')]])).reason).toBe('not-a-cube');
  });

  test('cut off at any block', () => {
    const content = fixture.findLastIndex((byte) => byte !== 0);
    for (let end = 512; end < content + 512; end += 512) {
      const error = errorOf(fixture.subarray(0, end));
      expect(['cube-damaged', 'not-a-cube']).toContain(error.reason);
      expect(error.where.file).toBe('bad.cubex');
    }
  });

  test.each([
    ['negative ids', anchorText.replace('cnode id="5"', 'cnode id="-5"'), /ids from 0 to .*“-5”/],
    ['ids twice', anchorText.replace('cnode id="5"', 'cnode id="6"'), /one cnode with the id 6/],
    ['unknown regions', anchorText.replace('calleeId="4"', 'calleeId="4000"'), /a known region.*4000/],
    ['broken XML', anchorText.replace('</program>', '</progam>'), /at its line \d+, column \d+/],
    ['cut off XML', anchorText.slice(0, 5000), /well-formed anchor.xml/],
    ['other documents', '<html></html>', /“cube” was expected, not “html”/],
    ['metrics twice', anchorText.replace('>time<', '>visits<'), /“visits” twice/],
    [
      'ids of metrics twice',
      anchorText.replace('metric id="1"', 'metric id="0"'),
      /one metric with the id 0/,
    ],
    [
      'entity bombs',
      anchorText
        .replace('<cube', '<!DOCTYPE c [<!ENTITY a "&b;&b;"><!ENTITY b "ha">]><cube')
        .replace('main', '&a;'),
      /no document type/,
    ],
    ['unknown entities', anchorText.replace('main', '&a;'), /“&a;” is an undefined entity/],
    ['entities without an end', anchorText.replace('main', 'a & b'), /“&” is an undefined entity/],
    ['characters that do not exist', anchorText.replace('main', '&#x110000;'), /undefined entity/],
    ['tags without an end', anchorText.trimEnd().slice(0, -1), /a tag is not closed/],
    ['two documents', anchorText + anchorText, /a second element beside “cube”/],
    ['text after the document', `${anchorText}x`, /text outside/],
    [
      'attributes without values',
      anchorText.replace('calleeId="4"', 'calleeId'),
      /an attribute was expected/,
    ],
    [
      'attributes without quotes',
      anchorText.replace('calleeId="4"', 'calleeId=4'),
      /an attribute was expected/,
    ],
    ['tags without names', anchorText.replace('<program>', '< >'), /a name was expected/],
  ])('%s', (_, text, message) => {
    expect(errorOf(withAnchor(text)).message).toMatch(message);
  });

  test('index and data that do not fit together', () => {
    const index = members.get('1.index') ?? new Uint8Array();
    const changed = (at: number, value: number): Uint8Array => {
      const copy = index.slice();
      new DataView(copy.buffer).setUint32(at, value, true);
      return withMember('1.index', copy);
    };
    expect(errorOf(changed(18, 51)).message).toMatch(/at most 50 rows was expected, but 51/);
    expect(errorOf(changed(18, 2 ** 32 - 1)).reason).toBe('cube-damaged');
    expect(errorOf(changed(22, 50)).message).toMatch(/a position from 0 to 49 was expected, but 50/);
    expect(errorOf(changed(26, 0)).message).toMatch(/a position from 1 to 49/);
    expect(errorOf(changed(11, 7)).message).toMatch(/byte order mark 1/);
    expect(errorOf(withMember('1.index', index.subarray(0, 15))).reason).toBe('cube-damaged');
    const data = members.get('1.data') ?? new Uint8Array();
    const short = errorOf(withMember('1.data', data.subarray(0, 300)));
    expect(short.message).toMatch(/50 rows of 8 bytes was expected, but 290 bytes/);
    expect(short.where.offset).toBeGreaterThan(0);
    expect(errorOf(withMember('1.data', utf8('XUBEX.DATA'))).message).toMatch(/CUBEX.DATA or ZCUBEX.DATA/);
  });

  test('compressed rows that lie about their size', () => {
    const bomb = deflateSync(new Uint8Array(50_000_000));
    const head = new Uint8Array(19 + 50 * 24);
    head.set(utf8('ZCUBEX.DATA'));
    const view = new DataView(head.buffer);
    view.setBigUint64(11, 50n, true);
    for (let r = 0; r < 50; r++) {
      view.setBigUint64(19 + r * 24, BigInt(r * 8), true);
      view.setBigUint64(35 + r * 24, BigInt(bomb.length), true);
    }
    expect(errorOf(withMember('1.data', concat([head, bomb]))).message).toMatch(/a zlib stream of 8 bytes/);
    view.setBigUint64(35, 2n ** 63n, true);
    expect(errorOf(withMember('1.data', concat([head, bomb]))).message).toMatch(/compressed row within/);
    view.setBigUint64(11, 2n ** 63n, true);
    expect(errorOf(withMember('1.data', concat([head, bomb]))).message).toMatch(/compressed rows/);
  });

  test('the broken archives of Score-P with compression are named', () => {
    const compressed = concat([utf8('ZCUBEX.DATA'), new Uint8Array(501)]);
    const broken = concat([tarHeader('0.data', 512), compressed, utf8('y'.repeat(512))]);
    expect(errorOf(broken).message).toContain('CUBEW_ZLIB_COMPRESSION');
  });
});

describe('absurd sizes cost nothing', () => {
  test('a gzip bomb as anchor', () => {
    const bomb = gzipSync(new Uint8Array(20_000_000).fill(32));
    const bytes = withMember('anchor.xml', bomb);
    expect(() => readCube(bytes, 'bad.cubex', { anchorBytes: 1_000_000 })).toThrow(/more than 1000000 bytes/);
  });

  test('many call paths times many locations', () => {
    const cnodes = Array.from({ length: 20_000 }, (_, i) => `<cnode id="${i}" calleeId="0"/>`).join('');
    const locations = Array.from({ length: 20_000 }, (_, i) => `<location Id="${i}"/>`).join('');
    const text = `<cube><metrics><metric id="0" type="EXCLUSIVE"><uniq_name>m</uniq_name><dtype>INT8</dtype></metric></metrics>
      <program><region id="0"/>${cnodes}</program><system><systemtreenode Id="0"><locationgroup Id="0">${locations}</locationgroup></systemtreenode></system></cube>`;
    const index = concat([
      utf8('CUBEX.INDEX'),
      new Uint8Array([1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0]),
    ]);
    const data = concat([utf8('CUBEX.DATA'), new Uint8Array(20_000).fill(1)]);
    const error = errorOf(
      pack([
        ['anchor.xml', utf8(text)],
        ['0.index', index],
        ['0.data', data],
      ]),
    );
    expect(error.reason).toBe('cube-too-large');
    expect(error.message).toContain('400000000 values');
  });

  test('call paths nested a hundred thousand deep', () => {
    const depth = 100_000;
    const open = Array.from({ length: depth }, (_, i) => `<cnode id="${i}" calleeId="0">`).join('');
    const text = `<cube><program><region id="0"><name>f</name></region>${open}${'</cnode>'.repeat(depth)}</program></cube>`;
    const profile = readCube(pack([['anchor.xml', utf8(text)]]), 'deep.cubex');
    expect(profile.callPaths.parent[depth - 1]).toBe(depth - 2);
  });
});

describe('small files that stand for much', () => {
  /** `main` and below it `rows` call paths; one metric with a row for the first. */
  function sparse(rows: number, locations: number, dtype: string, rowBytes: number): Uint8Array {
    const text = `<cube><metrics><metric id="0" type="EXCLUSIVE"><uniq_name>m</uniq_name><dtype>${dtype}</dtype></metric></metrics><program><region id="0"/>
      ${Array.from({ length: rows }, (_, i) => `<cnode id="${i}" calleeId="0"/>`).join('')}</program><system><systemtreenode Id="0"><locationgroup Id="0">
      ${Array.from({ length: locations }, (_, i) => `<location Id="${i}"/>`).join('')}</locationgroup></systemtreenode></system></cube>`;
    const index = new Uint8Array(26);
    index.set(utf8('CUBEX.INDEX'));
    index.set([1, 0, 0, 0, 0, 0, 1, 1], 11);
    return pack([
      ['anchor.xml', gzipSync(utf8(text))],
      ['0.index', index],
      ['0.data', concat([utf8('CUBEX.DATA'), new Uint8Array(rowBytes).fill(1)])],
    ]);
  }

  test('one row of very many call paths and locations', () => {
    const bytes = sparse(5000, 2000, 'UINT8', 2000);
    expect(bytes.length).toBeLessThan(100_000);
    expect(errorOf(bytes).message).toMatch(
      /10000000 values, and a file of its size may have 4194304 in memory/,
    );
    const cube = openCube(bytesSource(bytes), 'bad.cubex');
    expect(cube.row('m', 0).length).toBe(2000);
    expect(cube.row('m', 4999).every((value) => value === 0)).toBe(true);
  });

  test('one row of a type with very many parts', () => {
    expect(errorOf(sparse(5000, 1, 'NDOUBLES(9999)', 79_992)).reason).toBe('cube-too-large');
  });

  test('clusters that stand for very many call paths are left as they are', () => {
    const inner = Array.from({ length: 1000 }, (_, i) => `<cnode id="${i + 2}" calleeId="0"/>`).join('');
    const mapping = Array.from(
      { length: 20_000 },
      (_, i) => `<attr key="CLUSTER MAPPING ${i}" value="1"/>`,
    ).join('');
    const text = `<cube><attr key="CLUSTERING" value="ON"/><attr key="CLUSTER ROOT CNODE ID" value="0"/><attr key="CLUSTER ITERATION COUNT" value="20000"/>${mapping}
      <program><region id="0"><name>f</name></region><cnode id="0" calleeId="0"><cnode id="1" calleeId="0">${inner}</cnode></cnode></program></cube>`;
    expect(readCube(pack([['anchor.xml', utf8(text)]]), 'c.cubex').callPaths.count).toBe(1002);
  });

  test('a compressed anchor.xml of blanks', () => {
    const bomb = gzipSync(new Uint8Array(2 ** 23 + 1).fill(32));
    expect(errorOf(withMember('anchor.xml', bomb)).message).toMatch(/more than 8388608 bytes/);
  });
});

describe('what is odd but sound is read', () => {
  test('names of 10 kB, with control characters, and metrics without data', () => {
    const name = `${'a<b>&"'.repeat(1700)}\u0001\u001f\n`;
    const escaped = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const text = `<cube><metrics><metric id="0" type="INCLUSIVE"><uniq_name>m</uniq_name></metric></metrics>
      <program><region id="0"><name>${escaped}</name></region><cnode id="0" calleeId="0"></cnode></program></cube>`;
    const profile = readCube(pack([['anchor.xml', utf8(text)]]), 'odd.cubex');
    expect(profile.regions[0]?.name).toBe(name);
    expect(profile.stored.size).toBe(0);
    expect([...inclusive(profile, 'm')]).toEqual([0]);
    // What XML cannot hold is not written, so that every reader can read it.
    const again = readCube(writeCube(profile), 'odd.cubex');
    expect(again.regions[0]?.name).toBe(name.replace('\u0001\u001f', '\ufffd\ufffd'));
  });

  test.each(['UINT65', 'NDOUBLES(99999)', 'HISTOGRAM(4)', 'SCALE_FUNC'])(
    'values of the type %s are not shown, the metric says why, and the rest is read',
    (dtype) => {
      const bytes = pack(
        [...members]
          .filter(([name]) => !name.startsWith('0.'))
          .map(([name, old]) => [
            name,
            name === 'anchor.xml' ? utf8(anchorText.replace('UINT64', dtype)) : old,
          ]),
      );
      const profile = readCube(bytes, 'odd.cubex');
      const [visits, time] = profile.metrics;
      expect(visits).toMatchObject({ name: 'visits', unsupported: true });
      expect(visits?.note).toContain(`“${dtype}”`);
      expect(time?.note).toBeUndefined();
      expect(inclusive(profile, 'time').some((value) => value > 0)).toBe(true);
      expect(inclusive(profile, 'visits').some((value) => value !== 0)).toBe(false);
      expect(Object.keys(profileJson(profile).values)).not.toContain('visits');
    },
  );

  test.each([
    ['1.data', /index of this metric, but no values/],
    ['1.index', /values of this metric, but no index/],
  ])('without %s a metric is 0 and says so, as the Cube library has it', (missing, note) => {
    const profile = readCube(
      pack([...unpack(fixture)].filter(([name]) => name !== missing)),
      'w_noidx.cubex',
    );
    const metric = profile.metrics[1];
    expect(metric?.note).toMatch(note);
    expect(inclusive(profile, metric?.name ?? '').every((value) => value === 0)).toBe(true);
    expect(inclusive(profile, 'visits').some((value) => value > 0)).toBe(true);
    expect(profileJson(profile).metrics[1]).toMatchObject({ note: metric?.note });
  });
});

describe('bytes of any kind give a profile or a KymoError', () => {
  const harmless = (bytes: Uint8Array): void => {
    try {
      readCube(bytes, 'random.cubex', { cells: 1e6, anchorBytes: 1e7 });
    } catch (error) {
      if (!(error instanceof KymoError)) throw error;
      expect(error.message).not.toBe('');
    }
  };

  test('random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 3000 }), harmless), { numRuns: 300 });
  });

  test('a real file with changed bytes', () => {
    const change = fc.record({ at: fc.nat(fixture.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
        const bytes = fixture.slice();
        for (const { at, to } of changes) bytes[at] = to;
        harmless(bytes);
      }),
      { numRuns: 400 },
    );
  });

  test('random members and random XML', () => {
    const piece = fc.constantFrom(
      '<cnode id="1" calleeId="0">',
      '</cnode>',
      '<region id="0">',
      '</region>',
      '<metric id="0" type="INCLUSIVE">',
      '</metric>',
      '<location Id="0">',
      '</location>',
      '<locationgroup Id="0">',
      '</locationgroup>',
      '<attr key="a"/>',
      '<parameter/>',
      '<name>',
      '</name>',
      '<uniq_name>__proto__</uniq_name>',
      '&lt;',
      ']]>',
      '<![CDATA[',
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.uint8Array({ maxLength: 100 }),
        fc.boolean(),
        (pieces, noise, marked) => {
          const index = marked
            ? concat([utf8('CUBEX.INDEX'), new Uint8Array([1, 0, 0, 0, 0, 0]), noise])
            : noise;
          harmless(
            pack([
              ['anchor.xml', utf8(`<cube>${pieces.join('')}</cube>`)],
              ['0.index', index],
              ['0.data', marked ? concat([utf8('CUBEX.DATA'), noise]) : noise],
            ]),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
