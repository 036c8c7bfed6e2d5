import * as vscode from 'vscode';
import type { FilterSyntax } from '../../formats/scorep-filter/syntax';
import type { FilterInspection } from '../../workflows/filters/inspectFilter';
import { readSetting } from '../settings';
import { filterLanguage, type FilterDocuments } from './filterDocuments';
import { groupText, ruleText, summaryText } from './filterTexts';

/** More lenses than that make scrolling slow, and nobody reads them. */
const mostLenses = 2000;

/** Above blocks: what the filter instruments. Above rules: how many functions they match. */
export class FilterLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly documents: FilterDocuments) {
    this.subscriptions = [
      this.changed,
      vscode.languages.registerCodeLensProvider({ language: filterLanguage }, this),
      documents.onDidInspect(() => this.changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.filter.codeLens')) this.changed.fire();
      }),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { version, inspection } = this.documents.inspectionOf(document) ?? {};
    const wanted = readSetting<LensSetting>(document.uri, 'kymo.filter.codeLens', 'wildcards');
    if (wanted === 'off' || inspection === undefined || inspection.total === 0) return [];
    // While it is typed, the lenses of the text before stay where VS Code moves them to.
    if (version !== document.version) return [];
    return lensesOf(this.documents.syntaxOf(document), inspection, wanted === 'all').map(
      ({ line, title, rules }) =>
        new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
          title,
          command: rules === undefined ? '' : 'kymo.filter.showMatches',
          ...(rules === undefined ? {} : { arguments: [document.uri.toString(), rules] }),
        }),
    );
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }
}

type LensSetting = 'wildcards' | 'all' | 'off';

interface FilterLens {
  /** From 0. */
  readonly line: number;
  readonly title: string;
  /** Their functions are shown at a click. */
  readonly rules?: readonly number[];
}

/**
 * The lenses of a filter. A list of functions by their names has none at each of them: one line more for every line says nothing that
 * the Problems view does not say of those that match nothing.
 */
export function lensesOf(
  { tokens, blocks, filter }: FilterSyntax,
  inspection: FilterInspection,
  all: boolean,
): readonly FilterLens[] {
  const lenses: FilterLens[] = [];
  for (const [at, { begin, groups }] of blocks.entries()) {
    if (at === 0) lenses.push({ line: lineOf(tokens[begin]), title: summaryText(inspection) });
    for (const { keyword, rules } of groups) {
      if (lenses.length >= mostLenses) return lenses;
      const [rule] = rules;
      if (rule === undefined) continue;
      const isList = rules.every((one) => filter.rules[one]?.matcher.literal !== undefined);
      if (!all && isList && rules.length === 1) continue;
      const line = lineOf(tokens[keyword]);
      const title = rules.length === 1 ? ruleText(inspection, rule) : groupText(inspection, rules);
      lenses.push({ line, title, rules });
    }
  }
  return lenses;
}

function lineOf(token: { readonly line: number } | undefined): number {
  return (token?.line ?? 1) - 1;
}
