import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { PinState } from '../../../workflows/pins';
import type { FunctionRow } from '../../../core/functions/functionRow';
import {
  branchShare,
  countText,
  functionDescription,
  functionLabel,
  functionTooltip,
  shareSentence,
} from '../../words/functions/functionTexts';
import { willBeIn, type FileBranch, type FolderBranch } from '../../words/functions/functionTree';
import type { InstrumentedFolder } from './instrumentationModel';

/** Nodes of the tree; commands of its menus receive them. */
export type InstrumentationNode =
  | { readonly kind: 'root'; readonly of: InstrumentedFolder; readonly branch: FolderBranch }
  | {
      readonly kind: 'folder';
      readonly of: InstrumentedFolder;
      readonly branch: FolderBranch;
      readonly alone: boolean;
    }
  | {
      readonly kind: 'file';
      readonly of: InstrumentedFolder;
      readonly branch: FileBranch;
      /** Without siblings it is expanded. */
      readonly alone: boolean;
    }
  | FunctionNode
  | {
      readonly kind: 'more';
      readonly of: InstrumentedFolder;
      readonly branch: FileBranch;
      readonly left: number;
    };

export interface FunctionNode {
  readonly kind: 'function';
  readonly of: InstrumentedFolder;
  readonly row: FunctionRow;
}

export function toItem(node: InstrumentationNode, expanded: boolean): vscode.TreeItem {
  switch (node.kind) {
    case 'root':
      return rootItem(node.of);
    case 'folder':
      return folderItem(node.of, node.branch, expanded, node.alone);
    case 'file':
      return fileItem(node.of, node.branch, expanded, node.alone);
    case 'function':
      return functionItem(node);
    case 'more':
      return moreItem(node);
  }
}

/** Created on demand: 20,000 tooltips would take megabytes. */
export function tooltipOf({ of, row }: FunctionNode): vscode.MarkdownString {
  const text = functionTooltip(row, of.shown.functions.all, of.pins.get(row.key), of.changes.get(row.key));
  return new vscode.MarkdownString(text, true);
}

function idOf({ folder }: InstrumentedFolder, rest: string): string {
  return `${folder.uri.toString()}#${rest}`;
}

/**
 * A part of a node's id. VS Code stores expanded nodes by id: a filter with few results expands all nodes, and afterwards the previous
 * state returns.
 */
function openMark(expanded: boolean): string {
  return expanded ? '#open' : '';
}

function rootItem(of: InstrumentedFolder): vscode.TreeItem {
  const item = new vscode.TreeItem(of.folder.name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = idOf(of, '');
  item.iconPath = new vscode.ThemeIcon('root-folder');
  item.description = of.shown.study.target;
  return item;
}

function folderItem(
  of: InstrumentedFolder,
  branch: FolderBranch,
  expanded: boolean,
  alone: boolean,
): vscode.TreeItem {
  const item = new vscode.TreeItem(branch.label, stateOf(expanded || alone));
  item.id = idOf(of, `${branch.path}/${openMark(expanded)}`);
  item.iconPath = vscode.ThemeIcon.Folder;
  item.description = branchShare(branch.share);
  item.tooltip = [branch.path, ...shareSentence(branch.share, 'folder')].join('\n');
  return item;
}

function fileItem(
  of: InstrumentedFolder,
  branch: FileBranch,
  expanded: boolean,
  alone: boolean,
): vscode.TreeItem {
  const item = new vscode.TreeItem(branch.label, stateOf(expanded || alone));
  item.id = idOf(of, `${branch.path ?? '?'}${openMark(expanded)}`);
  const included = branch.functions.filter((row) => willBeIn(row, of.pins.get(row.key))).length;
  item.description = [branchShare(branch.share), countText(included, branch.functions.length)]
    .filter((part) => part !== '')
    .join(' · ');
  item.contextValue = 'kymo.file';
  item.tooltip = [
    branch.path ?? branch.label,
    ...shareSentence(branch.share, 'file'),
    l10n.t`${included} of ${branch.functions.length} functions instrumented`,
  ].join('\n');
  if (branch.path === undefined) item.iconPath = new vscode.ThemeIcon('question');
  else {
    item.resourceUri = vscode.Uri.file(branch.path);
    item.iconPath = vscode.ThemeIcon.File;
  }
  return item;
}

function functionItem({ of, row }: FunctionNode): vscode.TreeItem {
  const pin = of.pins.get(row.key);
  const item = new vscode.TreeItem(functionLabel(row));
  item.id = idOf(of, `${row.file ?? '?'}#${row.key}`);
  const description = functionDescription(row, pin, of.changes.get(row.key));
  item.description = description;
  item.iconPath = functionIcon(row, pin);
  item.contextValue = contextValue(row, pin);
  const included = willBeIn(row, pin);
  item.accessibilityInformation = {
    label: [
      functionLabel(row),
      included ? l10n.t('instrumented') : l10n.t('not instrumented'),
      pinLabel(pin),
      description,
    ]
      .filter((part) => part !== '')
      .join(', '),
    // Screen readers announce the state of the check box.
    role: row.hasSite ? 'checkbox' : 'treeitem',
  };
  // Functions without a patch point cannot be chosen.
  if (row.hasSite) {
    item.checkboxState = {
      state: included ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
      tooltip: included
        ? l10n.t('Exclude from the instrumentation')
        : l10n.t('Include in the instrumentation'),
    };
  }
  if (row.file !== undefined && row.line !== undefined)
    item.command = {
      command: 'kymo.instrumentation.open',
      title: l10n.t('Go to Source'),
      arguments: [{ kind: 'function', of, row }],
    };
  return item;
}

function moreItem({ of, branch, left }: InstrumentationNode & { readonly kind: 'more' }): vscode.TreeItem {
  const item = new vscode.TreeItem(l10n.t`${left} more…`);
  item.id = idOf(of, `${branch.path ?? '?'}#…`);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.tooltip = l10n.t('Show more functions of this file; the filter finds any of them');
  item.command = {
    command: 'kymo.instrumentation.more',
    title: l10n.t('Show More'),
    arguments: [branch.path ?? '?'],
  };
  return item;
}

function functionIcon(row: FunctionRow, pin: PinState | undefined): vscode.ThemeIcon {
  if (pin === 'in') return new vscode.ThemeIcon('pinned', new vscode.ThemeColor('charts.green'));
  if (pin === 'out') return new vscode.ThemeIcon('pinned', new vscode.ThemeColor('charts.red'));
  return row.hasSite ? new vscode.ThemeIcon('symbol-method') : new vscode.ThemeIcon('circle-slash');
}

function pinLabel(pin: PinState | undefined): string {
  if (pin === undefined) return '';
  return pin === 'in' ? l10n.t('pinned in') : l10n.t('pinned out');
}

function contextValue(row: FunctionRow, pin: PinState | undefined): string {
  return `kymo.function.${willBeIn(row, pin) ? 'in' : 'out'}${pin === undefined ? '' : '.pinned'}`;
}

function stateOf(expanded: boolean): vscode.TreeItemCollapsibleState {
  return expanded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}
