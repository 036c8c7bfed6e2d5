import { bytesSource } from '../../../../src/formats/byteSource';
import { tarMembers } from '../../../../src/formats/cube4/archive/tar';
import { tarEnd, tarHeader, tarPadding } from '../../../../src/formats/cube4/archive/tarWriter';

/** The members of an archive, to be changed and packed again. */
export function unpack(bytes: Uint8Array): Map<string, Uint8Array> {
  return new Map(
    [...tarMembers(bytesSource(bytes), 'x.cubex').members].map(([name, { offset, length }]) => [
      name,
      bytes.slice(offset, offset + length),
    ]),
  );
}

export function pack(
  members: Iterable<readonly [string, Uint8Array]>,
  header: (name: string, bytes: Uint8Array) => Uint8Array = (name, bytes) => tarHeader(name, bytes.length),
): Uint8Array {
  const parts = [...members].flatMap(([name, bytes]) => [
    header(name, bytes),
    bytes,
    tarPadding(bytes.length),
  ]);
  return concat([...parts, tarEnd()]);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
