import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { byShare } from '../../../core/functions/shareOrder';
import type { Kymo } from '../../state/kymo';
import { proposedGrowths } from '../../words/settings/expectationText';
import { misspelledKeys, valueAt, type ConfigPlace } from '../../words/settings/configText';

const kymoJson: vscode.DocumentSelector = { scheme: 'file', pattern: '**/kymo.json' };
/** Longer completion lists are not useful. */
const maximumItems = 500;
const executableBits = 0o111;

/**
 * Completes what the schema of `kymo.json` cannot contain: functions, executables and compiler variables. Proposes the right name of a
 * misspelled key.
 */
export function registerConfigurationHelp(kymo: Kymo): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      kymoJson,
      new ConfigurationCompletion(kymo),
      '"',
      '{',
      '/',
    ),
    vscode.languages.registerCodeActionsProvider(kymoJson, new KeyFixes(), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
}

class ConfigurationCompletion implements vscode.CompletionItemProvider {
  constructor(private readonly kymo: Kymo) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const value = valueAt(document.getText(), document.offsetAt(position));
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    if (value === undefined || folder === undefined) return [];
    if (value.place.kind === 'command') return compilerVariables(document, position);
    const range = new vscode.Range(
      document.positionAt(value.offset + 1),
      document.positionAt(value.offset + value.length - 1),
    );
    const items =
      value.place.kind === 'growth'
        ? growths(document, value.place.target)
        : await this.itemsFor(value.place, folder);
    for (const item of items) item.range = range;
    return items;
  }

  private itemsFor(place: ConfigPlace, folder: vscode.WorkspaceFolder): Promise<vscode.CompletionItem[]> {
    return place.kind === 'executable' ? executables(folder.uri.fsPath) : this.functions(folder);
  }

  /** Executed functions of the shown study, the largest share first, so that the main loop is among the first. */
  private async functions(folder: vscode.WorkspaceFolder): Promise<vscode.CompletionItem[]> {
    const functions = (await this.kymo.studies.lastStudyOf(folder))?.functions.all ?? [];
    return [...functions]
      .filter(({ visits }) => visits !== undefined && visits > 0)
      .sort(byShare('inclusiveShare'))
      .slice(0, maximumItems)
      .map(({ name, visits }, index) => {
        const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Function);
        item.detail = l10n.t`${(visits ?? 0).toLocaleString('en')} visits`;
        item.insertText = JSON.stringify(name).slice(1, -1);
        item.sortText = String(index).padStart(4, '0');
        return item;
      });
  }
}

function growths(document: vscode.TextDocument, target: number): vscode.CompletionItem[] {
  return proposedGrowths(document.getText(), target).map((growth, index) => {
    const item = new vscode.CompletionItem(growth, vscode.CompletionItemKind.Constant);
    item.sortText = String(index).padStart(4, '0');
    return item;
  });
}

const variables = [
  ['cc', l10n.t('the measuring C compiler')],
  ['cxx', l10n.t('the measuring C++ compiler')],
  ['fc', l10n.t('the measuring Fortran compiler')],
] as const;

function compilerVariables(
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem[] {
  const before = document.lineAt(position).text.slice(0, position.character);
  const begun = /\$\{?\w*$/.exec(before)?.[0] ?? '';
  const after = document.lineAt(position).text.slice(position.character);
  const end = begun.startsWith('${') && after.startsWith('}') ? 1 : 0;
  return variables.map(([name, meaning]) => {
    const item = new vscode.CompletionItem(`\${${name}}`, vscode.CompletionItemKind.Variable);
    item.detail = meaning;
    item.range = new vscode.Range(position.translate(0, -begun.length), position.translate(0, end));
    item.insertText = `\${${name}}`;
    item.filterText = `\${${name}}`;
    return item;
  });
}

/** Programs in the folder and one level below; links and hidden folders are not followed. */
async function executables(folder: string): Promise<vscode.CompletionItem[]> {
  const top = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = top.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).slice(0, 50);
  const inner = await Promise.all(
    below.map(async ({ name }) => {
      const entries = await readdir(path.join(folder, name), { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).map((entry) => path.join(name, entry.name));
    }),
  );
  const files = [...top.filter((entry) => entry.isFile()).map(({ name }) => name), ...inner.flat()];
  const programs = await Promise.all(
    files.slice(0, 2000).map(async (name) => {
      const facts = await stat(path.join(folder, name)).catch(() => undefined);
      // Scripts and shared objects are executable, too, but a build does not make them as programs.
      const program = facts !== undefined && (facts.mode & executableBits) !== 0 && !/\.\w+$/.test(name);
      return program ? [name] : [];
    }),
  );
  return programs
    .flat()
    .slice(0, maximumItems)
    .map((name) => {
      const text = name.includes(path.sep) ? name : `./${name}`;
      const item = new vscode.CompletionItem(text, vscode.CompletionItemKind.File);
      item.insertText = JSON.stringify(text).slice(1, -1);
      return item;
    });
}

/** *Change to "…"* for an unknown key of `kymo.json`. */
class KeyFixes implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return misspelledKeys(document.getText()).flatMap(({ offset, length, suggestion }) => {
      const place = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      if (place.intersection(range) === undefined) return [];
      const action = new vscode.CodeAction(
        l10n.t`Change to ${JSON.stringify(suggestion)}`,
        vscode.CodeActionKind.QuickFix,
      );
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, place, JSON.stringify(suggestion));
      action.diagnostics = context.diagnostics.filter(
        (diagnostic) => diagnostic.range.intersection(place) !== undefined,
      );
      action.isPreferred = true;
      return [action];
    });
  }
}
