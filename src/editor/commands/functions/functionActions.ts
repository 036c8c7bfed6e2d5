import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { byShare } from '../../../core/functions/shareOrder';
import { decisionText, type FunctionRow } from '../../../core/functions/functionRow';
import type { StudySummary } from '../../../workflows/studies/studies';
import type { PlacedAt } from '../../state/places/placedFunctions';
import type { Kymo } from '../../state/kymo';
import { explanation, functionSummary, pinText, shorten, stateText } from '../../words/functions/lensText';
import { openMeasured } from '../../actions/openMeasured';
import { pinnedIn, type Shown } from '../../state/studies/shown';
import { pinFunctions } from '../../actions/pinFunctions';

/** The function that a lens, a hover or a fix names by document and measured line; without these, the function at the cursor. */
export async function requestedFunctions(
  kymo: Kymo,
  document: unknown,
  line: unknown,
): Promise<PlacedAt | undefined> {
  const place =
    typeof document === 'string' && typeof line === 'number'
      ? await kymo.placed.named(
          await vscode.workspace.openTextDocument(vscode.Uri.parse(document, true)),
          line,
        )
      : await kymo.placed.atCursor();
  if (place === undefined)
    void vscode.window.showInformationMessage(
      l10n.t(
        'The cursor is in no function that the last study knows. Put it into one that was measured, or refine first.',
      ),
    );
  return place;
}

interface ActionItem extends vscode.QuickPickItem {
  readonly run?: () => Promise<unknown>;
}

const nameCharacters = 120;
/** Separator before the first item of its group. */
const separatorCharacters = 50;

/** A folder and its shown result. */
interface ShownIn {
  readonly folder: vscode.WorkspaceFolder;
  readonly shown: Shown;
}

/** Action of a lens: shows the decision, its reason, the exact numbers, and possible actions. */
export async function explainFunctions(kymo: Kymo, document?: unknown, line?: unknown): Promise<void> {
  const place = await requestedFunctions(kymo, document, line);
  if (place !== undefined) await explain(kymo, place.file, place.group.functions, place.group.stale);
}

/**
 * Explains functions of a tree.
 * @param rows the functions, the most important first
 * @param stale whether their lines changed since the run
 */
export async function explain(
  kymo: Kymo,
  of: ShownIn,
  rows: readonly FunctionRow[],
  stale = false,
): Promise<void> {
  const [heaviest] = rows;
  if (heaviest === undefined) return;
  const pinned = await kymo.pins.statesOf(of.folder);
  const picked = await vscode.window.showQuickPick(
    [
      ...rows.flatMap((row, _, { length }) => [
        // For a single function the title has the name.
        ...(length === 1 ? [] : [separator(shorten(row.name, separatorCharacters))]),
        ...itemsOf(row, of.shown.functions.all, pinned.get(row.key)),
      ]),
      ...(await actionsOf(kymo, of, rows, pinned)),
    ],
    {
      title: shorten(heaviest.name, nameCharacters),
      placeHolder: stale
        ? l10n.t`${whatIsShown(of.shown)}; the function changed since`
        : whatIsShown(of.shown),
      matchOnDetail: true,
    },
  );
  await picked?.run?.();
}

function whatIsShown(shown: Shown): string {
  if (shown.kind === 'profile') return l10n.t`What ${shown.label} measured`;
  return shown.kind === 'study'
    ? l10n.t('What the last study measured and decided')
    : l10n.t('What the last measurement recorded');
}

function itemsOf(
  row: FunctionRow,
  table: readonly FunctionRow[],
  pin: 'in' | 'out' | undefined,
): readonly ActionItem[] {
  const state = stateText(row);
  const note = pinText(row, pin);
  return [
    {
      label: `$(${row.selected ? 'pass' : 'circle-slash'}) ${state.charAt(0).toUpperCase()}${state.slice(1)}`,
      ...(note === undefined ? {} : { description: note }),
      detail: decisionText(row.decision),
    },
    ...explanation(row, table).map(([label, description]) => ({ label: `$(blank) ${label}`, description })),
  ];
}

function separator(label: string): ActionItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function actionsOf(
  kymo: Kymo,
  { folder, shown }: ShownIn,
  rows: readonly FunctionRow[],
  pinned: ReadonlyMap<string, 'in' | 'out'>,
): Promise<readonly ActionItem[]> {
  const [heaviest] = rows;
  if (heaviest === undefined) return [];
  const pin = pinned.get(heaviest.key);
  const given = {
    folder: folder.uri.toString(),
    key: rows.map(({ key }) => key),
    ...pinnedIn(shown),
  };
  const callers = shown.functions.at(heaviest.callers ?? []);
  const { studies } = await kymo.studies.of(folder);
  return [
    separator(l10n.t('Actions')),
    ...(pin === 'in'
      ? []
      : [
          {
            label: l10n.t('$(pinned) Include in Instrumentation'),
            run: () => pinFunctions(kymo, given, 'in'),
          },
        ]),
    ...(pin === 'out'
      ? []
      : [
          {
            label: l10n.t('$(circle-slash) Exclude from Instrumentation'),
            run: () => pinFunctions(kymo, given, 'out'),
          },
        ]),
    ...(pin === undefined
      ? []
      : [{ label: l10n.t('$(pin) Unpin (Let Kymo Decide)'), run: () => pinFunctions(kymo, given, 'none') }]),
    { label: l10n.t('$(flame) Show in Hot Spots'), run: () => openHotSpots(folder, heaviest) },
    ...(callers.length === 0
      ? []
      : [
          {
            label: l10n.t('$(call-incoming) Go to Callers…'),
            run: () => pickCaller(kymo, heaviest, callers),
          },
        ]),
    ...(shown.kind === 'study'
      ? [
          {
            label: l10n.t('$(history) Decisions of All Rounds…'),
            run: () => showHistory(kymo, shown.study, heaviest),
          },
        ]
      : []),
    ...(studies.length > 1 && shown.kind !== 'profile'
      ? [
          {
            label: l10n.t('$(versions) Previous Studies…'),
            run: () => showEarlierStudies(kymo, studies, shown.study, heaviest),
          },
        ]
      : []),
  ];
}

