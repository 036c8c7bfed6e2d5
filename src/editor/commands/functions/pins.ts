import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { byShare } from '../../../core/functions/shareOrder';
import type { PinState } from '../../../workflows/pins';
import type { FunctionRow } from '../../../core/functions/functionRow';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import { pinnedIn } from '../../state/studies/shown';
import { pickFolder } from '../../actions/pick';
import { pinFunctions, showPinned, type PinArguments } from '../../actions/pinFunctions';

const byInclusive = byShare('inclusiveShare');

/** *Kymo: Include in / Exclude from Instrumentation*, *Unpin*. Without arguments: the function at the cursor, or a picked one. */
export async function pinCommand(kymo: Kymo, state: PinState | 'none', given: unknown): Promise<void> {
  const selection = isPinArguments(given) ? given : await askForFunction(kymo, state);
  if (selection !== undefined) await pinFunctions(kymo, selection, state);
}

/** *Kymo: Undo Last Instrumentation Change*. */
export async function undoPinCommand(kymo: Kymo): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  try {
    showPinned(kymo, await kymo.pins.undo(folder));
  } catch (error) {
    void showError(kymo, error);
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
    placeHolder: l10n.t('Function of the last study'),
    matchOnDescription: true,
  });
  return picked === undefined ? undefined : { folder: folder.uri.toString(), key: picked.key };
}

const titles = {
  in: l10n.t('Kymo: Include in Instrumentation'),
  out: l10n.t('Kymo: Exclude from Instrumentation'),
  none: l10n.t('Kymo: Unpin Function'),
} as const;

/** The function at the cursor, if the last study contains it. */
async function functionAtCursor(kymo: Kymo): Promise<PinArguments | undefined> {
  const place = await kymo.placed.atCursor();
  if (place === undefined) return undefined;
  const { file, group } = place;
  return {
    folder: file.folder.uri.toString(),
    key: group.functions.map(({ key }) => key),
    ...pinnedIn(file.shown),
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
    return pins.map((pin) => ({
      label: pin.name,
      description: pin.state === 'in' ? l10n.t('pinned in') : l10n.t('pinned out'),
      key: pin.key,
    }));
  }
  const { studies } = await kymo.studies.of(folder);
  const study = studies.find(({ iterations }) => iterations.length > 0);
  const functions: FunctionRow[] = [];
  if (study !== undefined) {
    await kymo.studies.readFunctions(study.directory, (more) => {
      for (const row of more) functions.push(row);
    });
  }
  return functions
    .filter(({ selected }) => selected !== (state === 'in'))
    .sort((a, b) => byInclusive(a, b) || a.name.localeCompare(b.name))
    .map(({ key, name, selected }) => ({
      label: name,
      description: selected ? l10n.t('instrumented') : l10n.t('not instrumented'),
      key,
    }));
}
