// Lists what a .vsix holds, from the zip's own directory.
import { readFileSync } from 'node:fs';

/** @returns {Map<string, number>} path below `extension/` → size in bytes */
export function vsixContents(file) {
  const bytes = readFileSync(file);
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== 0x06054b50) end--;
  if (end < 0) throw new Error(`${file} is not a zip file`);
  const entries = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (name.startsWith('extension/'))
      entries.set(name.slice('extension/'.length), bytes.readUInt32LE(at + 24));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}
