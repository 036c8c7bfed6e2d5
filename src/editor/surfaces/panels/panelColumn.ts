import * as vscode from 'vscode';

/** View types of Kymo's panels and editors; VS Code puts a prefix of its own before those of panels. */
const ofKymo = /(^|-)kymo\.\w+$/;

/** The column in which a panel opens: that of the panels of Kymo that are open, so that they share one; else beside the source. */
export function panelColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const withPanels = all.filter(({ tabs }) => tabs.some(isPanel));
  const chosen = withPanels.find((group) => group === activeTabGroup) ?? withPanels[0];
  // An only group that also has sources is their column.
  if (chosen === undefined || (all.length === 1 && !chosen.tabs.every(isPanel)))
    return vscode.ViewColumn.Beside;
  return chosen.viewColumn;
}

function isPanel({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputWebview && ofKymo.test(input.viewType);
}
