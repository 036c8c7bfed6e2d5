import type * as vscode from 'vscode';
import type { RunUnderWay } from '../../../workflows/watch';
import { liveDetail } from '../../words/studies/liveRunText';
import { escapeIcons } from '../../words/studies/statusText';

/** A run that is under way in a list of runs. */
export function runItem(run: RunUnderWay): vscode.QuickPickItem & { readonly run: RunUnderWay } {
  return { label: `$(pulse) ${escapeIcons(run.live.target)}`, detail: liveDetail(run.live)[0], run };
}
