import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import { refuseUntrusted } from '../../actions/consent';
import { showError } from '../../actions/showError';
import type { DiagnosisInput } from '../../state/diagnosis/diagnosisSession';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import type { DiagnosisPanels } from '../../surfaces/panels/diagnosis/diagnosisPanels';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import { startedAtText, studySummary } from '../../words/studies/experimentText';
import { profileOf } from '../experiments/experiments';
import { runItem } from '../running/runItem';
import { searchIn } from './diagnoseRunning';

const title = l10n.t('Kymo: Diagnose');
/** Older ones are in the Experiments view. */
const mostOffered = 20;

/**
 * *Kymo: Diagnose…*: why the program was slow, and where, in what is selected, else in a measurement that the user chooses.
 * @param given a file or folder of the Explorer, a node of the Experiments tree, or an input
 */
export async function diagnose(kymo: Kymo, panels: DiagnosisPanels, given: unknown): Promise<void> {
  try {
    const input = (await selected(kymo, given)) ?? (await chosen(kymo));
    if (input !== undefined) panels.show(input);
  } catch (error) {
    void showError(kymo, error);
  }
}

/** *Kymo: Import a Search…*: one that was exported here or by the command line. */
export async function importSearch(kymo: Kymo, panels: DiagnosisPanels): Promise<void> {
  try {
    const input = await openedSearch();
    if (input !== undefined) panels.show(input);
  } catch (error) {
    void showError(kymo, error);
  }
}

async function selected(kymo: Kymo, given: unknown): Promise<DiagnosisInput | undefined> {
  if (given instanceof vscode.Uri) return inputOf([given]);
  if (typeof given !== 'object' || given === null) return undefined;
  if ('path' in given && typeof given.path === 'string') return { path: given.path };
  const source = 'kind' in given ? profileOf(given as ExperimentNode) : undefined;
  return source && { path: (await kymo.engine.query('studyProfile', source)).file };
}

interface Choice extends vscode.QuickPickItem {
  readonly input?: () => Promise<DiagnosisInput | undefined>;
}

async function chosen(kymo: Kymo): Promise<DiagnosisInput | undefined> {
  const folders = localFolders();
  const running = (await Promise.all(folders.map((folder) => runsIn(kymo, folder)))).flat();
  const measured = (await Promise.all(folders.map((folder) => measurementsIn(kymo, folder)))).flat();
  const choice = await vscode.window.showQuickPick<Choice>(
    [
      ...group(l10n.t('Running'), running),
      ...group(l10n.t('Measurements'), measured),
      separator(l10n.t('Others')),
      {
        label: l10n.t('$(file) Profile…'),
        detail: l10n.t('A Cube profile (.cubex) of Kymo, Score-P or Scalasca'),
        input: () =>
          opened({ filters: { [l10n.t('Cube profile')]: ['cubex'], [l10n.t('All files')]: ['*'] } }),
      },
      {
        label: l10n.t('$(folder) Folder of Runs…'),
        detail: l10n.t('Repetitions of a run, or runs that recorded different functions and metrics'),
        input: () => opened({ canSelectFiles: false, canSelectFolders: true }),
      },
      {
        label: l10n.t('$(list-tree) Saved Search…'),
        detail: l10n.t('A search that was exported here or by the command line'),
        input: openedSearch,
      },
    ],
    {
      title,
      placeHolder: l10n.t('The run or measurement in which to search for what makes the program slow'),
      matchOnDescription: true,
    },
  );
  return choice?.input?.();
}

function separator(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function group(label: string, choices: readonly Choice[]): readonly Choice[] {
  return choices.length === 0 ? [] : [separator(label), ...choices];
}

/** The runs of a folder that are under way. */
async function runsIn(kymo: Kymo, { uri }: vscode.WorkspaceFolder): Promise<readonly Choice[]> {
  const runs = await kymo.engine.query('runsUnderWay', { workspace: uri.fsPath });
  return runs.map((run) => ({
    ...runItem(run),
    description: l10n.t('the run under way'),
    input: async () =>
      (await refuseUntrusted(l10n.t('search in a running program'))) ? undefined : searchIn(kymo, run),
  }));
}

/** The newest measurements of a folder. */
async function measurementsIn(kymo: Kymo, folder: vscode.WorkspaceFolder): Promise<readonly Choice[]> {
  const { studies } = await kymo.studies.of(folder);
  return studies
    .filter(({ iterations }) => iterations.length > 0)
    .slice(0, mostOffered)
    .map((study) => ({
      label: `$(graph) ${study.target}`,
      description: [startedAtText(study.startedAt, new Date()) ?? study.study, studySummary(study)].join(
        ' · ',
      ),
      input: async () => ({
        path: (await kymo.engine.query('studyProfile', { studyDirectory: study.directory })).file,
      }),
    }));
}

async function openedSearch(): Promise<DiagnosisInput | undefined> {
  return opened({ openLabel: l10n.t('Import'), filters: { Search: ['json'], [l10n.t('All files')]: ['*'] } });
}

async function opened(options: vscode.OpenDialogOptions): Promise<DiagnosisInput | undefined> {
  return inputOf(
    (await vscode.window.showOpenDialog({ title, openLabel: l10n.t('Diagnose'), ...options })) ?? [],
  );
}

function inputOf([uri]: readonly vscode.Uri[]): DiagnosisInput | undefined {
  if (uri === undefined) return undefined;
  if (uri.scheme !== 'file')
    throw new KymoError(
      'file-unusable',
      l10n.t`${path.basename(uri.path)} can only be read where its files are on a disk.`,
    );
  return { path: uri.fsPath };
}
