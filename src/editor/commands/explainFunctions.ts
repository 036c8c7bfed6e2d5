import * as vscode from 'vscode';
import type { FunctionReport } from '../../workflows/studies';
import type { FunctionsAtLine } from '../lenses/functionIndex';
import { decision, explanation } from '../lenses/lensText';

/** Behind a click on a lens: what was decided, why, and the exact numbers. */
export async function explainFunctions({ functions }: FunctionsAtLine): Promise<void> {
  await vscode.window.showQuickPick(functions.flatMap(itemsOf), {
    title: functions[0]?.name ?? 'Function',
    placeHolder: 'What the last study measured and decided',
    matchOnDetail: true,
  });
}

function itemsOf(one: FunctionReport): vscode.QuickPickItem[] {
  return [
    { label: one.name, kind: vscode.QuickPickItemKind.Separator },
    { label: `$(${one.selected ? 'pass' : 'circle-slash'}) ${capitalised(decision(one))}` },
    ...explanation(one).map(([label, description]) => ({ label: `$(blank) ${label}`, description })),
  ];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
