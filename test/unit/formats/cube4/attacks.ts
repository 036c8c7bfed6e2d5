import { deflateSync, gzipSync } from 'node:zlib';
import { concat, pack, utf8 } from './archive';

/**
 * Small files that ask for much: each makes a file of about so many bytes. `npm run bench cube` tells what reading them takes,
 * `attacks.test.ts` that they are read or refused.
 */
export const attacks: Readonly<Record<string, (bytes: number) => Uint8Array>> = {
  regions: (bytes) => filled(bytes, { before: '<program>', each: (i) => `<region id="${i}"/>` }),
  'regions, gzip': (bytes) => gzipped(bytes, { before: '<program>', each: (i) => `<region id="${i}"/>` }),
  'regions with names': (bytes) =>
    filled(bytes, { before: '<program>', each: (i) => `<region id="${i}"><name>f${i}</name></region>` }),
  'regions with attributes': (bytes) =>
    filled(bytes, { before: '<program>', each: (i) => `<region id="${i}"><attr key="a"/></region>` }),
  'escaped names': (bytes) =>
    filled(bytes, {
      before: '<program>',
      each: (i) => `<region id="${i}"><name>&lt;</name><descr>&gt;</descr></region>`,
    }),
  'unknown elements': (bytes) =>
    filled(bytes, { before: '<program><region id="0">', each: (i) => `<a${i % 1e5}/>` }),
  'call paths': (bytes) =>
    filled(bytes, {
      before: '<program><region id="0"/>',
      each: (i) => `<cnode id="${i}" calleeId="0"/>`,
    }),
  'call paths, gzip': (bytes) =>
    gzipped(bytes, { before: '<program><region id="0"/>', each: (i) => `<cnode id="${i}" calleeId="0"/>` }),
  'nested call paths': (bytes) =>
    filled(bytes, {
      before: '<program><region id="0"/>',
      each: (i) => `<cnode id="${i}" calleeId="0">`,
      close: '</cnode>',
    }),
  'nested unknown elements': (bytes) =>
    filled(bytes, { before: '<program>', each: () => '<a>', close: '</a>' }),
  'call sites and parameters': (bytes) =>
    filled(bytes, {
      before: '<program><region id="0"/>',
      each: (i) => `<cnode id="${i}" calleeId="0" line="1"><parameter/></cnode>`,
    }),
  'parameters of one call path': (bytes) =>
    filled(bytes, {
      before: '<program><region id="0"/><cnode id="0" calleeId="0">',
      each: () => '<parameter/>',
    }),
  metrics: (bytes) =>
    filled(bytes, {
      before: '<metrics>',
      each: (i) => `<metric id="${i}"><uniq_name>${i}</uniq_name></metric>`,
    }),
  'metrics without names': (bytes) =>
    filled(bytes, { before: '<metrics>', each: (i) => `<metric id="${i}"/>` }),
  'system nodes': (bytes) => filled(bytes, { before: '<system>', each: () => '<node/>' }),
  'system nodes, gzip': (bytes) => gzipped(bytes, { before: '<system>', each: () => '<node/>' }),
  'nested system nodes': (bytes) =>
    filled(bytes, { before: '<system>', each: () => '<node>', close: '</node>' }),
  locations: (bytes) => filled(bytes, { before: '<system><process>', each: (i) => `<location Id="${i}"/>` }),
  'locations, gzip': (bytes) =>
    gzipped(bytes, { before: '<system><process>', each: (i) => `<location Id="${i}"/>` }),
  attributes: (bytes) => filled(bytes, { before: '', each: (i) => `<attr key="${i}"/>` }),
  mirrors: (bytes) => filled(bytes, { before: '<doc><mirrors>', each: () => '<murl/>' }),
  topologies: (bytes) => filled(bytes, { before: '<system>', each: () => '<cart/>' }),
  dimensions: (bytes) => filled(bytes, { before: '<system><cart>', each: () => '<dim size="1"/>' }),
  coordinates: (bytes) =>
    filled(bytes, {
      before: '<system><topologies><cart>',
      each: (i) => `<coord locId="${i}">0</coord>`,
    }),
  'one long name': (bytes) =>
    filled(bytes, { before: '<program><region id="0"><name>', each: () => 'name', bare: true }),
  'one long attribute': (bytes) =>
    filled(bytes, { before: '<program><region id="0" mod="', each: () => 'name', bare: true, end: '"/>' }),
  'many attributes of a tag': (bytes) =>
    filled(bytes, { before: '<program><region id="0" ', each: (i) => `a${i}="" `, bare: true, end: '/>' }),
  'text in pieces': (bytes) =>
    filled(bytes, { before: '<program><region id="0"><name>', each: () => 'x<!---->', bare: true }),
  entities: (bytes) =>
    filled(bytes, { before: '<program><region id="0"><name>', each: () => '&amp;', bare: true }),
  'an anchor of blanks, gzip': (bytes) => gzipped(bytes, { before: '<program>', each: () => '    ' }),
  'archive of empty members': (bytes) =>
    pack([
      ['anchor.xml', utf8('<cube/>')],
      ...Array.from({ length: Math.floor(bytes / 512) }, (_, i) => [`${i}`, new Uint8Array()] as const),
    ]),
  'metrics times call paths': (bytes) => crossed(bytes, 'EXCLUSIVE', () => sparse(0)),
  'metrics times call paths, inclusive': (bytes) => crossed(bytes, 'INCLUSIVE', () => sparse(0)),
  'metrics times call paths, simple': (bytes) => crossed(bytes, 'SIMPLE', () => sparse(0)),
  'metrics times call paths, with values': (bytes) => crossed(bytes, 'INCLUSIVE', () => sparse(1)),
  'metrics times call paths, no files': (bytes) => crossed(bytes, 'EXCLUSIVE', () => undefined),
  'a hundred metrics, no files': (bytes) => crossed(bytes, 'EXCLUSIVE', () => undefined, oneLocation, 110),
  'fifty metrics, with values': (bytes) => crossed(bytes, 'EXCLUSIVE', () => sparse(1), oneLocation, 55),
  'metrics that share their files': (bytes) =>
    pack([
      [
        'anchor.xml',
        utf8(
          `<cube><metrics>${repeated(bytes / 2, (i) => `<metric id="0"><uniq_name>${i}</uniq_name><dtype>INT8</dtype></metric>`)}</metrics>
          <program><region id="0"/>${repeated(bytes / 2, (i) => `<cnode id="${i}" calleeId="0"/>`)}</program>${oneLocation}</cube>`,
        ),
      ],
      ['0.index', sparse(1).index],
      ['0.data', sparse(1).data],
    ]),
  'dense without locations': (bytes) =>
    crossed(bytes, 'EXCLUSIVE', () => ({ index: denseIndex, data: utf8('CUBEX.DATA') }), ''),
  'wide values': (bytes) => {
    const tree = `<program><region id="0"/>${repeated(bytes, (i) => `<cnode id="${i}" calleeId="0"/>`)}</program>${oneLocation}`;
    const metric = '<metric id="0"><uniq_name>m</uniq_name><dtype>NDOUBLES(60000)</dtype></metric>';
    return pack([
      ['anchor.xml', utf8(`<cube><metrics>${metric}</metrics>${tree}</cube>`)],
      ['0.index', sparse(1).index],
      ['0.data', concat([utf8('CUBEX.DATA'), new Uint8Array(480_000).fill(63)])],
    ]);
  },
  'call paths times locations': (bytes) => {
    const tree = `<program><region id="0"/>${repeated(bytes / 2, (i) => `<cnode id="${i}" calleeId="0"/>`)}</program>`;
    const system = `<system><process>${repeated(bytes / 2, (i) => `<location Id="${i}"/>`)}</process></system>`;
    const metric = '<metric id="0"><uniq_name>m</uniq_name><dtype>INT8</dtype></metric>';
    return pack([
      ['anchor.xml', utf8(`<cube><metrics>${metric}</metrics>${tree}${system}</cube>`)],
      ['0.index', sparse(1).index],
      ['0.data', concat([utf8('CUBEX.DATA'), new Uint8Array(bytes).fill(1)])],
    ]);
  },
  'rows of zeros, zlib': (bytes) => equalRows(bytes, 0),
  'rows of one number, zlib': (bytes) => equalRows(bytes, 63),
  'small rows, zlib': (bytes) => {
    const count = Math.floor(bytes / (29 + 4 + 24));
    const tree = `<program><region id="0"/>${repeated(count * 29, (i) => `<cnode id="${i}" calleeId="0"/>`)}</program>`;
    const metric = '<metric id="0"><uniq_name>m</uniq_name><dtype>DOUBLE</dtype></metric>';
    return pack([
      ['anchor.xml', utf8(`<cube><metrics>${metric}</metrics>${tree}${oneLocation}</cube>`)],
      ['0.index', denseUpTo(Math.floor(count / 1.2))],
      ['0.data', sameStream(Math.floor(count / 1.2), new Uint8Array(8).fill(63))],
    ]);
  },
  clusters: (bytes) => {
    const tree = `<program><region id="0"/><cnode id="0" calleeId="0"><cnode id="1" calleeId="0">${repeated(bytes / 2, (i) => `<cnode id="${i + 2}" calleeId="0"/>`)}</cnode></cnode></program>`;
    const iterations = Math.floor(bytes / 2 / 45);
    const mapping = Array.from(
      { length: iterations },
      (_, i) => `<attr key="CLUSTER MAPPING ${i}" value="1"/>`,
    );
    const head = `<attr key="CLUSTERING" value="ON"/><attr key="CLUSTER ROOT CNODE ID" value="0"/><attr key="CLUSTER ITERATION COUNT" value="${iterations}"/>`;
    return pack([['anchor.xml', utf8(`<cube>${head}${mapping.join('')}${tree}${oneLocation}</cube>`)]]);
  },
  'clusters of many ranks': (bytes) => {
    const tree = `<program><region id="0"/><cnode id="0" calleeId="0"><cnode id="1" calleeId="0"/></cnode></program>`;
    const mapping = Array.from(
      { length: 1000 },
      (_, i) => `<attr key="CLUSTER MAPPING ${i}" value="${'1,'.repeat(bytes / 2000)}1"/>`,
    );
    const head = `<attr key="CLUSTERING" value="ON"/><attr key="CLUSTER ROOT CNODE ID" value="0"/><attr key="CLUSTER ITERATION COUNT" value="1000"/>`;
    return pack([['anchor.xml', utf8(`<cube>${head}${mapping.join('')}${tree}${oneLocation}</cube>`)]]);
  },
};

