import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../core/errors';
import { showError } from './showError';
import type { Kymo } from '../state/kymo';

/** A place in the measured source. */
interface MeasuredPlace {
  /** Absolute. */
  readonly file: string;
  /** 1-based, as `endLine`. */
  readonly line: number;
  readonly endLine?: number | undefined;
}

/** Opens the source of a function at its current line, or shows why it cannot be opened. */
export async function openMeasured(
  kymo: Kymo,
  { file, line, endLine }: MeasuredPlace,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const lines = { line, ...(endLine === undefined ? {} : { endLine }) };
  try {
    const { location } = await kymo.lineMaps.locate(vscode.Uri.file(file), lines);
    await vscode.window.showTextDocument(location.uri, { ...options, selection: location.range });
  } catch (cause) {
    kymo.log.debug(String(cause));
    const message = l10n.t`${file} cannot be opened: it was moved, renamed or deleted since the run, or belongs to another machine. Refine the instrumentation again to follow it.`;
    void showError(kymo, new KymoError('no-source', message, {}, { cause }));
  }
}
