import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The source trees of Debian packages in a temporary folder; the system's own package lists are not touched. */
export interface DebianSources {
  /** Folder that holds all trees. */
  readonly directory: string;
  /** Copies the source of a package and returns its folder, or undefined where it cannot be fetched. */
  unpack(packageName: string): string | undefined;
  remove(): void;
}

/** Package lists older than this are fetched again. */
const listsLastMilliseconds = 12 * 3_600_000;

/**
 * Adds the source lines of the machine's own repositories to a list of its own. Lists and unpacked sources (by version) stay in a folder of
 * this user below the system's temporary folder, so that all tests and benches fetch them once.
 * @returns undefined, after printing why, where package sources cannot be reached
 */
export function debianSources(): DebianSources | undefined {
  const directory = mkdtempSync(path.join(tmpdir(), 'kymo-real-programs-'));
  const explainSkip = (why: string): void => {
    rmSync(directory, { recursive: true, force: true });
    process.stderr.write(`skipped: Debian package sources cannot be reached (${why})\n`);
  };
  const cache = cacheFolder();
  if (cache === undefined) {
    explainSkip('the folder for them belongs to somebody else');
    return undefined;
  }
  const lists = path.join(cache, 'lists');
  mkdirSync(path.join(lists, 'partial'), { recursive: true });
  const list = path.join(directory, 'sources.list');
  const repositories = binaryRepositories();
  if (repositories.length === 0) {
    explainSkip('apt names no repository');
    return undefined;
  }
  writeFileSync(list, repositories.map((line) => `deb-src ${line}\n`).join(''));
  const options = [
    ['-o', `Dir::Etc::sourcelist=${list}`],
    ['-o', 'Dir::Etc::sourceparts=-'],
    ['-o', `Dir::State::lists=${lists}`],
    // Tests in other processes may update the same lists.
    ['-o', 'Dir::Cache::srcpkgcache='],
    ['-o', 'Dir::Cache::pkgcache='],
    ['-o', 'APT::Sandbox::User=root'],
    ['-o', 'Acquire::Retries=2'],
  ].flat();
  const updated = path.join(cache, 'updated');
  if (!existsSync(updated) || Date.now() - statSync(updated).mtimeMs > listsLastMilliseconds) {
    const update = spawnSync('apt-get', [...options, '-qq', 'update'], {
      encoding: 'utf8',
      timeout: 180_000,
    });
    if (update.status !== 0) {
      explainSkip(lastLine(update.stderr) ?? 'apt-get update failed');
      return undefined;
    }
    writeFileSync(updated, '');
  }
  return {
    directory,
    unpack(packageName) {
      const cached = path.join(cache, `${packageName}_${versionOf(packageName, options)}`);
      if (!existsSync(cached)) {
        const why = fetchSource(packageName, options, cached);
        if (why !== undefined) {
          process.stderr.write(`skipped: no source of ${packageName} (${why})\n`);
          return undefined;
        }
      }
      const folder = path.join(directory, packageName);
      cpSync(cached, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      return folder;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A folder that only this user can write to. */
function cacheFolder(): string | undefined {
  const user = process.getuid?.();
  const folder = path.join(tmpdir(), `kymo-debian-sources-${user ?? 'user'}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const status = lstatSync(folder);
  return status.isDirectory() && status.uid === user && (status.mode & 0o022) === 0 ? folder : undefined;
}

/** As the description file of the source package is named; the empty text where the lists do not have it. */
function versionOf(packageName: string, options: readonly string[]): string {
  const words = [...options, '-qq', '--print-uris', 'source', packageName];
  const { stdout } = spawnSync('apt-get', words, { encoding: 'utf8', timeout: 180_000 });
  return /_([^_\s]+)\.dsc /.exec(stdout)?.[1] ?? '';
}

/** Unpacks the source beside its place first, so that an interrupted attempt does not look complete. Returns why it failed. */
function fetchSource(packageName: string, options: readonly string[], place: string): string | undefined {
  const folder = mkdtempSync(`${place}.new-`);
  try {
    const source = spawnSync('apt-get', [...options, '-qq', 'source', packageName], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 180_000,
    });
    const tree = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isDirectory());
    if (source.status !== 0 || tree === undefined) return lastLine(source.stderr) ?? 'apt-get source failed';
    // Another process may have been faster.
    if (!existsSync(place)) renameSync(path.join(folder, tree.name), place);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `URI suite component` of the distribution's main repository, as apt itself names them. */
function binaryRepositories(): readonly string[] {
  try {
    const text = execFileSync(
      'apt-get',
      ['indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Created-By: Packages'],
      { encoding: 'utf8', timeout: 30_000 },
    );
    return [...new Set(text.split('\n').filter((line) => line.endsWith(' main')))];
  } catch {
    return [];
  }
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1);
}
