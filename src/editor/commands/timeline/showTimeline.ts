import path from 'node:path';
import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import type { TimelinePanels } from '../../surfaces/panels/timeline/timelinePanels';

const title = 'Show Timeline of a Trace';
/** More traces than these are found by the dialog. */
const mostTraces = 100;

/**
 * *Kymo: Show Timeline of a Trace…* of what is selected in the Explorer, else of a trace that the user chooses.
 * @param given the file of the Explorer's menu
 */
export async function showTimeline(kymo: Kymo, panels: TimelinePanels, given: unknown): Promise<void> {
  try {
    const trace = given instanceof vscode.Uri ? given : await chosen();
    if (trace === undefined) return;
    if (trace.scheme !== 'file')
      throw new KymoError('file-unusable', 'A trace can only be read where its files are on a disk.');
    panels.show({ file: trace.fsPath });
  } catch (error) {
    void showError(kymo, error);
  }
}

interface Choice extends vscode.QuickPickItem {
  readonly trace: () => Promise<vscode.Uri | undefined>;
}

async function chosen(): Promise<vscode.Uri | undefined> {
  const choice = await vscode.window.showQuickPick<Choice>(choices(), {
    title: `Kymo: ${title}`,
    placeHolder: 'The trace to show (traces.otf2)',
    matchOnDescription: true,
  });
  return choice?.trace();
}

/** The traces in the workspace, the newest first, and the dialog. */
async function choices(): Promise<Choice[]> {
  // Also what files.exclude hides: results are often hidden.
  const found = await vscode.workspace.findFiles('**/*.otf2', null, mostTraces);
  const traces = await Promise.all(
    found
      .filter(({ scheme }) => scheme === 'file')
      .map(async (uri) => {
        const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
        return { uri, time: stat?.mtime ?? 0 };
      }),
  );
  traces.sort((a, b) => b.time - a.time);
  return [
    ...traces.map(({ uri, time }): Choice => ({
      label: `$(graph) ${path.basename(path.dirname(uri.fsPath))}`,
      description: vscode.workspace.asRelativePath(uri),
      detail: time === 0 ? '' : new Date(time).toLocaleString(),
      trace: () => Promise.resolve(uri),
    })),
    {
      label: '$(file) File…',
      detail: 'A trace of Score-P or another tool that writes OTF2: its file traces.otf2',
      alwaysShow: true,
      trace: async () => {
        const uris = await vscode.window.showOpenDialog({
          title,
          openLabel: 'Show Timeline',
          filters: { 'OTF2 traces': ['otf2'], 'All files': ['*'] },
        });
        return uris?.[0];
      },
    },
  ];
}
