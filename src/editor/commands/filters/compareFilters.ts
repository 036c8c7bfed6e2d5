import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { StudySummary } from '../../../workflows/studies/studies';
import { pickFolder } from '../../actions/pick';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';

const title = l10n.t('Kymo: Compare Filters');
const scheme = 'kymo-filter';

/** The selections of rounds as Score-P filters, for a diff editor. */
export class RoundFilters implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  constructor(private readonly kymo: Kymo) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const studyDirectory = query.get('study') ?? '';
    const iteration = Number(query.get('iteration'));
    const text = await this.kymo.engine.query('filterText', { studyDirectory, iteration });
    // The tab's title names the rounds; a first line that always differs has no information.
    return text.replace(/^# Written by Kymo[^\n]*\n/, '');
  }

  dispose(): void {
    this.registration.dispose();
  }
}

interface StudyRound {
  readonly study: StudySummary;
  readonly iteration: number;
}

/**
 * *Compare Filters*: the selections of two rounds, as a diff of their filters.
 * @param node the clicked node of the Experiments view
 * @param all the selected nodes
 */
export async function compareFilters(
  kymo: Kymo,
  node?: ExperimentNode,
  all: readonly ExperimentNode[] = [],
): Promise<void> {
  const pair = await chosenRounds(kymo, node, all);
  if (pair === undefined) return;
  const [older, newer] = pair;
  const same = older.study.directory === newer.study.directory;
  const names = pair.map(({ study, iteration }) =>
    same ? l10n.t`round ${iteration}` : l10n.t`${study.study} round ${iteration}`,
  );
  try {
    await vscode.commands.executeCommand(
      'vscode.diff',
      uriOf(older),
      uriOf(newer),
      l10n.t`Filters of ${newer.study.target}: ${names.join(' ↔ ')}`,
    );
  } catch (error) {
    void showError(kymo, error);
  }
}

function uriOf({ study, iteration }: StudyRound): vscode.Uri {
  const query = new URLSearchParams({ study: study.directory, iteration: String(iteration) });
  return vscode.Uri.from({
    scheme,
    path: `/${study.target}/${study.study}/i${iteration}.filter`,
    query: query.toString(),
  });
}

type Pair = readonly [StudyRound, StudyRound];

async function chosenRounds(
  kymo: Kymo,
  node: ExperimentNode | undefined,
  all: readonly ExperimentNode[],
): Promise<Pair | undefined> {
  const [first, second] = all.flatMap(iterationsIn);
  if (first !== undefined && second !== undefined && all.length === 2) return inOrder(first, second);
  const [clicked] = node === undefined ? [] : iterationsIn(node);
  const study = clicked?.study ?? (await shownStudy(kymo));
  return study && pickPair(study, node?.kind === 'round' ? clicked?.iteration : undefined);
}

/** @param given the round that was already chosen */
async function pickPair(study: StudySummary, given: number | undefined): Promise<Pair | undefined> {
  if (study.iterations.length < 2) {
    void vscode.window.showInformationMessage(
      l10n.t`Study ${study.study} has only one round, so there is nothing to compare.`,
    );
    return undefined;
  }
  const newer = given ?? (await pickRound(study, l10n.t('The newer one')));
  if (newer === undefined) return undefined;
  const older = await pickRound(study, l10n.t`Compare round ${newer} with`, newer);
  return older === undefined ? undefined : inOrder({ study, iteration: older }, { study, iteration: newer });
}

function iterationsIn(node: ExperimentNode): readonly StudyRound[] {
  if (node.kind === 'round') return [{ study: node.of.study, iteration: node.iteration.index }];
  if (node.kind !== 'study') return [];
  const last = node.study.iterations.at(-1)?.index;
  return last === undefined ? [] : [{ study: node.study, iteration: last }];
}

/** Puts the older round first, as in diffs. */
function inOrder(a: StudyRound, b: StudyRound): Pair {
  const order = a.study.startedAt.localeCompare(b.study.startedAt) || a.iteration - b.iteration;
  return order <= 0 ? [a, b] : [b, a];
}

async function shownStudy(kymo: Kymo): Promise<StudySummary | undefined> {
  const folder = await pickFolder(title);
  if (folder === undefined) return undefined;
  const study = await kymo.studies.lastRefinementOf(folder);
  if (study === undefined)
    void vscode.window.showInformationMessage(
      l10n.t('There is no study yet. Refine the instrumentation first.'),
    );
  return study;
}

async function pickRound(
  study: StudySummary,
  placeHolder: string,
  without?: number,
): Promise<number | undefined> {
  const items = study.iterations
    .filter(({ index }) => index !== without)
    .map(({ index, instrumented, overheadPercent }) => ({
      label: l10n.t`Round ${index}`,
      description: l10n.t`${instrumented} functions, ${overheadPercent.toFixed(1)} % overhead`,
      index,
    }))
    .reverse();
  if (items.length === 1) return items[0]?.index;
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  return picked?.index;
}
