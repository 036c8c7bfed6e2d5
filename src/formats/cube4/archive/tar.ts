import { present } from '../../../core/present';
import { damaged, notACube, type CubeReason } from './errors';
import type { KymoError } from '../../../core/errors';
import type { ByteSource, Range } from '../../byteSource';

const block = 512;
/** Type flags of plain files: POSIX, old, contiguous. */
const fileTypes = ['0', '\0', '7'];
/** Maximum size of an extended header; real ones have some hundred bytes. */
const longestExtension = 1 << 20;

export interface Archive {
  readonly members: ReadonlyMap<string, Range>;
  /** Whether blocks of zeros end the archive; without them it may be truncated. */
  readonly ended: boolean;
}

/**
 * Finds the members of a tar archive by its headers alone. Checksums are not verified, since some writers of profiles compute them
 * wrongly; sizes are. If a member occurs twice, the last one counts.
 */
export function tarMembers(source: ByteSource, file: string): Archive {
  let ended = false;
  const members = new Map<string, Range>();
  let extension: Extension = {};
  let previous: string | undefined;
  for (let headerOffset = 0; headerOffset + block <= source.size;) {
    const header = source.read(headerOffset, block);
    if (header.length < block || header.every((byte) => byte === 0)) {
      ended = true;
      headerOffset += block;
      continue;
    }
    ended = false;
    const length = extension.size ?? sizeOf(header);
    const offset = headerOffset + block;
    if (length === undefined || length > source.size - offset)
      throw badSize(source, file, headerOffset, length, members.get(previous ?? ''));
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x' || type === 'L') {
      extension = { ...extension, ...extensionOf(source, file, { offset, length }, type) };
    } else if (type !== 'g') {
      const name = (extension.path ?? nameOf(header)).replace(/^\.\//, '');
      if (fileTypes.includes(type)) members.set(name, { offset, length });
      previous = name;
      extension = {};
    }
    headerOffset = offset + Math.ceil(length / block) * block;
  }
  return { members, ended };
}

interface Extension {
  readonly size?: number;
  readonly path?: string;
}

function nameOf(header: Uint8Array): string {
  const name = textOf(header, 0, 100);
  // Only POSIX archives have a prefix; GNU archives have times in its place.
  const prefix = textOf(header, 257, 8).startsWith('ustar\0') ? textOf(header, 345, 155) : '';
  const stem = cutAtNul(prefix);
  return stem === '' ? cutAtNul(name) : `${stem}/${cutAtNul(name)}`;
}

/** Octal digits, or GNU's base 256 (first bit set); undefined for anything else. */
function sizeOf(header: Uint8Array): number | undefined {
  if ((header[124] ?? 0) & 0x80) {
    let size = (header[124] ?? 0) & 0x7f;
    for (let i = 125; i < 136; i++) size = size * 256 + (header[i] ?? 0);
    return Number.isSafeInteger(size) ? size : undefined;
  }
  const digits = cutAtNul(textOf(header, 124, 12)).trim();
  return /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

/** `size` and `path` of a pax header (`<length> key=value\n`…), or the long name of a GNU one. */
function extensionOf(source: ByteSource, file: string, range: Range, type: 'x' | 'L'): Extension {
  if (range.length > longestExtension)
    throw damaged(file, range.offset, 'a short extended header', `one of ${range.length} bytes`);
  const text = new TextDecoder().decode(source.read(range.offset, range.length));
  if (type === 'L') return { path: cutAtNul(text) };
  const records = new Map(
    text.split('\n').map((line) => {
      const [, key = '', value = ''] = /^\d+ ([^=]*)=(.*)$/s.exec(line) ?? [];
      return [key, value] as const;
    }),
  );
  const size = records.get('size');
  const path = records.get('path');
  if (size !== undefined && !(/^\d+$/.test(size) && Number.isSafeInteger(Number(size))))
    throw damaged(file, range.offset, 'a size', `“${size.slice(0, 40)}”`);
  return present({ size: size === undefined ? undefined : Number(size), path });
}

function badSize(
  source: ByteSource,
  file: string,
  headerOffset: number,
  length: number | undefined,
  before: Range | undefined,
): KymoError<CubeReason> {
  if (headerOffset === 0 && length === undefined) return notACube(file);
  // Score-P 8.4 with CUBEW_ZLIB_COMPRESSION writes the uncompressed size of compressed members, so that no reader finds the next member.
  const compressed =
    before !== undefined && textOf(source.read(before.offset, 11), 0, 11) === 'ZCUBEX.DATA'
      ? ' (the member before is compressed: some versions of Score-P write broken archives with CUBEW_ZLIB_COMPRESSION=true)'
      : '';
  return length === undefined
    ? damaged(file, headerOffset, 'the header of an archive member', `something else${compressed}`)
    : damaged(
        file,
        headerOffset,
        `a member of ${length} bytes`,
        `the end of the file after ${source.size - headerOffset - block}${compressed}`,
      );
}

function textOf(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

function cutAtNul(text: string): string {
  const nul = text.indexOf('\0');
  return nul < 0 ? text : text.slice(0, nul);
}
