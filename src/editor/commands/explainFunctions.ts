import * as vscode from 'vscode';
import type { FunctionReport } from '../../workflows/studies';
import type { Kymo } from '../kymo';
import { explanation, reasonText, stateText } from '../lenses/lensText';

/** Behind a click on a lens: what was decided, why, and the exact numbers. `line` is 1-based. */
export async function explainFunctions(kymo: Kymo, document: string, line: number): Promise<void> {
  const lines = await kymo.studies.functionsIn(vscode.Uri.parse(document, true));
  const functions = lines.find((group) => group.line === line)?.functions ?? [];
  const [heaviest] = functions;
  if (heaviest === undefined) return;
  await vscode.window.showQuickPick(functions.flatMap(itemsOf), {
    title: heaviest.name,
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
