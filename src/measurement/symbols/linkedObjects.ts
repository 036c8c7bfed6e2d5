import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { readDynamicNeeds } from '../../formats/elf/dynamicSection';
import { ElfFile } from '../../formats/elf/elfFile';
import { carriesSites } from '../../formats/elf/siteRecords';
import { isFile } from '../files/isFile';
import { withFileSource } from '../files/fileSource';

export interface LinkedObjectsOptions {
  /** Folders (of the workspace) with libraries that the program may open itself. */
  readonly folders?: readonly string[];
  /** `LD_LIBRARY_PATH` of the run. */
  readonly libraryPath?: string | undefined;
  /** Selects libraries; default: those with sites. */
  readonly wanted?: (library: string, hasSites: boolean) => boolean;
}

const maximumObjects = 1000;
const maximumFilesLookedAt = 20_000;

/**
 * The executable, and the selected libraries that it links (by run path, library path, the
 * executable's own folder, without running anything) or may open (all in the given folders). Absolute real paths, the executable first.
 */
export async function findLinkedObjects(
  executable: string,
  options: LinkedObjectsOptions = {},
): Promise<readonly string[]> {
  const { wanted = withSites } = options;
  const start = await realpath(executable).catch(() => path.resolve(executable));
  const reached = new Set([start]);
  const selected = [start];
  const queue = [start];
  const opened = await librariesIn(options.folders ?? []);
  const searched = (options.libraryPath ?? '').split(':').filter((folder) => folder !== '');
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const { needed, runPath, hasSites } = await inspect(file);
    if (file !== start && wanted(file, hasSites)) selected.push(file);
    const origin = path.dirname(file);
    const folders = [...runPath.map((p) => p.replace(/\$\{?ORIGIN\}?/g, origin)), ...searched, origin];
    const linked = await Promise.all(needed.map((name) => resolve(name, folders, opened)));
    for (const library of [...linked, ...(file === start ? opened : [])]) {
      if (library === undefined || reached.has(library) || reached.size >= maximumObjects) continue;
      reached.add(library);
      queue.push(library);
    }
  }
  return selected;
}

const withSites = (_library: string, hasSites: boolean): boolean => hasSites;

async function inspect(
  file: string,
): Promise<{ needed: readonly string[]; runPath: readonly string[]; hasSites: boolean }> {
  try {
    return await withFileSource(file, (source) => {
      const elf = ElfFile.open(source);
      return { ...readDynamicNeeds(elf), hasSites: carriesSites(elf) };
    });
  } catch {
    // Linker scripts and damaged libraries are not measured; if the program cannot start, it reports that itself.
    return { needed: [], runPath: [], hasSites: false };
  }
}

async function resolve(
  name: string,
  folders: readonly string[],
  opened: readonly string[],
): Promise<string | undefined> {
  const places = name.includes('/') ? [name] : folders.map((folder) => path.join(folder, name));
  for (const place of places) {
    if (await isFile(place)) return realpath(place);
  }
  return opened.find((file) => path.basename(file) === name);
}

/** Shared libraries below the folders, without hidden folders, `node_modules` and links to folders. */
async function librariesIn(folders: readonly string[]): Promise<readonly string[]> {
  const libraries = new Set<string>();
  const queue = [...folders];
  let looked = 0;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (++looked > maximumFilesLookedAt) return [...libraries];
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        queue.push(file);
      if (!entry.isDirectory() && /\.so(?:\.[\d.]+)?$/.test(entry.name)) {
        libraries.add(await realpath(file).catch(() => file));
      }
    }
  }
  return [...libraries];
}
