// Debian's sources in a permanent folder: fetched once, copied for each build.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';

const kept = path.join(os.tmpdir(), 'kymo-bench-sources');

/** Folders of the unpacked packages by name, without the packages that cannot be fetched; `debianSources` prints why. */
export async function fetchSources(packages, folder = kept) {
  mkdirSync(folder, { recursive: true });
  const missing = packages.filter((name) => !existsSync(path.join(folder, name)));
  if (missing.length > 0) await fetchMissing(missing, folder);
  return new Map(
    packages.map((name) => [name, path.join(folder, name)]).filter(([, directory]) => existsSync(directory)),
  );
}

async function fetchMissing(packages, folder) {
  const { debianSources } = await load('test/real-programs/debianSource.ts');
  const sources = debianSources();
  if (sources === undefined) return;
  try {
    for (const name of packages) {
      const tree = sources.unpack(name);
      if (tree === undefined) continue;
      // Under its name only when it is complete: the copy may cross file systems.
      const incomplete = path.join(folder, `${name}.incomplete`);
      rmSync(incomplete, { recursive: true, force: true });
      cpSync(tree, incomplete, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      renameSync(incomplete, path.join(folder, name));
    }
  } finally {
    sources.remove();
  }
}