interface Filling {
  /** Start tags that stand before what is repeated. */
  readonly before: string;
  readonly each: (i: number) => string;
  /** End tags, one per repetition. */
  readonly close?: string;
  /** What is repeated is within one element or tag. */
  readonly bare?: boolean;
  readonly end?: string;
}

function filled(bytes: number, filling: Filling): Uint8Array {
  return pack([['anchor.xml', utf8(anchor(bytes, filling))]]);
}

/** As much as fits when it is compressed, at most 150 times as much. */
function gzipped(bytes: number, filling: Filling): Uint8Array {
  const sample = gzipSync(utf8(anchor(1e6, filling)));
  return pack([
    ['anchor.xml', gzipSync(utf8(anchor(Math.min(bytes * 150, (bytes * 1e6) / sample.length), filling)))],
  ]);
}

function anchor(bytes: number, { before, each, close = '', end = '' }: Filling): string {
  const open = [...before.matchAll(/<(\w+)(?: [^>/]*)?>/g)].map(([, name = '']) => `</${name}>`).reverse();
  let count = 0;
  const counted = (i: number): string => {
    count++;
    return each(i);
  };
  const body = repeated(bytes, counted, close.length);
  return `<cube>${before}${body}${close.repeat(count)}${end}${open.join('')}</cube>`;
}

