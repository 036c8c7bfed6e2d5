import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../core/errors';
import { showError } from './showError';
import type { FoundIn } from '../state/findings/propertySource';
import type { Kymo } from '../state/kymo';
import { locateSource } from './locateSource';
import type { FoundProperty } from '../../workflows/views/dynamicsInSource';

/**
 * Opens the line of a finding's region, with a message if the text differs from the measured one. Asks once for a source
 * that is missing on this machine.
 */
export async function openFound(kymo: Kymo, of: FoundIn, property: FoundProperty): Promise<void> {
  const { file } = property.region ?? {};
  if (file === undefined) return;
  try {
    if (of.missingSources?.includes(file) === true) {
      // The views follow the setting that this writes.
      await locateSource(file, vscode.Uri.file(of.linesOf ?? of.folder.uri.fsPath));
      return;
    }
    const { location, stale } = await kymo.findings.locate(of, property);
    await vscode.window.showTextDocument(location.uri, { selection: location.range, preserveFocus: true });
    if (stale)
      vscode.window.setStatusBarMessage(
        l10n.t`$(warning) ${path.basename(location.uri.path)} has changed since the run: the line may be another one`,
        8000,
      );
  } catch (cause) {
    kymo.log.debug(String(cause));
    const message = l10n.t`${file} cannot be opened: it was moved, renamed or deleted since the run, or belongs to another machine. Give its new path in the setting kymo.sourcePaths.`;
    void showError(kymo, new KymoError('no-source', message, {}, { cause }));
  }
}
