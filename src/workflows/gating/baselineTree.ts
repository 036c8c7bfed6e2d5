import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { configName } from '../../measurement/config/loadConfig';
import { git } from '../../measurement/experiments/gitState';
import { makeOwnFolder, resultsFolder } from '../../measurement/files/ownFiles';

/** Checking out a large repository takes a while. */
const checkoutSeconds = 600;

/** A commit, checked out beside the results. */
export interface BaselineTree {
  readonly commit: string;
  /** Its folder that corresponds to the workspace, with the workspace's `kymo.json`: both are built and run alike. */
  readonly workspace: string;
}

/** The commit that a text names in the repository of a folder; undefined outside of a repository, and for another text. */
export async function commitNamed(
  workspace: string,
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await git(
    workspace,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${text}^{commit}`],
    signal,
  );
  const commit = found?.stdout.trim() ?? '';
  return found?.status === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/**
 * Checks a commit out into `.kymo/.gate/<commit>`, where its build stays until another commit is the baseline.
 * @throws KymoError `git-failed`
 */
export async function checkOut(
  workspace: string,
  commit: string,
  signal: AbortSignal,
): Promise<BaselineTree> {
  const own = await realpath(workspace);
  const top = await asked(own, ['rev-parse', '--show-toplevel'], signal);
  const folder = gateFolder(own);
  const tree = path.join(folder, commit.slice(0, 12));
  await makeOwnFolder(folder);
  for (const name of await readdir(folder)) {
    const other = path.join(folder, name);
    if (/^[0-9a-f]{12}$/.test(name) && other !== tree)
      await git(own, ['worktree', 'remove', '--force', '--force', other], signal, {}, checkoutSeconds);
  }
  if (!existsSync(path.join(tree, '.git'))) {
    await asked(own, ['worktree', 'prune'], signal);
    await asked(own, ['worktree', 'add', '--force', '--detach', tree, commit], signal);
  }
  const inside = path.join(tree, path.relative(await realpath(top), own));
  await mkdir(inside, { recursive: true });
  // The commit may have links in place of both: what they name is not the tree's.
  if (!`${await realpath(inside)}${path.sep}`.startsWith(`${await realpath(tree)}${path.sep}`))
    throw new KymoError(
      'git-failed',
      `The baseline cannot be measured: in its commit, ${path.relative(tree, inside)} is a link that leads out of the repository.`,
    );
  const config = path.join(inside, configName);
  await rm(config, { force: true });
  await copyFile(path.join(own, configName), config, constants.COPYFILE_EXCL);
  return { commit, workspace: inside };
}

/** Holds what gates leave. No target has this name. */
export function gateFolder(workspace: string): string {
  return path.join(workspace, resultsFolder, '.gate');
}

async function asked(folder: string, words: readonly string[], signal: AbortSignal): Promise<string> {
  const answer = await git(folder, words, signal, {}, checkoutSeconds);
  signal.throwIfAborted();
  if (answer?.status === 0) return answer.stdout.trim();
  const why = answer === undefined ? 'git cannot be run' : answer.stderr.trim().split('\n').at(-1);
  throw new KymoError(
    'git-failed',
    `The baseline cannot be checked out (git ${words[0]} ${words[1] ?? ''}): ${why}`,
  );
}