function repeated(bytes: number, each: (i: number) => string, extra = 0): string {
  const pieces: string[] = [];
  for (let i = 0, length = 0; length < bytes; i++) {
    const piece = each(i);
    pieces.push(piece);
    length += piece.length + extra;
  }
  return pieces.join('');
}

const oneLocation = '<system><process><location Id="0"/></process></system>';
const denseIndex = concat([utf8('CUBEX.INDEX'), new Uint8Array([1, 0, 0, 0, 0, 0, 3])]);

interface Files {
  readonly index: Uint8Array;
  readonly data: Uint8Array;
}

/** One row of one byte. */
function sparse(value: number): Files {
  const index = concat([utf8('CUBEX.INDEX'), new Uint8Array([1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])]);
  return { index, data: concat([utf8('CUBEX.DATA'), new Uint8Array([value])]) };
}

function denseUpTo(rows: number): Uint8Array {
  const bytes = new Uint8Array(22 + rows * 4);
  bytes.set(utf8('CUBEX.INDEX'));
  const view = new DataView(bytes.buffer);
  view.setUint32(11, 1, true);
  view.setUint8(17, 1);
  view.setUint32(18, rows, true);
  for (let i = 0; i < rows; i++) view.setUint32(22 + i * 4, i, true);
  return bytes;
}

