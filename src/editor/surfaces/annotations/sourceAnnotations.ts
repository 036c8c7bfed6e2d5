import * as vscode from 'vscode';
import { findingMarkdown } from '../../actions/findingMarkdown';
import type { FindingsInFile } from '../../state/findings/findings';
import { titlesAtLine } from '../../words/findings/findingTexts';
import type { Kymo } from '../../state/kymo';
import { isShown, placedTitle, type Pinned } from '../../words/functions/lensText';
import {
  annotationSettings,
  propertyThreshold,
  type AnnotationSettings,
} from '../../state/settings/settings';
import { heatBounds, heatRanges } from '../../words/functions/heatLevels';
import { joinLineEnds, type LineEnd } from '../../words/functions/lineEnds';
import type { PlacedFile } from '../../state/places/placedFunctions';

/** Maximum number of findings behind a line, beside the function's measurements; the hover shows all. */
const findingsPerLine = 1;

/** Settings whose changes cause a redrawing. */
const drawnBy = ['annotations', 'codeLens', 'heat', 'properties'];

/** Functions, pins and findings of a document. */
interface DocumentFacts {
  readonly file: PlacedFile | undefined;
  readonly pinned: Pinned;
  readonly findings: readonly FindingsInFile[];
}

const nothing: DocumentFacts = { file: undefined, pinned: new Map(), findings: [] };

/**
 * Decorations of the visible editors: heat on the lines of functions with a large share, and the texts of lenses behind the lines for users
 * who prefer that. There are eight decoration types, whatever the number of functions.
 */
export class SourceAnnotations implements vscode.Disposable {
  private readonly heat = heatBounds.map((_, level) => heatDecoration(level + 1));
  private readonly lineEnds = vscode.window.createTextEditorDecorationType({
    after: {
      // The colour of lenses is too faint in VS Code's light themes (3.1 : 1).
      color: new vscode.ThemeColor('descriptionForeground'),
      margin: '0 0 0 3ch',
      fontStyle: 'normal',
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  /** Number of the last drawing of each editor; an older one that is still running draws nothing. */
  private readonly rounds = new WeakMap<vscode.TextEditor, number>();
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      ...this.heat,
      this.lineEnds,
      kymo.studies.onDidChange(() => this.drawAll()),
      kymo.pins.onDidChange(() => this.drawAll()),
      kymo.lineMaps.onDidChange((document) => this.drawAll(document)),
      kymo.findings.onDidChange(() => this.drawAll()),
      kymo.findings.onDidMove((document) => this.drawAll(document)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) void this.draw(editor);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (drawnBy.some((part) => event.affectsConfiguration(`kymo.${part}`))) this.drawAll();
      }),
    ];
    this.drawAll();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private drawAll(document?: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors)
      if (document === undefined || editor.document === document) void this.draw(editor);
  }

  private async draw(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    if (document.uri.scheme !== 'file') return;
    const round = (this.rounds.get(editor) ?? 0) + 1;
    this.rounds.set(editor, round);
    const version = document.version;
    const settings = annotationSettings(document.uri);
    const facts = settings.enabled ? await this.factsOf(document, settings) : nothing;
    // After an edit, the decorations have moved with the text; the next drawing follows it.
    if (document.version !== version || this.rounds.get(editor) !== round) return;
    this.drawHeat(editor, settings, facts.file);
    this.drawLineEnds(editor, settings, facts);
  }

  private async factsOf(
    document: vscode.TextDocument,
    { display }: AnnotationSettings,
  ): Promise<DocumentFacts> {
    const { placed, pins, findings } = this.kymo;
    // A running analysis notifies when it ends, so its findings are not awaited.
    const [file, inFile] = await Promise.all([
      placed.of(document),
      display === 'endOfLine' ? findings.inDocument(document) : [],
    ]);
    return {
      file,
      pinned: file === undefined ? nothing.pinned : await pins.statesOf(file.folder),
      findings: inFile,
    };
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

  private drawLineEnds(editor: vscode.TextEditor, settings: AnnotationSettings, facts: DocumentFacts): void {
    const { document } = editor;
    const threshold = propertyThreshold(document.uri);
    // Follows the order of the lenses: within a line, VS Code shows those first whose provider was registered last.
    const ends =
      settings.display === 'endOfLine'
        ? joinLineEnds(findingsOf(facts, threshold), numbersOf(facts, settings.minimumShare))
        : [];
    const hovers = findingMarkdown(facts.findings, threshold);
    editor.setDecorations(
      this.lineEnds,
      ends.map((end) => behindLine(document, end, hovers.get(end.line) ?? [])),
    );
  }
}

function numbersOf({ file, pinned }: DocumentFacts, minimumShare: number): readonly LineEnd[] {
  if (file === undefined) return [];
  const table = file.shown.functions.all;
  return file.groups
    .filter((group) => isShown(group, minimumShare, pinned, table))
    .map((group) => ({ line: group.line, text: placedTitle(group, pinned, table) }));
}

function findingsOf({ findings }: DocumentFacts, threshold: number): readonly LineEnd[] {
  const groups = findings.flatMap((file) => file.groups);
  return groups.flatMap((group) =>
    titlesAtLine(group, threshold, findingsPerLine).map(({ title }) => ({ line: group.line, text: title })),
  );
}

function behindLine(
  document: vscode.TextDocument,
  { line, text }: LineEnd,
  hoverMessage: readonly vscode.MarkdownString[],
): vscode.DecorationOptions {
  const { end } = document.lineAt(Math.min(line, document.lineCount) - 1).range;
  return {
    range: new vscode.Range(end, end),
    renderOptions: { after: { contentText: text } },
    ...(hoverMessage.length === 0 ? {} : { hoverMessage: [...hoverMessage] }),
  };
}

/** A bar at the left of the lines, a faint background, and the same colour in the overview ruler; themes may change all three. */
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
