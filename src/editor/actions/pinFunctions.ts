import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { PinsChanged, PinState } from '../../workflows/pins';
import type { Kymo } from '../state/kymo';
import { localFolders } from '../state/studies/studies';
import { showError } from './showError';

/** Argument of the pin commands from lenses, quick fixes, trees and panels; plain JSON, so that a command link can contain it. */
export interface PinArguments {
  /** URI of the workspace folder, as text. */
  readonly folder: string;
  readonly key: string | readonly string[];
  /** The study that shows the function; default: the newest with results. */
  readonly studyDirectory?: string;
}

/** Pins functions and shows the consequences. */
export async function pinFunctions(
  kymo: Kymo,
  { folder: folderUri, key, studyDirectory }: PinArguments,
  state: PinState | 'none',
): Promise<void> {
  const folder = localFolders().find(({ uri }) => uri.toString() === folderUri);
  if (folder === undefined) {
    void showError(
      kymo,
      new Error(l10n.t`${folderUri} is not a folder of this workspace; nothing was pinned.`),
    );
    return;
  }
  const keys = typeof key === 'string' ? [key] : key;
  try {
    showPinned(kymo, await kymo.pins.set(folder, keys, state, studyDirectory));
  } catch (error) {
    kymo.pins.refresh();
    void showError(kymo, error);
  }
}

/** Consequences are shown in the status bar; only those that need attention interrupt. */
export function showPinned(kymo: Kymo, { message, notes }: PinsChanged): void {
  kymo.log.info(message);
  vscode.window.setStatusBarMessage(`$(pin) ${message}`, 8000);
  for (const note of notes) {
    kymo.log.warn(note);
    void vscode.window.showWarningMessage(note);
  }
}
