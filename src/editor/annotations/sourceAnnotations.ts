import * as vscode from 'vscode';
import type { Kymo } from '../kymo';
import { isShown, placedTitle, type Pinned } from '../lenses/lensText';
import { annotationSettings, type AnnotationSettings } from '../settings';
import { heatBounds, heatRanges } from './heatLevels';
import type { PlacedFile } from './placedFunctions';
import type { PlacedGroup } from './placedGroups';

/** Behind a line there is less room than above it. */
const titleCharacters = 120;

/**
 * What is drawn into the visible editors beside lenses: heat on the lines of the functions that take the time, and the numbers behind
 * the line instead of above it for those who prefer this. Eight decoration types in all, whatever the number of functions.
 */
export class SourceAnnotations implements vscode.Disposable {
  private readonly heat = heatBounds.map((_, level) => heatDecoration(level + 1));
  private readonly numbers = vscode.window.createTextEditorDecorationType({
    after: {
      // The colour of lenses is too faint in VS Code's light themes (3.1 : 1).
      color: new vscode.ThemeColor('descriptionForeground'),
      margin: '0 0 0 3ch',
      fontStyle: 'normal',
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      ...this.heat,
      this.numbers,
      kymo.studies.onDidChange(() => this.drawAll()),
      kymo.pins.onDidChange(() => this.drawAll()),
      kymo.lineMaps.onDidChange((document) => this.drawAll(document)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) void this.draw(editor);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (['annotations', 'codeLens', 'heat'].some((part) => event.affectsConfiguration(`kymo.${part}`)))
          this.drawAll();
      }),
    ];
    this.drawAll();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }

  private drawAll(document?: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors)
      if (document === undefined || editor.document === document) void this.draw(editor);
  }

  private async draw(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    if (document.uri.scheme !== 'file') return;
    const version = document.version;
    const settings = annotationSettings(document.uri);
    const file = settings.enabled ? await this.kymo.placed.of(document) : undefined;
    const pinned = file === undefined ? new Map<string, 'in'>() : await this.kymo.pins.statesOf(file.folder);
    // An edit came meanwhile: the decorations moved with it, and are drawn again when it is over.
    if (document.version !== version) return;
    this.drawHeat(editor, settings, file);
    this.drawNumbers(editor, settings, file, pinned);
  }

  private drawHeat(editor: vscode.TextEditor, settings: AnnotationSettings, file?: PlacedFile): void {
    const levels = file !== undefined && settings.heat ? heatRanges(file.groups) : [];
    this.heat.forEach((type, level) =>
      editor.setDecorations(
        type,
        (levels[level] ?? []).map(([first, last]) => new vscode.Range(first - 1, 0, last - 1, 0)),
      ),
    );
  }

  private drawNumbers(
    editor: vscode.TextEditor,
    settings: AnnotationSettings,
    file: PlacedFile | undefined,
    pinned: Pinned,
  ): void {
    const groups = file !== undefined && settings.display === 'endOfLine' ? file.groups : [];
    editor.setDecorations(
      this.numbers,
      groups
        .filter((group) => isShown(group, settings.minimumShare))
        .map((group) => numbersBehind(editor.document, group, pinned)),
    );
  }
}

function numbersBehind(
  document: vscode.TextDocument,
  group: PlacedGroup,
  pinned: Pinned,
): vscode.DecorationOptions {
  const { range } = document.lineAt(Math.min(group.line, document.lineCount) - 1);
  const title = placedTitle(group, pinned);
  const contentText = title.length <= titleCharacters ? title : `${title.slice(0, titleCharacters - 1)}…`;
  return { range: new vscode.Range(range.end, range.end), renderOptions: { after: { contentText } } };
}

/** A bar at the left of the lines, a faint ground, and the same colour in the overview ruler; themes may change all three. */
function heatDecoration(level: number): vscode.TextEditorDecorationType {
  const colour = new vscode.ThemeColor(`kymo.heat.level${level}`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(`kymo.heat.level${level}Background`),
    borderColor: colour,
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    overviewRulerColor: colour,
    overviewRulerLane: vscode.OverviewRulerLane.Center,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
