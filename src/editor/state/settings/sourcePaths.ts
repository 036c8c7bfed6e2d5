import path from 'node:path';
import * as vscode from 'vscode';
import type { SourcesHere } from '../../../workflows/studies/places';
import { mapSourcePath, ruleWithin, type SourcePathRule } from '../../../core/lines/sourcePaths';

const section = 'kymo.sourcePaths';

/** The rules of the setting `kymo.sourcePaths`; invalid entries are ignored, and relative folders are relative to the workspace. */
export function sourcePathRules(scope?: vscode.ConfigurationScope): readonly SourcePathRule[] {
  const value = vscode.workspace.getConfiguration(undefined, scope).get<unknown>(section);
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '/';
  return (Array.isArray(value) ? value : [])
    .filter(isRule)
    .map(({ from, to }) => ({ from, to: path.resolve(root, to) }));
}

/** How the engine finds the sources of measurements here. */
export function sourcesHere(scope?: vscode.ConfigurationScope): SourcesHere {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return { sourcePaths: sourcePathRules(scope), folders };
}

/** Path on this machine of a source file that a profile names, by the setting; unchanged if no rule matches. */
export function mappedSource(file: string, scope?: vscode.ConfigurationScope): string {
  return mapSourcePath(file, sourcePathRules(scope));
}

/** Adds a rule to the workspace's settings; replaces a rule with the same `from`. */
export async function addSourcePathRule(rule: SourcePathRule): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const value: unknown = settings.inspect(section)?.workspaceValue;
  const others = (Array.isArray(value) ? (value as readonly unknown[]) : []).filter(
    (entry) => !isRule(entry) || entry.from !== rule.from,
  );
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  await settings.update(section, [...others, ruleWithin(root, rule)], vscode.ConfigurationTarget.Workspace);
}

function isRule(value: unknown): value is SourcePathRule {
  if (typeof value !== 'object' || value === null) return false;
  const { from, to } = value as Partial<Record<keyof SourcePathRule, unknown>>;
  return typeof from === 'string' && from !== '' && typeof to === 'string' && to !== '';
}
