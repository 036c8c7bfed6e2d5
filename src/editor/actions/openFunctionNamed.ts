import * as vscode from 'vscode';
import type { Kymo } from '../state/kymo';
import { localFolders } from '../state/studies/studies';
import { openMeasured } from './openMeasured';

/**
 * Opens a function of which only the name is known: one of the shown results, else one that a language extension knows. False if nobody
 * knows it.
 */
export async function openFunctionNamed(
  kymo: Kymo,
  name: string,
  options: vscode.TextDocumentShowOptions,
): Promise<boolean> {
  for (const folder of localFolders()) {
    const shown = await kymo.studies.shownOf(folder);
    const row = shown?.functions.all.find(
      (candidate) => candidate.name === name && candidate.file !== undefined && candidate.line !== undefined,
    );
    if (row?.file === undefined || row.line === undefined) continue;
    await openMeasured(kymo, { file: row.file, line: row.line, endLine: row.endLine }, options);
    return true;
  }
  const symbol = await symbolNamed(name);
  if (symbol === undefined) return false;
  const { uri, range } = symbol.location;
  await vscode.window.showTextDocument(uri, { ...options, selection: range });
  return true;
}

async function symbolNamed(name: string): Promise<vscode.SymbolInformation | undefined> {
  const symbols = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    name,
  );
  const kinds: readonly vscode.SymbolKind[] = [vscode.SymbolKind.Function, vscode.SymbolKind.Method];
  return symbols?.find((symbol) => symbol.name.replace(/\(.*$/, '') === name && kinds.includes(symbol.kind));
}