/** *Show in Hot Spots*: the panel with the function selected. */
export async function showInHotSpots(kymo: Kymo, document?: unknown, line?: unknown): Promise<void> {
  const place = await requestedFunctions(kymo, document, line);
  const [heaviest] = place?.group.functions ?? [];
  if (place !== undefined && heaviest !== undefined) await openHotSpots(place.file.folder, heaviest);
}

/** Opens the panel of the shown study and selects the function. */
export async function openHotSpots(
  folder: vscode.WorkspaceFolder,
  { name }: Pick<FunctionRow, 'name'>,
): Promise<void> {
  const given = { folder: folder.uri.toString(), functionName: name };
  await vscode.commands.executeCommand('kymo.showHotSpots', given);
}

/** *Go to Callers*: opens a caller at its current line. */
export async function goToCallers(kymo: Kymo, document?: unknown, line?: unknown): Promise<void> {
  const place = await requestedFunctions(kymo, document, line);
  const [heaviest] = place?.group.functions ?? [];
  if (place === undefined || heaviest === undefined) return;
  const { hasSite, timeIn, callers: own = [] } = heaviest;
  // The caller of an inlined function is often inlined, too.
  const callers = place.file.shown.functions.at(hasSite ? own : (timeIn ?? own));
  if (callers.length > 0) await pickCaller(kymo, heaviest, callers);
  else
    void vscode.window.showInformationMessage(
      l10n.t`No caller of ${shorten(heaviest.name, nameCharacters)} is known.`,
    );
}

async function pickCaller(kymo: Kymo, callee: FunctionRow, callers: readonly FunctionRow[]): Promise<void> {
  const ordered = [...callers].sort(byShare('inclusiveShare'));
  const picked = await vscode.window.showQuickPick(
    ordered.map((caller) => ({
      label: shorten(caller.name, nameCharacters),
      description: caller.file === undefined ? '' : `${path.basename(caller.file)}:${caller.line ?? 1}`,
      detail: functionSummary(caller),
      caller,
    })),
    { title: l10n.t`Callers of ${shorten(callee.name, nameCharacters)}`, matchOnDescription: true },
  );
  if (picked !== undefined) await openFunction(kymo, picked.caller);
}

/** Opens the source of a function at its current line. */
async function openFunction(kymo: Kymo, { name, file, line, endLine }: FunctionRow): Promise<void> {
  if (file === undefined || line === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t`The place of ${shorten(name, nameCharacters)} is not known: it was built without debug information.`,
    );
    return;
  }
  await openMeasured(kymo, { file, line, endLine });
}

async function showHistory(kymo: Kymo, study: StudySummary, row: FunctionRow): Promise<void> {
  const history = await kymo.engine.query('history', { studyDirectory: study.directory, key: row.key });
  await vscode.window.showQuickPick(
    history.map(({ iteration, selected, ...decision }) => ({
      label: `$(${selected ? 'pass' : 'circle-slash'}) ${l10n.t`Round ${iteration}`}`,
      detail: decisionText(decision),
    })),
    {
      title: l10n.t`Decisions on ${shorten(row.name, nameCharacters)}`,
      placeHolder:
        history.length === 0 ? l10n.t('The rounds of this study cannot be read any more') : study.study,
    },
  );
}

/** Maximum number of functions in a list; studies are large. */
const earlierStudies = 10;

async function showEarlierStudies(
  kymo: Kymo,
  studies: readonly StudySummary[],
  study: StudySummary,
  row: FunctionRow,
): Promise<void> {
  const others = studies
    .filter(({ directory, target }) => directory !== study.directory && target === study.target)
    .slice(0, earlierStudies);
  const items: vscode.QuickPickItem[] = [];
  for (const { directory, startedAt } of others) {
    let match: FunctionRow | undefined;
    await kymo.studies
      .readFunctions(directory, (functions) => {
        match ??= functions.find(({ key }) => key === row.key);
      })
      .catch(() => undefined);
    items.push({
      label: new Date(startedAt).toLocaleString(),
      detail: match === undefined ? l10n.t('not known in this study') : functionSummary(match),
    });
  }
  await vscode.window.showQuickPick(items, {
    title: l10n.t`${shorten(row.name, nameCharacters)} in previous studies`,
    placeHolder:
      items.length === 0 ? l10n.t('There is no other study of this target') : l10n.t('The newest first'),
  });
}
