import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The source trees of Debian packages, unpacked in a temporary folder; the system's own package lists are not touched. */
export interface DebianSources {
  /** Folder that everything lies in. */
  readonly directory: string;
  /** Unpacks the source of a package and returns its folder, or undefined where it cannot be had. */
  unpack(packageName: string): string | undefined;
  remove(): void;
}

/**
 * Adds the source lines of the machine's own repositories to a temporary list, in a folder of our own.
 * Returns undefined, after saying why, where package sources cannot be reached.
 */
export function debianSources(): DebianSources | undefined {
  const directory = mkdtempSync(path.join(tmpdir(), 'kymo-real-programs-'));
  const unavailable = (why: string): undefined => {
    rmSync(directory, { recursive: true, force: true });
    process.stderr.write(`skipped: Debian package sources cannot be reached (${why})\n`);
    return undefined;
  };
  const lists = path.join(directory, 'apt/lists/partial');
  mkdirSync(lists, { recursive: true });
  const list = path.join(directory, 'apt/sources.list');
  const repositories = binaryRepositories();
  if (repositories.length === 0) {
    unavailable('apt names no repository');
    return;
  }
  writeFileSync(list, repositories.map((line) => `deb-src ${line}\n`).join(''));
  const options = [
    ['-o', `Dir::Etc::sourcelist=${list}`],
    ['-o', 'Dir::Etc::sourceparts=-'],
    ['-o', `Dir::State::lists=${path.dirname(lists)}`],
    ['-o', 'APT::Sandbox::User=root'],
    ['-o', 'Acquire::Retries=2'],
  ].flat();
  const update = spawnSync('apt-get', [...options, '-qq', 'update'], { encoding: 'utf8', timeout: 180_000 });
  if (update.status !== 0) {
    unavailable(lastLine(update.stderr) ?? 'apt-get update failed');
    return;
  }
  return {
    directory,
    unpack(packageName) {
      const folder = path.join(directory, packageName);
      mkdirSync(folder);
      const source = spawnSync('apt-get', [...options, '-qq', 'source', packageName], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 180_000,
      });
      const tree = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isDirectory());
      if (source.status !== 0 || tree === undefined) {
        process.stderr.write(
          `skipped: no source of ${packageName} (${lastLine(source.stderr) ?? 'apt-get source failed'})\n`,
        );
        return undefined;
      }
      return path.join(folder, tree.name);
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
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
