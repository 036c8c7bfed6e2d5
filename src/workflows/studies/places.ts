import { stat } from 'node:fs/promises';
import path from 'node:path';
import { placeByName } from '../../core/lines/placeByName';
import { present } from '../../core/present';
import { mapSourcePath, type SourcePathRule } from '../../core/lines/sourcePaths';
import { readRegularFile } from '../../measurement/files/regularFile';

/** How to find the sources of a measurement on this machine. */
export interface SourcesHere {
  readonly sourcePaths: readonly SourcePathRule[];
  /** Folders that relative names of sources may be relative to. */
  readonly folders: readonly string[];
  /** Sources that the editor found in its workspace: absolute path by recorded name. */
  readonly located?: Readonly<Record<string, string>>;
}

/** Larger files are generated; their lines count as unchanged. */
const maximumBytes = 16 << 20;

interface Place {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
}

/** Places of a measurement's sources and their functions on this machine; each file is read once. */
export class Places {
  private readonly files = new Map<string, Promise<string | undefined>>();
  private readonly texts = new Map<string, Promise<readonly string[] | undefined>>();
  private readonly notFound = new Set<string>();

  constructor(private readonly options: SourcesHere) {}

  get missing(): readonly string[] {
    return [...this.notFound];
  }

  /** Replaces the path by that on this machine, with measured lines: line maps of the study follow these. */
  async inFile<Placed extends Place>(place: Placed): Promise<Placed> {
    if (place.file === undefined) return place;
    const file = await remember(this.files, place.file, (name) => this.find(name));
    if (file === undefined) this.notFound.add(place.file);
    return file === undefined || file === place.file ? place : { ...place, file };
  }

  /** Replaces file and lines by current ones; unchanged if the file is missing on this machine. */
  async placed<Placed extends Place>(place: Placed): Promise<Placed> {
    const here = await this.inFile(place);
    const { file, line, endLine } = here;
    if (file === undefined || line === undefined) return here;
    const lines = await remember(this.texts, file, linesOf);
    const moved = lines === undefined ? 0 : placeByName(lines, place.name, line) - line;
    return { ...here, line: line + moved, ...present({ endLine: endLine && endLine + moved }) };
  }

  private async find(name: string): Promise<string | undefined> {
    const { sourcePaths, folders, located } = this.options;
    const mapped = mapSourcePath(name, sourcePaths);
    const place = located !== undefined && Object.hasOwn(located, name) ? located[name] : undefined;
    const candidates = [
      ...(mapped === name ? [] : [mapped]),
      ...(place === undefined ? [] : [place]),
      ...(path.isAbsolute(name) ? [name] : folders.map((folder) => path.join(folder, name))),
    ];
    for (const candidate of candidates)
      if (path.isAbsolute(candidate) && (await isFile(candidate))) return candidate;
    return undefined;
  }
}

async function linesOf(file: string): Promise<readonly string[] | undefined> {
  const bytes = await readRegularFile(file, maximumBytes).catch(() => undefined);
  return bytes?.toString('utf8').split(/\r\n|\r|\n/);
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (status) => status.isFile(),
    () => false,
  );
}

function remember<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  make: (key: string) => Promise<Value>,
): Promise<Value> {
  const value = cache.get(key) ?? make(key);
  cache.set(key, value);
  return value;
}
