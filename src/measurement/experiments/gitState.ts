import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { runProcess } from '../launch/process';

/** Larger files are not read: `packed-refs` of the largest repositories has some megabytes. */
const mostBytes = 16 << 20;
/** Neither through a symbolic link nor waiting for whoever writes to a pipe. */
const unasked = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const mostOutputBytes = 1 << 20;
const commitPattern = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/**
 * The commit that is checked out where a folder lies, read from the files of the repository (gitrepository-layout(5)): git itself
 * can be made to run programs by a repository's settings. undefined outside of a repository, before its first commit, and with a format that is not known.
 */
export async function headCommit(folder: string): Promise<string | undefined> {
  const own = await repositoryOf(path.resolve(folder));
  if (own === undefined) return undefined;
  const head = await textOf(path.join(own, 'HEAD'));
  const reference = /^ref: (refs\/\S+)$/.exec(head ?? '')?.[1];
  if (reference === undefined) return commitIn(head);
  if (reference.split('/').includes('..')) return undefined;
  const shared = path.resolve(own, (await textOf(path.join(own, 'commondir'))) ?? '.');
  const loose = await textOf(path.join(own, reference));
  return commitIn(loose ?? (await textOf(path.join(shared, reference)))) ?? packed(shared, reference);
}

/**
 * Whether tracked files differ from the commit. For folders whose commands the user has agreed to run: what settings of a repository could start is
 * switched off (hooks, monitors, filters, transports), but this asks git. undefined without git.
 */
export async function isDirty(folder: string, signal?: AbortSignal): Promise<boolean | undefined> {
  const listed = await git(folder, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'], signal);
  // 1: there are none.
  if (listed === undefined || listed.status > 1 || listed.stdoutBytes > mostOutputBytes) return undefined;
  const filters = listed.stdout.split('\0').filter((name) => name !== '');
  // Not as options: a name may have a “=”.
  const settings: Record<string, string> = { GIT_CONFIG_COUNT: String(filters.length) };
  for (const [at, name] of filters.entries()) {
    settings[`GIT_CONFIG_KEY_${at}`] = name;
    settings[`GIT_CONFIG_VALUE_${at}`] = name.endsWith('.required') ? 'false' : '';
  }
  const changes = await git(
    folder,
    ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty'],
    signal,
    settings,
  );
  return changes?.status === 0 ? changes.stdoutBytes > 0 : undefined;
}

/** Settings of a repository that could start programs are switched off; a bare one that lies in the folder is none of its own. */
const noPrograms = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'],
  '--no-optional-locks',
];

async function git(
  folder: string,
  words: readonly string[],
  signal: AbortSignal | undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ status: number; stdout: string; stdoutBytes: number } | undefined> {
  const safe = { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' };
  const { end, stdout, stdoutBytes } = await runProcess(
    { argv: ['git', ...noPrograms, ...words] },
    {
      cwd: folder,
      timeoutSeconds: 10,
      maximumOutputBytes: mostOutputBytes,
      env: { ...process.env, ...settings, ...safe },
      ...(signal === undefined ? {} : { signal }),
    },
  );
  return end.kind === 'exit' ? { status: end.status, stdout, stdoutBytes } : undefined;
}

async function repositoryOf(folder: string): Promise<string | undefined> {
  const entry = path.join(folder, '.git');
  const kind = await stat(entry).catch(() => undefined);
  if (kind?.isDirectory() === true) return entry;
  // A work tree beside others, or a submodule.
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

/** A file's text without the space around it; undefined for what is no plain file, too large, or not there. */
async function textOf(file: string): Promise<string | undefined> {
  const handle = await open(file, unasked).catch(() => undefined);
  try {
    const facts = await handle?.stat();
    return facts?.isFile() === true && facts.size <= mostBytes
      ? (await handle?.readFile('utf8'))?.trim()
      : undefined;
  } finally {
    await handle?.close();
  }
}
