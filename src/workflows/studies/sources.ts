import { stat } from 'node:fs/promises';
import path from 'node:path';
import { hashLines, type LineHashes } from '../../core/lines/lineHashes';
import { writeFileAtomically } from '../../measurement/files/disk';
import { readOwnFile } from '../../measurement/files/ownFiles';
import { readRegularFile } from '../../measurement/files/regularFile';

/** `sources.json` of a study: hashes of the lines of the source files as they were built (docs/formats.md). */
interface SourcesFile {
  readonly kymoSources: 1;
  readonly files: readonly SourceEntry[];
}

interface SourceEntry {
  /** Absolute path, as compilers report it. */
  readonly file: string;
  /** One hash per line: little-endian 32-bit numbers, base64. */
  readonly lines: string;
}

const sourcesFileName = 'sources.json';
/** Limits for generated, huge files: a study must stay small (≤ 11 MB of hashes). */
const maximumBytes = 16 << 20;
const maximumLines = 2_000_000;

/**
 * Stores hashes of the lines of these files, so that they can be found again after edits. Unreadable files, and those beyond the limits, are
 * omitted: their lines count as unchanged.
 */
export async function writeSources(studyDirectory: string, files: Iterable<string>): Promise<void> {
  const entries: SourceEntry[] = [];
  let lines = 0;
  for (const file of new Set(files)) {
    const hashes = await hashFile(file);
    if (hashes === undefined || lines + hashes.length > maximumLines) continue;
    lines += hashes.length;
    entries.push({ file, lines: toBase64(hashes) });
  }
  const content: SourcesFile = { kymoSources: 1, files: entries };
  await writeFileAtomically(path.join(studyDirectory, sourcesFileName), `${JSON.stringify(content)}\n`);
}

/** The measured lines of a file; undefined if the study stored none, or its file is missing or damaged. */
export async function measuredLines(studyDirectory: string, file: string): Promise<LineHashes | undefined> {
  const lines = (await sourcesOf(studyDirectory)).get(file);
  return lines === undefined ? undefined : fromBase64(lines);
}

/** The files whose lines the study stored; absolute. */
export async function recordedFiles(studyDirectory: string): Promise<readonly string[]> {
  return [...(await sourcesOf(studyDirectory)).keys()];
}

/** Whether the study stored any sources: a resumed study must not replace the measured text by the current one. */
export async function hasSources(studyDirectory: string): Promise<boolean> {
  return stat(path.join(studyDirectory, sourcesFileName)).then(
    (status) => status.isFile(),
    () => false,
  );
}

/** The last read study: requests come file by file. */
let last: { readonly key: string; readonly files: ReadonlyMap<string, string> } | undefined;

async function sourcesOf(studyDirectory: string): Promise<ReadonlyMap<string, string>> {
  const file = path.join(studyDirectory, sourcesFileName);
  try {
    const { mtimeMs, size, ino } = await stat(file);
    const key = `${file} ${mtimeMs} ${size} ${ino}`;
    if (last?.key === key) return last.files;
    const value: unknown = JSON.parse(await readOwnFile(file));
    const files = new Map(isSourcesFile(value) ? value.files.map((entry) => [entry.file, entry.lines]) : []);
    last = { key, files };
    return files;
  } catch {
    // Studies of older versions have none, and one can be deleted at any time.
    return new Map();
  }
}

/** The lines of a file as a study stores them; undefined if it cannot be read or is too large. */
export async function hashFile(file: string): Promise<LineHashes | undefined> {
  try {
    return hashLines(withoutMark((await readRegularFile(file, maximumBytes)).toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Editors do not show the byte-order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function toBase64(hashes: LineHashes): string {
  const bytes = Buffer.alloc(4 * hashes.length);
  hashes.forEach((hash, index) => bytes.writeUInt32LE(hash, 4 * index));
  return bytes.toString('base64');
}

function fromBase64(text: string): LineHashes {
  const bytes = Buffer.from(text, 'base64');
  return Uint32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) =>
    bytes.readUInt32LE(4 * index),
  );
}

function isSourcesFile(value: unknown): value is SourcesFile {
  if (typeof value !== 'object' || value === null) return false;
  const { kymoSources, files } = value as { readonly kymoSources?: unknown; readonly files?: unknown };
  return kymoSources === 1 && Array.isArray(files) && files.every(isEntry);
}

function isEntry(value: unknown): value is SourceEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { file, lines } = value as { readonly file?: unknown; readonly lines?: unknown };
  return typeof file === 'string' && typeof lines === 'string';
}
