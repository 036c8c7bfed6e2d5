import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import { counted, formatBytes } from '../../../core/format';
import { withoutLinks } from '../../../core/markdown';
import type { GatedFiles } from '../../../workflows/views/baselineView';
import { showError } from '../../actions/showError';
import { withDelayedProgress } from '../../base/delayedProgress';
import { gatedIn } from '../../state/findings/comparisonSource';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import { baselineFilters } from './baselineFile';
import { measuredOf, nameIn, type Measured } from '../experiments/measured';

/**
 * *Kymo: Accept as New Baseline…*: writes a measurement as the baseline file of its target, as `kymo gate --save` does.
 * @param given a measurement that was judged, or the study or round of the menu; default: the newest measurement of a target
 */
export async function acceptBaseline(kymo: Kymo, given: unknown): Promise<void> {
  const judged = gatedIn(given);
  const folder = localFolders().find(({ uri }) => uri.fsPath === judged?.workspace);
  const measured =
    judged === undefined || folder === undefined
      ? await measuredOf(kymo, given, l10n.t('Kymo: Accept as New Baseline'))
      : { folder, target: judged.target, directory: judged.candidate };
  if (measured !== undefined) await acceptMeasurement(kymo, measured, judged?.baseline);
}

/** @param file the baseline to replace; default: that of the target, or a new file that the user names */
export async function acceptMeasurement(kymo: Kymo, measured: Measured, file?: string): Promise<void> {
  try {
    const baseline = await fileFor(kymo, measured, file);
    if (baseline === undefined) return;
    const files: GatedFiles = {
      ...{ workspace: measured.folder.uri.fsPath, target: measured.target },
      ...{ baseline, candidate: measured.directory },
    };
    const written = await withDelayedProgress(
      l10n.t('Kymo: writing {0}', nameIn(measured.folder, baseline)),
      (signal) => kymo.engine.job('saveBaseline', files, { signal }),
    );
    // The findings are those of the former baseline.
    if (kymo.comparison.judged?.files.baseline === baseline) await kymo.comparison.show(undefined);
    void reportWritten(measured, written);
  } catch (error) {
    if (!(error instanceof KymoError && error.reason === 'cancelled')) void showError(kymo, error);
  }
}

async function reportWritten(
  { folder }: Measured,
  {
    file,
    runs,
    functions,
    bytes,
  }: { readonly file: string; readonly runs: number; readonly functions: number; readonly bytes: number },
): Promise<void> {
  const open = l10n.t('Open File');
  const choice = await vscode.window.showInformationMessage(
    l10n.t(
      'Kymo wrote {0} ({1}): {2}, {3}. Commit it, and compare with it in CI: kymo gate --baseline {0}',
      ...[nameIn(folder, file), formatBytes(bytes), counted(runs, 'run'), counted(functions, 'function')],
    ),
    open,
  );
  if (choice === open) await vscode.window.showTextDocument(vscode.Uri.file(file));
}

/** The file to write, which the user agreed to replace or named. */
async function fileFor(
  kymo: Kymo,
  measured: Measured,
  given: string | undefined,
): Promise<string | undefined> {
  const { folder, target } = measured;
  const files = await kymo.engine.query('baselineFiles', { workspace: folder.uri.fsPath, target });
  const all = [given, files.configured, ...files.found].flatMap((file) => file ?? []);
  // A baseline may also be the folder of a measurement, which stays as it is.
  const existing = (await Promise.all(all.map(isFile))).flatMap((is, index) =>
    is ? (all[index] ?? []) : [],
  );
  const [file] = existing;
  if (file === undefined) return saveAs(folder, target);
  const replace = l10n.t('Replace');
  const other = l10n.t('Save as Another File…');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Replace the baseline {0}?', nameIn(folder, file)),
    { modal: true, detail: (await changesOf(kymo, measured, file)).join('\n') },
    replace,
    other,
  );
  if (answer === other) return saveAs(folder, target);
  return answer === replace ? file : undefined;
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

async function saveAs(folder: vscode.WorkspaceFolder, target: string): Promise<string | undefined> {
  const usual = vscode.Uri.joinPath(folder.uri, 'kymo-baseline.json');
  const isTaken = await isFile(usual.fsPath);
  const chosen = await vscode.window.showSaveDialog({
    title: l10n.t('Save Baseline of {0}', target),
    defaultUri: isTaken ? vscode.Uri.joinPath(folder.uri, `kymo-baseline-${target}.json`) : usual,
    filters: baselineFilters,
  });
  return chosen?.fsPath;
}

/** Changes that a dialog shows. */
const shownChanges = 6;

/** What the new baseline makes of the former one, a line each. */
async function changesOf(
  kymo: Kymo,
  { folder, target, directory }: Measured,
  file: string,
): Promise<readonly string[]> {
  const undo = l10n.t('If the file is committed, git can restore it.');
  try {
    const { incomparable, sentence, changes } = await withDelayedProgress(
      l10n.t('Kymo: comparing {0} with its baseline', withoutLinks(target)),
      (signal) =>
        kymo.comparison.judge(
          { workspace: folder.uri.fsPath, target, baseline: file, candidate: directory },
          { signal },
        ),
    );
    const more = changes.length - shownChanges;
    return [
      l10n.t('{0} becomes what later measurements are compared with.', path.basename(directory)),
      '',
      ...incomparable,
      sentence,
      ...changes.slice(0, shownChanges).map((change) => `– ${change}`),
      ...(more > 0 ? [l10n.t('… and {0} more', more)] : []),
      '',
      undo,
    ];
  } catch (error) {
    if (!(error instanceof KymoError) || error.reason === 'cancelled') throw error;
    return [error.message, '', undo];
  }
}
