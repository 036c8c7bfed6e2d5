import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { FilterWord } from '../../../engine/requests/filters';
import type { Kymo } from '../../state/kymo';
import { rangeOf } from './filterDiagnostics';
import { filterLanguage, type FilterDocuments } from '../../state/filters/filterDocuments';
import { keywordHelp, matchesMarkdown } from '../../../engine/requests/filterTexts';

/** Maximum number of names in a hover; the lens shows all. */
const shownNames = 12;

/** Hovers of filters: the functions that a pattern matches, or the meaning of a keyword. */
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
    const { version } = document;
    const word = await this.kymo.engine.query('filterWord', {
      text: document.getText(),
      offset: document.offsetAt(position),
      source: await this.documents.sourceOf(document.uri),
      most: shownNames,
    });
    if (word === undefined || version !== document.version) return undefined;
    const range = rangeOf(document, word.offset, word.text.length);
    const text = word.rule === undefined ? keywordHelp.get(word.text) : this.matches(document, word.rule);
    return text === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString(text, true), range);
  }

  dispose(): void {
    this.registration.dispose();
  }

  private matches(
    document: vscode.TextDocument,
    { position, matches }: NonNullable<FilterWord['rule']>,
  ): string | undefined {
    const inspected = this.documents.inspectionOf(document);
    if (inspected?.version !== document.version) return undefined;
    return inspected.inspection.total === 0
      ? l10n.t(
          'The functions that it matches are unknown: refine the instrumentation, or open a profile of the program.',
        )
      : matchesMarkdown(inspected.inspection, position, matches);
  }
}
