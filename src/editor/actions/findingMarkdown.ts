import * as vscode from 'vscode';
import type { FindingsInFile } from '../state/findings/findings';
import { findingsHover } from '../words/findings/findingTexts';

/** The commands of sources of findings (`FoundIn.command`). */
const linkedCommands = [
  'kymo.showDynamics',
  'kymo.showModels',
  'kymo.showHotSpots',
  'kymo.showVerdict',
  'kymo.diagnose',
];

/** The hover part of each line with findings. */
export function findingMarkdown(
  files: readonly FindingsInFile[],
  threshold: number,
): ReadonlyMap<number, readonly vscode.MarkdownString[]> {
  const byLine = new Map<number, vscode.MarkdownString[]>();
  for (const { of, groups } of files)
    for (const group of groups) {
      const text = findingsHover(group, threshold, (property) => {
        const link = of.command?.(property);
        return link && { ...link, arguments: link.arguments ?? [] };
      });
      if (text === undefined) continue;
      const hover = new vscode.MarkdownString(text, true);
      hover.isTrusted = { enabledCommands: linkedCommands };
      byLine.set(group.line, [...(byLine.get(group.line) ?? []), hover]);
    }
  return byLine;
}
