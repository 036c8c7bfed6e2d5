import { statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { CliContext, CommandAction, CommandResult } from '../execution/context';
import { configName } from '../../measurement/config/loadConfig';

/** Where a command works, and what to say about it. */
export interface FoundWorkspace {
  readonly folder: string;
  /** The folder is not the current one, and nobody named it. */
  readonly isParent?: true;
}

/**
 * The named folder, or the nearest one with a `kymo.json` from the current one upwards, or the current one.
 * @param search whether parent folders are searched
 * @throws KymoError `usage` when the named folder does not exist, or when the file of a parent folder belongs to another user, who could have
 * put it there to have commands run
 */
export function findWorkspace(
  named: string | undefined,
  search: boolean,
  here: string = process.cwd(),
): FoundWorkspace {
  if (named === '') throw new KymoError('usage', `--workspace is empty. Name the folder with ${configName}.`);
  if (named !== undefined) return { folder: existingFolder(path.resolve(here, named)) };
  if (!search || statOf(path.join(here, configName)) !== undefined) return { folder: here };
  for (let folder = path.dirname(here); ; folder = path.dirname(folder)) {
    const facts = statOf(path.join(folder, configName));
    if (facts?.isFile() === true) {
      requireOwn(facts.uid, folder);
      return { folder, isParent: true };
    }
    if (folder === path.dirname(folder)) return { folder: here };
  }
}

/** The action with its workspace, which is searched when the action asks for it: others have nothing to do with what is in parent folders. */
export function inWorkspace(
  action: CommandAction,
  named: string | undefined,
  search: boolean,
): (context: Omit<CliContext, 'workspace'>) => Promise<CommandResult> {
  return async (context) => {
    let found = named === undefined ? undefined : findWorkspace(named, search);
    const withWorkspace: CliContext = {
      ...context,
      get workspace() {
        if (found === undefined) {
          found = findWorkspace(named, search);
          if (found.isParent === true) context.progress.log(`Using ${path.join(found.folder, configName)}`);
        }
        return found.folder;
      },
    };
    return action(withWorkspace).catch((error: unknown) => {
      throw named === undefined && search ? alsoAbove(error) : error;
    });
  };
}

/** The folders above were searched, too. */
function alsoAbove(error: unknown): unknown {
  if (!(error instanceof KymoError) || error.reason !== 'config-missing') return error;
  const message = error.message.replace(
    /^(There is no kymo\.json in [^\n]*?)\. /,
    '$1 or a folder above it. ',
  );
  return new KymoError(error.reason, message, error.where, { cause: error });
}

function existingFolder(folder: string): string {
  const facts = statOf(folder);
  if (facts?.isDirectory() === true) return folder;
  throw new KymoError(
    'usage',
    facts === undefined
      ? `The workspace ${folder} does not exist. Name the folder with ${configName} by --workspace.`
      : `The workspace ${folder} is not a folder. Name the folder with ${configName} by --workspace.`,
    { file: folder },
  );
}

function requireOwn(owner: number, folder: string): void {
  if (owner === process.getuid?.() || owner === 0) return;
  throw new KymoError(
    'usage',
    `${path.join(folder, configName)} belongs to another user, and it names commands to run. Check it, and name its folder with --workspace if you trust it.`,
    { file: path.join(folder, configName) },
  );
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    // A part of the path is not a folder, or may not be read.
    return undefined;
  }
}
