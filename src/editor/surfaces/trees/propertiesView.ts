import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { formatPercent } from '../../../core/format';
import type { Property } from '../../../core/properties/property';
import { present } from '../../../core/present';
import type { FoundIn } from '../../state/findings/propertySource';
import { isDynamic, kindRecord } from '../../../core/properties/kinds';
import type { Kymo } from '../../state/kymo';
import { propertyThreshold } from '../../state/settings/settings';
import {
  commonRun,
  countFrom,
  groupings,
  groupProperties,
  missingText,
  propertyDescription,
  propertyLabel,
  propertyTooltip,
  type Grouping,
  type PropertyBranch,
  type PropertyGroup,
} from '../../words/findings/propertyGroups';
import { shorten } from '../../words/functions/lensText';
import { ReadFirst } from './readFirst';

/** The findings of all sources for one folder. */
export interface FoundProperties {
  readonly folder: vscode.WorkspaceFolder;
  /** Findings by source, those of the study first. */
  readonly parts: readonly FoundIn[];
  readonly properties: readonly Property[];
  /** The run that most of them are of. */
  readonly run?: string;
  /** Why there are no findings, or which input could not be read. */
  readonly missing?: string;
}

/** The source of a property. */
export function partOf({ parts }: FoundProperties, { id }: Property): FoundIn | undefined {
  return parts.find(({ properties }) => properties.some((property) => property.id === id));
}

export type PropertyNode =
  | { readonly kind: 'folder'; readonly of: FoundProperties }
  | { readonly kind: 'group'; readonly of: FoundProperties; readonly group: PropertyGroup }
  | { readonly kind: 'property'; readonly of: FoundProperties; readonly branch: PropertyBranch };

const groupingKey = 'kymo.properties.grouping';
const labelCharacters = 120;

