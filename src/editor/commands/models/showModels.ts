import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { isRecord } from '../../../core/present';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import type { ModelsInput } from '../../state/models/modelsSession';
import { localFolders } from '../../state/studies/studies';
import type { ModelsPanels } from '../../surfaces/panels/models/modelsPanels';

const title = l10n.t('Show Performance Models');

/**
 * *Kymo: Show Performance Models…* of what is selected in the Explorer, else of an input that the user chooses.
 * @param given the file or folder of the Explorer's menu, or the input of a finding
 * @param all everything that is selected there
 */
export async function showModels(
  kymo: Kymo,
  panels: ModelsPanels,
  given: unknown,
  all: unknown,
): Promise<void> {
  try {
    const input = selected(given, all) ?? (await chosen(kymo));
    if (input !== undefined) panels.show(input);
  } catch (error) {
    void showError(kymo, error);
  }
}

/**
 * *Kymo: Compare Performance Models…*: the models of two inputs, matched by call path, in one panel.
 * @param given what the panel shows; nothing: the user chooses it
 * @param other what it is compared with; nothing: the user chooses it
 */
export async function compareModels(
  kymo: Kymo,
  panels: ModelsPanels,
  given: unknown,
  other: unknown,
): Promise<void> {
  try {
    const first = isInput(given) ? given : await chosen(kymo, l10n.t('The measurements to look at'));
    if (first === undefined) return;
    const second = isInput(other)
      ? other
      : await chosen(kymo, l10n.t('The measurements to compare them with'), first.paths);
    if (second !== undefined) panels.show({ ...first, compared: second.paths });
  } catch (error) {
    void showError(kymo, error);
  }
}

function isInput(given: unknown): given is ModelsInput {
  return typeof given === 'object' && given !== null && 'paths' in given;
}

function selected(given: unknown, all: unknown): ModelsInput | undefined {
  if (isRecord(given) && Array.isArray(given.paths))
    return { paths: (given.paths as readonly unknown[]).filter((one) => typeof one === 'string') };
  if (!(given instanceof vscode.Uri)) return undefined;
  const uris = Array.isArray(all)
    ? (all as readonly unknown[]).filter((one) => one instanceof vscode.Uri)
    : [];
  return inputOf(uris.length > 0 ? uris : [given]);
}

interface Choice extends vscode.QuickPickItem {
  readonly input: () => Promise<ModelsInput | undefined>;
}

/** @param other an input that is not offered again */
async function chosen(
  kymo: Kymo,
  placeHolder = l10n.t('What was measured at several values of parameters?'),
  other: readonly string[] = [],
): Promise<ModelsInput | undefined> {
  const studies = await Promise.all(
    localFolders().map(async ({ uri }): Promise<readonly Choice[]> => {
      const study = await kymo.engine.query('newestParameterStudy', { workspace: uri.fsPath });
      if (study === undefined || other.includes(study)) return [];
      return [
        {
          label: l10n.t('$(beaker) Newest Parameter Study'),
          description: path.relative(uri.fsPath, study),
          input: () => Promise.resolve({ paths: [study] }),
        },
      ];
    }),
  );
  const choice = await vscode.window.showQuickPick<Choice>(
    [
      ...studies.flat(),
      {
        label: l10n.t('$(file) File…'),
        detail: l10n.t('Measurements of Extra-P: text, JSON, JSON Lines, Talpas, .extra-p'),
        input: () =>
          opened({
            canSelectFiles: true,
            canSelectMany: true,
            filters: {
              Measurements: ['txt', 'json', 'jsonl', 'talpas', 'extra-p', 'cubex'],
              [l10n.t('All files')]: ['*'],
            },
          }),
      },
      {
        label: l10n.t('$(folder) Folder of Experiments…'),
        detail: l10n.t('With folders such as “app.p4n100.r1” that have a profile (.cubex), or a study'),
        input: () => opened({ canSelectFiles: false, canSelectFolders: true }),
      },
    ],
    { title: `Kymo: ${title}`, placeHolder },
  );
  return choice?.input();
}

async function opened(options: vscode.OpenDialogOptions): Promise<ModelsInput | undefined> {
  return inputOf(
    (await vscode.window.showOpenDialog({ title, openLabel: l10n.t('Show Models'), ...options })) ?? [],
  );
}

function inputOf(uris: readonly vscode.Uri[]): ModelsInput | undefined {
  return uris.length === 0 ? undefined : { paths: uris.map(({ fsPath }) => fsPath) };
}
