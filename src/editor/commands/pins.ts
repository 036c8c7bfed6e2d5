import * as vscode from 'vscode';
import { byShare } from '../../core/functions/shareOrder';
import type { PinsChanged, PinState } from '../../workflows/pins';
import type { FunctionReport } from '../../workflows/studies';
import { showError } from '../diagnostics/showError';
import type { Kymo } from '../kymo';
import { localFolders, namedStudy } from '../studies';
import { pickFolder } from './pick';

const byInclusive = byShare('inclusiveShare');

/** What lenses, quick fixes, trees and panels give to the pin commands; plain JSON, so that it may stand in a command link. */
export interface PinArguments {
  /** URI of the workspace folder, as text. */
  readonly folder: string;
  readonly key: string | readonly string[];
  /** The study that the function was shown of; default: the newest with results. */
  readonly studyDirectory?: string;
}

/** *Kymo: Include in / Exclude from Instrumentation*, *Unpin*. Without arguments: the function at the cursor, or one that is picked. */
export async function pinCommand(kymo: Kymo, state: PinState | 'none', given: unknown): Promise<void> {
  const wanted = isPinArguments(given) ? given : await askForFunction(kymo, state);
  if (wanted !== undefined) await pinFunctions(kymo, wanted, state);
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
    tell(kymo, await kymo.pins.set(folder, keys, state, studyDirectory));
  } catch (error) {
    kymo.pins.refresh();
    void showError(kymo, error);
  }
}

/** *Kymo: Undo Last Instrumentation Change*. */
export async function undoPinCommand(kymo: Kymo): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  try {
    tell(kymo, await kymo.pins.undo(folder));
  } catch (error) {
    void showError(kymo, error);
  }
}

/** What follows is shown beside the work; only what the user must know interrupts. */
function tell(kymo: Kymo, { message, notes }: PinsChanged): void {
  kymo.log.info(message);
  vscode.window.setStatusBarMessage(`$(pin) ${message}`, 8000);
  for (const note of notes) {
    kymo.log.warn(note);
    void vscode.window.showWarningMessage(note);
  }
}

export function isPinArguments(value: unknown): value is PinArguments {
  if (typeof value !== 'object' || value === null) return false;
  const { folder, key } = value as Partial<Record<keyof PinArguments, unknown>>;
  return typeof folder === 'string' && (typeof key === 'string' || Array.isArray(key));
}

async function askForFunction(kymo: Kymo, state: PinState | 'none'): Promise<PinArguments | undefined> {
  const here = await functionAtCursor(kymo);
  if (here !== undefined) return here;
  const folder = await pickFolder();
  if (folder === undefined) return undefined;
  const picked = await vscode.window.showQuickPick(choices(kymo, folder, state), {
    title: titles[state],
    placeHolder: 'Function of the last study',
    matchOnDescription: true,
  });
  return picked === undefined ? undefined : { folder: folder.uri.toString(), key: picked.key };
}

const titles = {
  in: 'Kymo: Include in Instrumentation',
  out: 'Kymo: Exclude from Instrumentation',
  none: 'Kymo: Unpin Function',
} as const;

/** The function that the cursor is in, if the last study knows it. */
async function functionAtCursor(kymo: Kymo): Promise<PinArguments | undefined> {
  const found = await kymo.placed.atCursor();
  if (found === undefined) return undefined;
  const { file, group } = found;
  return {
    folder: file.folder.uri.toString(),
    key: group.functions.map(({ key }) => key),
    ...namedStudy(file.study),
  };
}

interface Choice extends vscode.QuickPickItem {
  readonly key: string;
}

async function choices(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  state: PinState | 'none',
): Promise<readonly Choice[]> {
  if (state === 'none') {
    const { pins } = await kymo.pins.of(folder);
    return pins.map((pin) => ({ label: pin.name, description: `pinned ${pin.state}`, key: pin.key }));
  }
  const { studies } = await kymo.studies.of(folder);
  const study = studies.find(({ iterations }) => iterations.length > 0);
  const functions: FunctionReport[] = [];
  if (study !== undefined) {
    await kymo.studies.readFunctions(study.directory, (more) => {
      for (const one of more) functions.push(one);
    });
  }
  return functions
    .filter(({ selected }) => selected !== (state === 'in'))
    .sort((a, b) => byInclusive(a, b) || a.name.localeCompare(b.name))
    .map(({ key, name, selected }) => ({
      label: name,
      description: selected ? 'instrumented' : 'not instrumented',
      key,
    }));
}
