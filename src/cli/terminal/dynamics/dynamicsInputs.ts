import { access } from 'node:fs/promises';
import path from 'node:path';
import { resultsFolder } from '../../../measurement/files/ownFiles';
import { rulesFileName } from '../../../workflows/dynamics/rulesFile';
import { measurableTarget } from '../../../workflows/targets/measurableTarget';
import type { CliContext } from '../../execution/context';

/** The workspace's own rules, if there are any. A report that is made again uses the rules of the first one. */
export async function workspaceRules(
  files: readonly string[],
  { workspace }: Pick<CliContext, 'workspace'>,
): Promise<string | undefined> {
  const file = path.join(workspace, rulesFileName);
  if (files.length === 1 && files[0]?.endsWith('.json') === true) return undefined;
  return access(file).then(
    () => file,
    () => undefined,
  );
}

/** The folder with the studies of the target. */
export async function targetFolder({ workspace, target, progress }: CliContext): Promise<string> {
  const chosen = await measurableTarget({
    workspace,
    progress,
    ...(target === undefined ? {} : { target }),
  });
  return path.join(chosen.workspace, resultsFolder, chosen.target.name);
}
