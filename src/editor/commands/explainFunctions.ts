import * as vscode from 'vscode';
import type { FunctionReport } from '../../workflows/studies';
import type { FunctionsAtLine } from '../lenses/functionIndex';
import { explanation, reasonText, stateText } from '../lenses/lensText';

/** Behind a click on a lens: what was decided, why, and the exact numbers. */
export async function explainFunctions({ functions }: FunctionsAtLine): Promise<void> {
  await vscode.window.showQuickPick(functions.flatMap(itemsOf), {
    title: functions[0]?.name ?? 'Function',
    placeHolder: 'What the last study measured and decided',
    matchOnDetail: true,
  });
}

function itemsOf(one: FunctionReport): vscode.QuickPickItem[] {
  const state = stateText(one);
  return [
    { label: one.name, kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(${one.selected ? 'pass' : 'circle-slash'}) ${state.charAt(0).toUpperCase()}${state.slice(1)}`,
      detail: reasonText(one),
    },
    ...explanation(one).map(([label, description]) => ({ label: `$(blank) ${label}`, description })),
  ];
}
