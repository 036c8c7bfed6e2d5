import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { maximumComparedViews } from '../../../protocol/comparison';
import { findTraces, tellNoTrace } from '../../actions/findTraces';
import { showError } from '../../actions/showError';
import type { ComparedInput, ComparisonInput } from '../../state/comparison/comparisonSession';
import type { Kymo } from '../../state/kymo';
import type { ComparisonPanels } from '../../surfaces/panels/comparison/comparisonPanels';
import { comparisonKinds, readNumbers, traceName } from '../../words/comparison/comparisonText';

const title = l10n.t('Kymo: Compare Traces');
const endings = ['otf2', 'mvtrace'];

/**
 * *Kymo: Compare Traces…* of what is selected, else of what the user chooses.
 * @param given the file of the Explorer's menu, a node of the Experiments tree, or an input
 * @param all everything that is selected there
 */
export async function compareTraces(
  kymo: Kymo,
  panels: ComparisonPanels,
  given: unknown,
  all: unknown,
): Promise<void> {
  try {
    const input = isInput(given) ? given : await chosen(selectedFiles(given, all));
    if (input !== undefined) panels.show(input);
  } catch (error) {
    void showError(kymo, error);
  }
}

/** *Compare Traces…* of studies and rounds: those below their folders. @param folders absolute */
export async function compareTracesBelow(
  kymo: Kymo,
  panels: ComparisonPanels,
  folders: readonly string[],
): Promise<void> {
  try {
    const found = await Promise.all(folders.map((folder) => findTraces(endings, folder)));
    const files = found.flat();
    if (files.length === 0) {
      tellNoTrace();
      return;
    }
    // One of each, unless there are too many: then the user chooses.
    const input = await chosen(found.every(({ length }) => length === 1) ? files : [], files);
    if (input !== undefined) panels.show(input);
  } catch (error) {
    void showError(kymo, error);
  }
}

function isInput(given: unknown): given is ComparisonInput {
  return typeof given === 'object' && given !== null && 'views' in given && Array.isArray(given.views);
}

function selectedFiles(given: unknown, all: unknown): readonly string[] {
  const uris = Array.isArray(all) && all.length > 0 ? (all as readonly unknown[]) : [given];
  return uris.flatMap((uri) =>
    uri instanceof vscode.Uri && /\.(otf2|mvtrace)$/i.test(uri.path) ? [uri.fsPath] : [],
  );
}

/**
 * @param files two to four: they are compared; one: the user chooses what with
 * @param offered traces to choose from; undefined: those of the workspace
 */
async function chosen(
  files: readonly string[],
  offered?: readonly string[],
): Promise<ComparisonInput | undefined> {
  if (files.length > maximumComparedViews) {
    void vscode.window.showInformationMessage(l10n.t('Kymo: select two to four traces to compare.'));
    return undefined;
  }
  if (files.length >= 2) return { views: files.map((file) => ({ file })) };
  const kind = await chooseKind(files.length === 1);
  if (kind === undefined) return undefined;
  const all = offered ?? (await findTraces(endings));
  if (kind.kind === 'ranks' || kind.kind === 'iterations') {
    const file = files[0] ?? (await chooseTraces(kind.choose, all, false))?.[0];
    return file === undefined ? undefined : chooseParts(kind.kind, file);
  }
  const first = files.length > 0 ? files : await chooseTraces(kind.choose[0], all, true);
  if (first === undefined) return undefined;
  const more =
    first.length > 1
      ? []
      : await chooseTraces(
          kind.choose[1],
          all.filter((file) => !first.includes(file)),
          true,
        );
  if (more === undefined) return undefined;
  return { views: [...first, ...more].slice(0, maximumComparedViews).map((file) => ({ file })) };
}

async function chooseKind(hasOne: boolean): Promise<(typeof comparisonKinds)[number] | undefined> {
  const items = comparisonKinds.map((of) => ({ label: of.label, detail: of.detail, of }));
  const choice = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: hasOne
      ? l10n.t('What is this trace compared with?')
      : l10n.t('What do you want to compare?'),
  });
  return choice?.of;
}

/** The ranks or iterations of one trace. */
async function chooseParts(kind: 'ranks' | 'iterations', file: string): Promise<ComparisonInput | undefined> {
  const least = kind === 'ranks' ? 0 : 1;
  const text = await vscode.window.showInputBox({
    title,
    prompt: kind === 'ranks' ? l10n.t('Two to four ranks, from 0') : l10n.t('Two to four iterations, from 1'),
    placeHolder: `${least}, ${least + 1}`,
    value: `${least}, ${least + 1}`,
    validateInput: (written) =>
      readNumbers(written, least) === undefined
        ? l10n.t`Enter two to four numbers from ${least} on, such as ${least}, ${least + 1}.`
        : undefined,
  });
  const numbers = text === undefined ? undefined : readNumbers(text, least);
  if (numbers === undefined) return undefined;
  const views = numbers.map((number): ComparedInput =>
    kind === 'ranks' ? { file, rank: number } : { file, iterations: [number, number] },
  );
  return { views };
}

interface Choice extends vscode.QuickPickItem {
  readonly files?: readonly string[];
}

/**
 * A trace, or several of a file dialog. Undefined: none was chosen, or profiles are compared instead.
 * @param isOfRuns profiles can be compared instead; they are if there is no trace
 */
async function chooseTraces(
  placeHolder: string,
  files: readonly string[],
  isOfRuns: boolean,
): Promise<readonly string[] | undefined> {
  const hasProfiles = isOfRuns && (await vscode.commands.getCommands(true)).includes(profileCommand);
  if (files.length === 0 && hasProfiles) {
    await vscode.commands.executeCommand(profileCommand);
    return undefined;
  }
  const open: Choice = {
    label: l10n.t('$(file) Open File…'),
    detail: isOfRuns
      ? l10n.t(
          'OTF2 traces (traces.otf2) and call-graph traces (*.mvtrace); several are compared with each other',
        )
      : l10n.t('An OTF2 trace (traces.otf2) or a call-graph trace (*.mvtrace)'),
  };
  const profiles: Choice = {
    label: l10n.t('$(graph) Compare Profiles Instead…'),
    detail: l10n.t('They need no trace'),
  };
  const picked = await vscode.window.showQuickPick<Choice>(
    [
      ...files.map((file) => ({
        label: traceName(file),
        description: vscode.workspace.asRelativePath(file),
        files: [file],
      })),
      open,
      ...(hasProfiles ? [profiles] : []),
    ],
    { title, placeHolder, matchOnDescription: true },
  );
  if (picked === profiles) await vscode.commands.executeCommand(profileCommand);
  return picked === open ? openDialog(placeHolder, isOfRuns) : picked?.files;
}

/** The comparison of profiles. */
const profileCommand = 'kymo.compareRuns';

async function openDialog(placeHolder: string, several: boolean): Promise<readonly string[] | undefined> {
  const uris = await vscode.window.showOpenDialog({
    title: placeHolder,
    openLabel: l10n.t('Compare'),
    canSelectMany: several,
    filters: { Traces: [...endings], [l10n.t('All files')]: ['*'] },
  });
  return uris?.map(({ fsPath }) => fsPath);
}
