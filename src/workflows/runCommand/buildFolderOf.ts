import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson, isRecord } from '../init/asking/json';

/** The folder of the sources, if `folder` is one in which CMake or Meson builds them; such a folder cannot be built elsewhere. */
export async function sourcesOfBuildFolder(folder: string): Promise<string | undefined> {
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8').catch(() => '');
  const [, cmake] = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.+)$/m.exec(await read('CMakeCache.txt')) ?? [];
  const meson = parseJson(await read('meson-info/meson-info.json'));
  const directories = isRecord(meson) && isRecord(meson.directories) ? meson.directories.source : undefined;
  const sources = cmake ?? (typeof directories === 'string' ? directories : undefined);
  return sources === undefined || path.resolve(sources) === path.resolve(folder) ? undefined : sources;
}
