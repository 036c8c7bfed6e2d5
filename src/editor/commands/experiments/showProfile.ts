import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { byShare } from '../../../core/functions/shareOrder';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import { locateSource } from '../../actions/locateSource';
import type { FunctionRow } from '../../../core/functions/functionRow';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import { withoutLinks } from '../../../core/markdown';
import { openMeasured } from '../../actions/openMeasured';

/**
 * *Kymo: Show Profile in Source…*: lenses, hovers, heat and the Properties view show a given profile instead of the last study.
 * @param given a `.cubex`, or a study or round of the tree; nothing: the user chooses a file
 */
export async function showProfileInSource(kymo: Kymo, given: unknown): Promise<void> {
  try {
    const file = await profileMeant(kymo, given);
    if (file === undefined) return;
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: l10n.t`Kymo: reading ${path.basename(file.path)}` },
      () => kymo.studies.showProfile(file),
    );
    await showSummary(kymo);
  } catch (error) {
    void showError(kymo, error);
  }
}

/** *Kymo: Show the Last Study Again*. */
export async function showLastStudy(kymo: Kymo): Promise<void> {
  await kymo.studies.showProfile(undefined);
}

async function profileMeant(kymo: Kymo, given: unknown): Promise<vscode.Uri | undefined> {
  if (given instanceof vscode.Uri) return given;
  const study = studyMeant(given);
  if (study !== undefined) return vscode.Uri.file((await kymo.engine.query('studyProfile', study)).file);
  const [file] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Show Profile in Source'),
      openLabel: l10n.t('Show in Source'),
      filters: { [l10n.t('Cube profile')]: ['cubex'] },
    })) ?? [];
  return file;
}

function studyMeant(
  given: unknown,
): { readonly studyDirectory: string; readonly iteration?: number } | undefined {
  if (typeof given !== 'object' || given === null || !('kind' in given)) return undefined;
  const node = given as ExperimentNode;
  if (node.kind === 'study') return { studyDirectory: node.study.directory };
  if (node.kind === 'round')
    return { studyDirectory: node.of.study.directory, iteration: node.iteration.index };
  return undefined;
}

async function showSummary(kymo: Kymo): Promise<void> {
  const shown = await kymo.studies.profile?.load();
  if (shown === undefined) return;
  const { label, functions, missing, file } = shown;
  const here = functions.all.filter((row) => row.file !== undefined && row.line !== undefined);
  const rows = here.filter((row) => row.file !== undefined && !missing.includes(row.file));
  const hottest = [...rows].sort(byShare('exclusiveShare'))[0];
  const goTo = l10n.t('Go to Hottest Function');
  const locate = l10n.t('Locate Sources…');
  const back = l10n.t('Show the Last Study Again');
  const picked = await vscode.window.showInformationMessage(
    withoutLinks(sentence(label, rows, functions.size, missing)),
    ...(hottest === undefined ? [] : [goTo]),
    ...(missing.length === 0 ? [] : [locate]),
    back,
  );
  if (picked === goTo && hottest?.file !== undefined)
    await openMeasured(kymo, { file: hottest.file, line: hottest.line ?? 1, endLine: hottest.endLine });
  if (picked === locate) await locateSources(vscode.Uri.file(file), missing);
  if (picked === back) await showLastStudy(kymo);
}

function sentence(
  title: string,
  rows: readonly FunctionRow[],
  all: number,
  missing: readonly string[],
): string {
  if (all === 0)
    return l10n.t`Kymo: ${title} names no function with a source, so nothing can be shown in it. Compile with -g. The Properties view shows the findings.`;
  const files = new Set(rows.map(({ file }) => file)).size;
  const shown =
    files === 1
      ? l10n.t`Kymo: the sources show ${title}: ${rows.length} of ${all} functions in 1 file.`
      : l10n.t`Kymo: the sources show ${title}: ${rows.length} of ${all} functions in ${files} files.`;
  const [example] = missing;
  if (example === undefined) return shown;
  const lacking =
    missing.length === 1
      ? l10n.t`1 source file is not here, such as ${example}.`
      : l10n.t`${missing.length} source files are not here, such as ${example}.`;
  return `${shown} ${lacking}`;
}

/** Asks where a file is and stores the mapping of its folder. */
async function locateSources(profile: vscode.Uri, missing: readonly string[]): Promise<void> {
  const recorded =
    missing.length === 1
      ? missing[0]
      : await vscode.window.showQuickPick([...missing], {
          title: l10n.t('Kymo: Locate Sources'),
          placeHolder: l10n.t('A file that you can find; those beside it are found with it'),
        });
  if (recorded === undefined) return;
  // The shown profile follows the setting that this writes.
  await locateSource(recorded, profile);
}
