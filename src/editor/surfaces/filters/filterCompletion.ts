import * as vscode from 'vscode';
import type { NamedPattern } from '../../../workflows/filters/filterNames';
import type { Kymo } from '../../state/kymo';
import { rangeOf } from './filterDiagnostics';
import { filterLanguage, type FilterDocuments } from '../../state/filters/filterDocuments';
import { keywordsAt, type Keyword } from '../../words/filterKeywords';
import type { FilterPlace } from '../../../formats/scorep-filter/editing/filterPlace';
import { keywordHelp } from '../../../engine/requests/filterTexts';

/** Completes the keywords that are valid at a place, and the names of functions and files of the last study or of opened profiles. */
export class FilterCompletion implements vscode.CompletionItemProvider, vscode.Disposable {
  private readonly registration = vscode.languages.registerCompletionItemProvider(
    { language: filterLanguage },
    this,
    ' ',
    '/',
    '_',
    ':',
  );

  private asking: Promise<unknown> | undefined;

  constructor(
    private readonly kymo: Kymo,
    private readonly documents: FilterDocuments,
  ) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    cancelled: vscode.CancellationToken,
  ): Promise<vscode.CompletionList | undefined> {
    // The engine gets one request at a time. Of the requests that arrive while it reads a large filter, only the last is still useful.
    while (this.asking !== undefined) await this.asking;
    if (cancelled.isCancellationRequested) return undefined;
    const answer = this.itemsAt(document, position);
    this.asking = answer.then(
      () => (this.asking = undefined),
      () => (this.asking = undefined),
    );
    return answer;
  }

  dispose(): void {
    this.registration.dispose();
  }

  private async itemsAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionList | undefined> {
    const text = document.getText();
    const offset = document.offsetAt(position);
    const source = await this.documents.sourceOf(document.uri);
    const { place, patterns } = await this.kymo.engine.query('filterCompletions', { text, offset, source });
    if (place.isComment) return undefined;
    const { word } = place;
    const range =
      word === undefined
        ? new vscode.Range(position, position)
        : rangeOf(document, word.offset, word.text.length);
    const typed = word === undefined ? '' : word.text.slice(0, offset - word.offset);
    const names = patterns.map((pattern, index) => nameItem(pattern, index, place, range, typed));
    const keywords = keywordsAt(place).map((keyword) => keywordItem(keyword, range));
    return new vscode.CompletionList([...names, ...keywords], names.length > 0);
  }
}

function keywordItem({ word, snippet, detail }: Keyword, range: vscode.Range): vscode.CompletionItem {
  const item = new vscode.CompletionItem(
    { label: word, ...(detail === undefined ? {} : { description: detail }) },
    snippet === undefined ? vscode.CompletionItemKind.Keyword : vscode.CompletionItemKind.Snippet,
  );
  item.insertText = snippet === undefined ? word : new vscode.SnippetString(snippet);
  item.range = range;
  item.sortText = `1${word}`;
  // The snippet ends where a name is needed.
  if (snippet !== undefined) item.command = { title: '', command: 'editor.action.triggerSuggest' };
  const help = keywordHelp.get(word);
  if (help !== undefined) item.documentation = new vscode.MarkdownString(help);
  return item;
}

function nameItem(
  { pattern, mangled, name, file }: NamedPattern,
  index: number,
  place: FilterPlace,
  range: vscode.Range,
  typed: string,
): vscode.CompletionItem {
  const kind = place.block === 'file' ? vscode.CompletionItemKind.File : vscode.CompletionItemKind.Function;
  const item = new vscode.CompletionItem(
    { label: name, ...(file === undefined ? {} : { description: file }) },
    kind,
  );
  item.detail = mangled ? `MANGLED ${pattern}` : pattern;
  item.insertText = written(pattern, mangled, place);
  // The engine has already chosen the matches, also by parts of a name that VS Code's own filter would not find.
  item.filterText = typed === '' ? pattern : typed;
  item.sortText = `0${String(index).padStart(4, '0')}`;
  item.range = range;
  return item;
}

/** Text to insert. A pattern for a mangled name needs MANGLED before it, which must not change the meaning of the patterns behind it. */
function written(
  pattern: string,
  mangled: boolean,
  { mangled: isMangled, beforePattern }: FilterPlace,
): string {
  if (!mangled || isMangled) return pattern;
  return beforePattern ? `MANGLED ${pattern} DEMANGLED` : `MANGLED ${pattern}`;
}
