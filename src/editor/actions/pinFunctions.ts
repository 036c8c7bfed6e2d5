import * as vscode from 'vscode';
import type { PinsChanged, PinState } from '../../workflows/pins';
import type { Kymo } from '../state/kymo';
import { localFolders } from '../state/studies/studies';
import { showError } from './showError';

/** What lenses, quick fixes, trees and panels give to the pin commands; plain JSON, so that it may stand in a command link. */
export interface PinArguments {
  /** URI of the workspace folder, as text. */
  readonly folder: string;
  readonly key: string | readonly string[];
  /** The study that the function was shown of; default: the newest with results. */
  readonly studyDirectory?: string;
}

/** Pins and says what follows from it. */
export async function pinFunctions(
  kymo: Kymo,
  { folder: folderUri, key, studyDirectory }: PinArguments,
  state: PinState | 'none',
): Promise<void> {
  const folder = localFolders().find(({ uri }) => uri.toString() === folderUri);
  if (folder === undefined) {
    void showError(kymo, new Error(`${folderUri} is not a folder of this workspace; nothing was pinned.`));
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

/** What follows is shown beside the work; only what the user must know interrupts. */
export function showPinned(kymo: Kymo, { message, notes }: PinsChanged): void {
  kymo.log.info(message);
  vscode.window.setStatusBarMessage(`$(pin) ${message}`, 8000);
  for (const note of notes) {
    kymo.log.warn(note);
    void vscode.window.showWarningMessage(note);
  }
}
