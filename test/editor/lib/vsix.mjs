// Lists and reads what a .vsix holds, from the zip's own directory.
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** @returns {Map<string, number>} path below `extension/` → size in bytes */
export function vsixContents(file) {
  return new Map([...directory(readFileSync(file), file)].map(([name, { size }]) => [name, size]));
}

/** @returns {Buffer} a file of the package, by its path below `extension/` */
export function vsixFile(file, name) {
  const bytes = readFileSync(file);
  const entry = directory(bytes, file).get(name);
  if (entry === undefined) throw new Error(`${file} has no ${name}`);
  const { offset, stored, method } = entry;
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const data = bytes.subarray(start, start + stored);
  return method === 0 ? data : inflateRawSync(data);
}

function directory(bytes, file) {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== 0x06054b50) end--;
  if (end < 0) throw new Error(`${file} is not a zip file`);
  const entries = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (name.startsWith('extension/'))
      entries.set(name.slice('extension/'.length), {
        method: bytes.readUInt16LE(at + 10),
        stored: bytes.readUInt32LE(at + 20),
        size: bytes.readUInt32LE(at + 24),
        offset: bytes.readUInt32LE(at + 42),
      });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}
