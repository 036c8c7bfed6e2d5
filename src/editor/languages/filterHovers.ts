import * as vscode from 'vscode';
import type { Kymo } from '../kymo';
import { rangeOf } from './filterDiagnostics';
import { filterLanguage, type FilterDocuments } from './filterDocuments';
import { wordAt } from './filterPlace';
import { keywordHelp, matchesMarkdown } from './filterTexts';

/** Names in a hover; the lens shows them all. */
const shownNames = 12;

/** At a pattern: which functions it matches. At a keyword: what it means. */
export class FilterHovers implements vscode.HoverProvider, vscode.Disposable {
  private readonly registration = vscode.languages.registerHoverProvider({ language: filterLanguage }, this);

  constructor(
    private readonly kymo: Kymo,
    private readonly documents: FilterDocuments,
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const word = wordAt(this.documents.syntaxOf(document), document.offsetAt(position));
    if (word === undefined) return undefined;
    const range = rangeOf(document, word.offset, word.text.length);
    const help = word.role === 'pattern' ? undefined : keywordHelp.get(word.text);
    if (help !== undefined) return new vscode.Hover(new vscode.MarkdownString(help), range);
    const text = await this.matchesAt(document, position);
    return text === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString(text, true), range);
  }

  dispose(): void {
    this.registration.dispose();
  }

  private async matchesAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<string | undefined> {
    const rule = this.documents.ruleAt(document, position);
    const inspected = this.documents.inspectionOf(document);
    if (rule === undefined || inspected === undefined) return undefined;
    if (inspected.version !== document.version) return undefined;
    if (inspected.inspection.total === 0)
      return 'Which functions it matches is not known: refine the instrumentation, or open a profile of the program.';
    const source = await this.documents.sourceOf(document.uri);
    const text = document.getText();
    const found = await this.kymo.engine.query('filterMatches', {
      text,
      rules: [rule],
      source,
      most: shownNames,
    });
    return matchesMarkdown(inspected.inspection, rule, found);
  }
}