/** *Properties*: the findings in the shown result above the threshold, in groups. */
export class PropertiesView implements vscode.TreeDataProvider<PropertyNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<PropertyNode>;
  private readonly subscriptions: readonly { dispose(): unknown }[];
  private readonly findings: ReadFirst<readonly FoundProperties[]>;
  private previewed: number | undefined;

  constructor(private readonly kymo: Kymo) {
    this.view = vscode.window.createTreeView('kymo.properties', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.findings = new ReadFirst(
      () => settled(kymo).then(() => readAll(kymo)),
      () => this.view.visible,
      () => this.changed.fire(),
    );
    this.subscriptions = [
      this.changed,
      this.view,
      kymo.findings.onDidChange(() => this.findings.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.properties')) this.changed.fire();
      }),
    ];
    this.setContext();
  }

  get grouping(): Grouping {
    const stored = this.kymo.extension.workspaceState.get<unknown>(groupingKey);
    return groupings.find((grouping) => grouping === stored) ?? 'kind';
  }

  async groupBy(grouping: Grouping): Promise<void> {
    await this.kymo.extension.workspaceState.update(groupingKey, grouping);
    this.setContext();
    this.changed.fire();
  }

  /** Findings of all folders, including those below the threshold. */
  all(): Promise<readonly FoundProperties[]> {
    return this.findings.get();
  }

  /** Previews another threshold (0…1); undefined: that of the setting. */
  preview(threshold: number | undefined): void {
    this.previewed = threshold;
    this.changed.fire();
  }

  async getChildren(node?: PropertyNode): Promise<PropertyNode[]> {
    if (node === undefined) return this.roots();
    switch (node.kind) {
      case 'folder':
        return this.groups(node.of);
      case 'group':
        return branches(node.of, node.group.branches);
      case 'property':
        return branches(node.of, node.branch.refinedBy);
    }
  }

  getTreeItem(node: PropertyNode): vscode.TreeItem {
    switch (node.kind) {
      case 'folder':
        return folderItem(node.of);
      case 'group':
        return groupItem(node.of, node.group, this.grouping);
      case 'property':
        return propertyItem(node, this.grouping);
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: PropertyNode): vscode.TreeItem {
    if (node.kind === 'property') {
      item.tooltip = new vscode.MarkdownString(propertyTooltip(node.branch.property), false);
    }
    return item;
  }

  private async roots(): Promise<PropertyNode[]> {
    const findings = await this.all();
    this.describe(findings);
    void vscode.commands.executeCommand('setContext', 'kymo.properties.found', findings.length > 0);
    const [only] = findings;
    if (findings.length === 1 && only !== undefined) return this.groups(only);
    return findings.map((of) => ({ kind: 'folder', of }));
  }

  private groups(of: FoundProperties): PropertyNode[] {
    const threshold = this.threshold(of.folder);
    return groupProperties(of.properties, this.grouping, threshold, of.folder.uri.fsPath).map((group) => ({
      kind: 'group',
      of,
      group,
    }));
  }

  private threshold(folder: vscode.WorkspaceFolder | undefined): number {
    return this.previewed ?? propertyThreshold(folder);
  }

  private describe(findings: readonly FoundProperties[]): void {
    const counts = findings.map(({ folder, properties }) => ({
      shown: countFrom(properties, this.threshold(folder)),
      all: properties.length,
    }));
    const shown = counts.reduce((sum, count) => sum + count.shown, 0);
    const hidden = counts.reduce((sum, count) => sum + count.all, 0) - shown;
    const sentences = findings.flatMap(({ folder, missing }) =>
      missing === undefined ? [] : [findings.length === 1 ? missing : `${folder.name}: ${missing}`],
    );
    const [first] = findings;
    if (sentences.length === 0 && first !== undefined && shown + hidden === 0)
      sentences.push(
        l10n.t`Nothing stands out in ${first.parts[0]?.title ?? ''}: no hot spot, no excessive overhead, nothing inlined away.`,
      );
    if (hidden > 0) sentences.push(hiddenText(hidden, formatPercent(this.threshold(first?.folder))));
    this.view.message = sentences.join(' ');
    this.view.badge =
      shown === 0
        ? undefined
        : {
            value: shown,
            tooltip: shown === 1 ? l10n.t('1 property found') : l10n.t`${shown} properties found`,
          };
    this.view.description = findings.length === 1 && first !== undefined ? ofWhat(first) : '';
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', groupingKey, this.grouping);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** The view does not wait longer for a source that has not answered yet. */
async function settled({ findings }: Pick<Kymo, 'findings'>): Promise<void> {
  const [first] = findings.sources;
  if (first !== undefined) await findings.of(first);
}

function readAll({ findings }: Pick<Kymo, 'findings'>): readonly FoundProperties[] {
  const parts = findings.last;
  return [...new Set(parts.map(({ folder }) => folder))].map((folder) => {
    const own = parts.filter((part) => part.folder === folder);
    const properties = own.flatMap((part) => part.properties);
    return {
      folder,
      parts: own,
      properties,
      ...present({ run: commonRun(properties), missing: missingText(own) }),
    };
  });
}

function branches(of: FoundProperties, list: readonly PropertyBranch[]): PropertyNode[] {
  return list.map((branch) => ({ kind: 'property', of, branch }));
}

function hiddenText(hidden: number, threshold: string): string {
  return hidden === 1
    ? l10n.t`1 property is below the threshold (${threshold}).`
    : l10n.t`${hidden} properties are below the threshold (${threshold}).`;
}

function folderItem(of: FoundProperties): vscode.TreeItem {
  const { folder } = of;
  const item = new vscode.TreeItem(folder.name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = folder.uri.toString();
  item.iconPath = new vscode.ThemeIcon('root-folder');
  item.description = ofWhat(of);
  return item;
}

/** `tiny, run i2.r1` */
function ofWhat({ parts, run }: FoundProperties): string {
  return [parts[0]?.target, run === undefined ? undefined : l10n.t`run ${run}`]
    .filter((part) => part !== undefined)
    .join(', ');
}

function groupItem({ folder }: FoundProperties, group: PropertyGroup, grouping: Grouping): vscode.TreeItem {
  const item = new vscode.TreeItem(
    shorten(group.label, labelCharacters),
    vscode.TreeItemCollapsibleState.Expanded,
  );
  item.id = `${folder.uri.toString()}#${grouping}#${group.key}`;
  item.description = String(group.branches.length);
  item.tooltip = `${shorten(group.label, 400)}: ${group.branches.length}`;
  item.contextValue = 'kymo.propertyGroup';
  if (grouping === 'file' && group.branches[0]?.property.region?.file !== undefined) {
    item.resourceUri = vscode.Uri.file(group.branches[0].property.region.file);
    item.iconPath = vscode.ThemeIcon.File;
  }
  return item;
}

function propertyItem(
  node: PropertyNode & { readonly kind: 'property' },
  grouping: Grouping,
): vscode.TreeItem {
  const { property, refinedBy } = node.branch;
  const state =
    refinedBy.length === 0 ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed;
  const item = new vscode.TreeItem(shorten(propertyLabel(property, grouping), labelCharacters), state);
  item.id = `${node.of.folder.uri.toString()}#${grouping}#${property.id}`;
  item.description = propertyDescription(property, grouping, node.of.run);
  item.iconPath = new vscode.ThemeIcon(kindRecord(property.kind).icon);
  item.contextValue = propertyContext(property);
  item.accessibilityInformation = { label: property.title };
  if (property.region?.file !== undefined)
    item.command = { command: 'kymo.properties.open', title: l10n.t('Go to Source'), arguments: [node] };
  return item;
}

/** Context value for its menu: explain a region, go to a place, show iterations or a model in the panel. */
function propertyContext(property: Property): string {
  const { region, model } = property;
  const what = isDynamic(property)
    ? '.dynamic'
    : model !== undefined
      ? '.model'
      : region === undefined
        ? ''
        : '.region';
  return `kymo.property${what}${region?.file === undefined ? '' : '.place'}`;
}
