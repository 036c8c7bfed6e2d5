import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { runProcess } from '../launch/process';

/** Larger files are not read; `packed-refs` of the largest repositories has some megabytes. */
const maximumBytes = 16 << 20;
/** Opening follows no symbolic link and does not wait for the writer of a pipe. */
const safeFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const mostOutputBytes = 1 << 20;
const commitPattern = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/**
 * The commit that is checked out in the repository of a folder, read from the repository's files (gitrepository-layout(5)): its settings
 * can make git itself run programs. Undefined outside of a repository, before the first commit, and for an unknown format.
 */
export async function headCommit(folder: string): Promise<string | undefined> {
  const repository = await repositoryOf(path.resolve(folder));
  if (repository === undefined) return undefined;
  const head = await textOf(path.join(repository, 'HEAD'));
  const reference = /^ref: (refs\/\S+)$/.exec(head ?? '')?.[1];
  if (reference === undefined) return commitIn(head);
  if (reference.split('/').includes('..')) return undefined;
  const shared = path.resolve(repository, (await textOf(path.join(repository, 'commondir'))) ?? '.');
  const loose = await textOf(path.join(repository, reference));
  return commitIn(loose ?? (await textOf(path.join(shared, reference)))) ?? packed(shared, reference);
}

/**
 * Whether tracked files differ from the commit. Runs git, with all programs switched off that a repository's settings could start (hooks,
 * monitors, filters, transports). For folders whose commands the user has agreed to run. Undefined without git.
 */
export async function isDirty(folder: string, signal?: AbortSignal): Promise<boolean | undefined> {
  const listed = await git(folder, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'], signal);
  // Status 1: there are no filters.
  if (listed === undefined || listed.status > 1 || listed.stdoutBytes > mostOutputBytes) return undefined;
  const filters = listed.stdout.split('\0').filter((name) => name !== '');
  // Not as options: a name may contain “=”.
  const settings: Record<string, string> = { GIT_CONFIG_COUNT: String(filters.length) };
  for (const [index, name] of filters.entries()) {
    settings[`GIT_CONFIG_KEY_${index}`] = name;
    settings[`GIT_CONFIG_VALUE_${index}`] = name.endsWith('.required') ? 'false' : '';
  }
  const changes = await git(
    folder,
    ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty'],
    signal,
    settings,
  );
  return changes?.status === 0 ? changes.stdoutBytes > 0 : undefined;
}

/** Switches off settings that could start programs, and ignores bare repositories inside the folder. */
const noPrograms = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'],
  '--no-optional-locks',
];

/** Runs git with nothing that a repository's settings could start; undefined where it cannot run. */
export async function git(
  folder: string,
  words: readonly string[],
  signal: AbortSignal | undefined,
  settings: Readonly<Record<string, string>> = {},
  timeoutSeconds = 10,
): Promise<{ status: number; stdout: string; stderr: string; stdoutBytes: number } | undefined> {
  const safe = { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' };
  const { end, stdout, stderr, stdoutBytes } = await runProcess(
    { argv: ['git', ...noPrograms, ...words] },
    {
      cwd: folder,
      timeoutSeconds,
      maximumOutputBytes: mostOutputBytes,
      env: { ...process.env, ...settings, ...safe },
      signal,
    },
  );
  return end.kind === 'exit' ? { status: end.status, stdout, stderr, stdoutBytes } : undefined;
}

async function repositoryOf(folder: string): Promise<string | undefined> {
  const entry = path.join(folder, '.git');
  const kind = await stat(entry).catch(() => undefined);
  if (kind?.isDirectory() === true) return entry;
  // An additional work tree, or a submodule.
  const elsewhere =
    kind?.isFile() === true ? /^gitdir: (.+)$/.exec((await textOf(entry)) ?? '')?.[1] : undefined;
  if (elsewhere !== undefined) return path.resolve(folder, elsewhere);
  const above = path.dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

async function packed(shared: string, reference: string): Promise<string | undefined> {
  const lines = ((await textOf(path.join(shared, 'packed-refs'))) ?? '').split('\n');
  return commitIn(lines.find((line) => line.endsWith(` ${reference}`))?.split(' ')[0]);
}

const commitIn = (text: string | undefined): string | undefined =>
  text !== undefined && commitPattern.test(text) ? text : undefined;

/** A file's text without surrounding blanks; undefined when it is missing, too large, or not a regular file. */
async function textOf(file: string): Promise<string | undefined> {
  const handle = await open(file, safeFlags).catch(() => undefined);
  try {
    const facts = await handle?.stat();
    return facts?.isFile() === true && facts.size <= maximumBytes
      ? (await handle?.readFile('utf8'))?.trim()
      : undefined;
  } finally {
    await handle?.close();
  }
}