/** All rows are the same stream. */
function sameStream(rows: number, row: Uint8Array): Uint8Array {
  const stream = deflateSync(row);
  const head = new Uint8Array(19 + rows * 24);
  head.set(utf8('ZCUBEX.DATA'));
  const view = new DataView(head.buffer);
  view.setBigUint64(11, BigInt(rows), true);
  for (let i = 0; i < rows; i++) {
    view.setBigUint64(19 + i * 24, BigInt(i * row.length), true);
    view.setBigUint64(35 + i * 24, BigInt(stream.length), true);
  }
  return concat([head, stream]);
}

/** Half of the file, or what so many metrics take, is metrics with files of their own, the rest is call paths. */
function crossed(
  bytes: number,
  type: string,
  files: () => Files | undefined,
  system = oneLocation,
  most = Infinity,
): Uint8Array {
  const own = files();
  const bytesEach = own === undefined ? 80 : 2150;
  const count = Math.min(most, Math.floor(bytes / 2 / bytesEach));
  const metrics = Array.from(
    { length: count },
    (_, i) => `<metric id="${i}" type="${type}"><uniq_name>m${i}</uniq_name><dtype>INT8</dtype></metric>`,
  );
  const tree = `<region id="0"/>${repeated(bytes - count * bytesEach, (i) => `<cnode id="${i}" calleeId="0"/>`)}`;
  const members: [string, Uint8Array][] = [
    [
      'anchor.xml',
      utf8(`<cube><metrics>${metrics.join('')}</metrics><program>${tree}</program>${system}</cube>`),
    ],
  ];
  for (let i = 0; own !== undefined && i < count; i++)
    members.push([`${i}.index`, own.index], [`${i}.data`, own.data]);
  return pack(members);
}

/** A third of the file is call paths, one locations, one rows that are all the same stream. */
function equalRows(bytes: number, value: number): Uint8Array {
  const tree = `<program><region id="0"/>${repeated(bytes / 3, (i) => `<cnode id="${i}" calleeId="0"/>`)}</program>`;
  const locations = repeated(bytes / 3, (i) => `<location Id="${i}"/>`);
  const system = `<system><process>${locations}</process></system>`;
  const row = new Uint8Array(8 * locations.split('/>').length - 8).fill(value);
  const metric = '<metric id="0"><uniq_name>m</uniq_name><dtype>DOUBLE</dtype></metric>';
  const count = Math.floor(bytes / 3 / 35);
  return pack([
    ['anchor.xml', utf8(`<cube><metrics>${metric}</metrics>${tree}${system}</cube>`)],
    ['0.index', denseUpTo(count)],
    ['0.data', sameStream(count, row)],
  ]);
}
