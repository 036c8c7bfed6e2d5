import * as vscode from 'vscode';
import { formatFilter } from '../../formats/scorep-filter/format';
import { filterLanguage, type FilterDocuments } from './filterDocuments';
import { rangeOf } from './filterDiagnostics';
import { formatLines } from './formatLines';
import { foldedLines, outlineOf, type OutlineItem } from './filterStructure';

/** Formatting, folding and outline of filters. */
export function registerFilterLayout(documents: FilterDocuments): vscode.Disposable {
  const selector = { language: filterLanguage };
  return vscode.Disposable.from(
    vscode.languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits(document) {
        const text = formatFilter(documents.syntaxOf(document));
        const before = document.getText();
        return text === before ? [] : [vscode.TextEdit.replace(rangeOf(document, 0, before.length), text)];
      },
    }),
    vscode.languages.registerDocumentRangeFormattingEditProvider(selector, {
      provideDocumentRangeFormattingEdits(document, { start, end }) {
        // A selection that ends before the first character of a line does not mean that line.
        const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
        const edit = formatLines(documents.syntaxOf(document), start.line + 1, last + 1);
        if (edit === undefined) return [];
        return [vscode.TextEdit.replace(rangeOf(document, edit.offset, edit.length), edit.text)];
      },
    }),
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document) =>
        foldedLines(documents.syntaxOf(document)).map(
          ({ first, last, isComment }) =>
            new vscode.FoldingRange(
              first,
              last,
              isComment ? vscode.FoldingRangeKind.Comment : vscode.FoldingRangeKind.Region,
            ),
        ),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) =>
        outlineOf(documents.syntaxOf(document)).map((item) => symbolOf(document, item)),
    }),
  );
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
