import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { PlacedAt, PlacedFile } from '../../state/places/placedFunctions';
import type { Kymo } from '../../state/kymo';
import { annotationSettings } from '../../state/settings/settings';
import { pinnedIn } from '../../state/studies/shown';
import { hoverText, shortName, type CommandLink } from '../../words/functions/hoverText';

/** The only commands that a hover may run. */
const linkedCommands = [
  'kymo.explainFunctions',
  'kymo.showInHotSpots',
  'kymo.pinIn',
  'kymo.pinOut',
  'kymo.unpin',
];

/** Hover at a function's name: its measurements, the decision with its reason, and how the decision changed over the rounds. */
export class FunctionHovers implements vscode.HoverProvider, vscode.Disposable {
  private readonly registration = vscode.languages.registerHoverProvider({ scheme: 'file' }, this);

  constructor(private readonly kymo: Kymo) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    if (!annotationSettings(document.uri).enabled) return undefined;
    const place = await this.kymo.placed.at(document, position.line + 1);
    const heaviest = place?.group.functions[0];
    if (place === undefined || heaviest === undefined || place.group.line !== position.line + 1)
      return undefined;
    const range = nameRange(document, position, heaviest.name);
    if (range === undefined) return undefined;
    const { file, group } = place;
    const { shown } = file;
    const pinned = await this.kymo.pins.statesOf(file.folder);
    const history =
      shown.kind === 'study'
        ? await this.kymo.engine
            .query('history', { studyDirectory: shown.study.directory, key: heaviest.key })
            .catch(() => [])
        : [];
    const links = linksOf(document, place, pinned.has(heaviest.key));
    const text = new vscode.MarkdownString(
      hoverText({ group, table: shown.functions.all, pinned, history, links, ...measuredAs(file) }),
      true,
    );
    text.isTrusted = { enabledCommands: linkedCommands };
    return new vscode.Hover(text, range);
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function measuredAs({ file, moved }: PlacedFile): { readonly measuredAs?: string } {
  return moved ? { measuredAs: vscode.workspace.asRelativePath(file) } : {};
}

/** Range of the name under the pointer; the whole line if it does not contain the name because a macro generates the function. */
function nameRange(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
): vscode.Range | undefined {
  const line = document.lineAt(position.line);
  const lowerName = shortName(name).toLowerCase();
  const index = line.text.toLowerCase().indexOf(lowerName);
  if (lowerName === '' || index < 0) return line.range;
  const word = document.getWordRangeAtPosition(position);
  // Fortran is case-insensitive.
  return word !== undefined && document.getText(word).toLowerCase() === lowerName ? word : undefined;
}

function linksOf(
  document: vscode.TextDocument,
  { file: { folder, shown }, group }: PlacedAt,
  isPinned: boolean,
): readonly CommandLink[] {
  const pin = [
    {
      folder: folder.uri.toString(),
      key: group.functions.map(({ key }) => key),
      ...pinnedIn(shown),
    },
  ];
  const place = [document.uri.toString(), group.measuredLine];
  return [
    { title: l10n.t('Explain'), command: 'kymo.explainFunctions', arguments: place },
    { title: l10n.t('Show in Hot Spots'), command: 'kymo.showInHotSpots', arguments: place },
    { title: l10n.t('Include'), command: 'kymo.pinIn', arguments: pin },
    { title: l10n.t('Exclude'), command: 'kymo.pinOut', arguments: pin },
    ...(isPinned ? [{ title: l10n.t('Unpin'), command: 'kymo.unpin', arguments: pin }] : []),
  ];
}
