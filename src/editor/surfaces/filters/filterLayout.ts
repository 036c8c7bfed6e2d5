import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';
import { filterLanguage, type FilterDocuments } from '../../state/filters/filterDocuments';
import { rangeOf } from './filterDiagnostics';
import type { OutlineItem } from '../../../formats/scorep-filter/editing/filterStructure';

/** Formatting, folding and outline of filters. */
export function registerFilterLayout(kymo: Kymo, documents: FilterDocuments): vscode.Disposable {
  const selector = { language: filterLanguage };
  return vscode.Disposable.from(
    vscode.languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: (document) => formatted(kymo, document),
    }),
    vscode.languages.registerDocumentRangeFormattingEditProvider(selector, {
      provideDocumentRangeFormattingEdits(document, { start, end }) {
        // A selection that ends before the first character of a line does not include that line.
        const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
        return formatted(kymo, document, { first: start.line + 1, last: last + 1 });
      },
    }),
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: async (document, _, cancelled) =>
        (await documents.shown(document, cancelled))?.folded.map(
          ({ first, last, isComment }) =>
            new vscode.FoldingRange(
              first,
              last,
              isComment ? vscode.FoldingRangeKind.Comment : vscode.FoldingRangeKind.Region,
            ),
        ),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: async (document, cancelled) =>
        (await documents.shown(document, cancelled))?.outline.map((item) => symbolOf(document, item)),
    }),
  );
}

async function formatted(
  kymo: Kymo,
  document: vscode.TextDocument,
  lines?: { readonly first: number; readonly last: number },
): Promise<vscode.TextEdit[]> {
  const edit = await kymo.engine.query('formatFilter', {
    text: document.getText(),
    ...(lines === undefined ? {} : { lines }),
  });
  if (edit === undefined) return [];
  return [vscode.TextEdit.replace(rangeOf(document, edit.offset, edit.length), edit.text)];
}

const kinds = {
  block: vscode.SymbolKind.Namespace,
  include: vscode.SymbolKind.Function,
  exclude: vscode.SymbolKind.Event,
} as const;

function symbolOf(document: vscode.TextDocument, item: OutlineItem): vscode.DocumentSymbol {
  const { name, detail, kind, begin, end, nameBegin, nameEnd, children } = item;
  const symbol = new vscode.DocumentSymbol(
    name,
    detail,
    kinds[kind],
    rangeOf(document, begin, end - begin),
    rangeOf(document, nameBegin, nameEnd - nameBegin),
  );
  symbol.children = children.map((child) => symbolOf(document, child));
  return symbol;
}
