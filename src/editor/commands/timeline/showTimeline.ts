import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import { findTraces, tellNoTrace } from '../../actions/findTraces';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import type { TimelinePanels } from '../../surfaces/panels/timeline/timelinePanels';

const title = l10n.t('Show Timeline of a Trace');
const endings = ['otf2'];

/**
 * *Kymo: Show Timeline of a Trace…* of what is selected in the Explorer, else of a trace that the user chooses.
 * @param given the file of the Explorer's menu
 */
export async function showTimeline(kymo: Kymo, panels: TimelinePanels, given: unknown): Promise<void> {
  try {
    const trace = given instanceof vscode.Uri ? given : await chosen(await findTraces(endings));
    if (trace === undefined) return;
    if (trace.scheme !== 'file')
      throw new KymoError('file-unusable', l10n.t('A trace can only be read where its files are on a disk.'));
    panels.show({ file: trace.fsPath });
  } catch (error) {
    void showError(kymo, error);
  }
}

/** The same of a study, round or measurement. @param folders absolute */
export async function showTimelineBelow(
  kymo: Kymo,
  panels: TimelinePanels,
  folders: readonly string[],
): Promise<void> {
  try {
    const found = (await Promise.all(folders.map((folder) => findTraces(endings, folder)))).flat();
    const [only] = found;
    if (only === undefined) {
      tellNoTrace();
      return;
    }
    const trace = found.length === 1 ? vscode.Uri.file(only) : await chosen(found);
    if (trace !== undefined) panels.show({ file: trace.fsPath });
  } catch (error) {
    void showError(kymo, error);
  }
}

interface Choice extends vscode.QuickPickItem {
  readonly trace: () => Promise<vscode.Uri | undefined>;
}

async function chosen(traces: readonly string[]): Promise<vscode.Uri | undefined> {
  const choice = await vscode.window.showQuickPick<Choice>(choices(traces), {
    title: `Kymo: ${title}`,
    placeHolder: l10n.t('The trace to show (traces.otf2)'),
    matchOnDescription: true,
  });
  return choice?.trace();
}

/** Traces that were found, and the dialog. */
async function choices(traces: readonly string[]): Promise<Choice[]> {
  const found = await Promise.all(
    traces.map(async (file): Promise<Choice> => {
      const uri = vscode.Uri.file(file);
      const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
      return {
        label: `$(graph) ${path.basename(path.dirname(file))}`,
        description: vscode.workspace.asRelativePath(uri),
        ...(stat === undefined ? {} : { detail: new Date(stat.mtime).toLocaleString() }),
        trace: () => Promise.resolve(uri),
      };
    }),
  );
  return [
    ...found,
    {
      label: l10n.t('$(file) File…'),
      detail: l10n.t('A trace of Score-P or another tool that writes OTF2: its file traces.otf2'),
      alwaysShow: true,
      trace: async () => {
        const uris = await vscode.window.showOpenDialog({
          title,
          openLabel: l10n.t('Show Timeline'),
          filters: { 'OTF2 traces': ['otf2'], [l10n.t('All files')]: ['*'] },
        });
        return uris?.[0];
      },
    },
  ];
}
