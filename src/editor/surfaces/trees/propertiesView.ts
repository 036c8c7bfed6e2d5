import * as vscode from 'vscode';
import { formatPercent } from '../../../core/format';
import type { Property } from '../../../core/properties/property';
import type { StudySummary } from '../../../workflows/studies/studies';
import type { FoundDynamics } from '../../state/dynamics/dynamics';
import { isDynamic, kindRecord } from '../../../core/properties/kinds';
import type { Kymo } from '../../state/kymo';
import { propertyThreshold } from '../../state/settings/settings';
import { localFolders } from '../../state/studies/studies';
import {
  countFrom,
  groupings,
  groupProperties,
  propertyDescription,
  propertyLabel,
  propertyTooltip,
  type Grouping,
  type PropertyBranch,
  type PropertyGroup,
} from '../../words/propertyGroups';
import { shorten } from '../../words/lensText';
import { ReadFirst } from './readFirst';

/** What was found in the shown study of one folder. */
export interface FoundProperties {
  readonly folder: vscode.WorkspaceFolder;
  readonly study: StudySummary;
  readonly properties: readonly Property[];
  /** Why there is nothing, or what could not be read. */
  readonly missing?: string;
  /** What was found over the iterations of a run: its properties are among the others. */
  readonly dynamics?: FoundDynamics;
}

export type PropertyNode =
  | { readonly kind: 'folder'; readonly of: FoundProperties }
  | { readonly kind: 'group'; readonly of: FoundProperties; readonly group: PropertyGroup }
  | { readonly kind: 'property'; readonly of: FoundProperties; readonly branch: PropertyBranch };

const groupingKey = 'kymo.properties.grouping';
const labelCharacters = 120;

/** *Properties*: what was found in the shown study, in groups, from the threshold on. */
export class PropertiesView implements vscode.TreeDataProvider<PropertyNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<PropertyNode>;
  private readonly subscriptions: readonly { dispose(): unknown }[];
  private readonly found: ReadFirst<readonly FoundProperties[]>;
  private previewed: number | undefined;

  constructor(private readonly kymo: Kymo) {
    this.view = vscode.window.createTreeView('kymo.properties', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.found = new ReadFirst(
      () => readAll(kymo),
      () => this.view.visible,
      () => this.changed.fire(),
    );
    this.subscriptions = [
      this.changed,
      this.view,
      kymo.studies.onDidChange(() => this.found.refresh()),
      kymo.dynamics.onDidRead(() => this.found.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.properties')) this.changed.fire();
      }),
    ];
    this.setContext();
  }

  get grouping(): Grouping {
    const kept = this.kymo.extension.workspaceState.get<unknown>(groupingKey);
    return groupings.find((one) => one === kept) ?? 'kind';
  }

  async groupBy(grouping: Grouping): Promise<void> {
    await this.kymo.extension.workspaceState.update(groupingKey, grouping);
    this.setContext();
    this.changed.fire();
  }

  /** Of all folders, below the threshold too. */
  all(): Promise<readonly FoundProperties[]> {
    return this.found.get();
  }

  /** Shows what another threshold (0…1) would leave; undefined: the setting's. */
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
    const found = await this.all();
    this.describe(found);
    void vscode.commands.executeCommand('setContext', 'kymo.properties.found', found.length > 0);
    const [only] = found;
    if (found.length === 1 && only !== undefined) return this.groups(only);
    return found.map((of) => ({ kind: 'folder', of }));
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

  private describe(found: readonly FoundProperties[]): void {
    const counts = found.map(({ folder, properties }) => ({
      shown: countFrom(properties, this.threshold(folder)),
      all: properties.length,
    }));
    const shown = counts.reduce((sum, one) => sum + one.shown, 0);
    const hidden = counts.reduce((sum, one) => sum + one.all, 0) - shown;
    const sentences = found.flatMap(({ folder, missing }) =>
      missing === undefined ? [] : [found.length === 1 ? missing : `${folder.name}: ${missing}`],
    );
    const [first] = found;
    if (sentences.length === 0 && first !== undefined && shown + hidden === 0)
      sentences.push(
        `Nothing stands out in ${first.study.profile ?? `study ${first.study.study}`}: no hot spot, no excessive overhead, nothing inlined away.`,
      );
    if (hidden > 0)
      sentences.push(
        `${hidden} ${hidden === 1 ? 'property is' : 'properties are'} below the threshold (${formatPercent(this.threshold(first?.folder))}).`,
      );
    this.view.message = sentences.join(' ');
    this.view.badge =
      shown === 0
        ? undefined
        : { value: shown, tooltip: `${shown} ${shown === 1 ? 'property' : 'properties'} found` };
    this.view.description = found.length === 1 && first !== undefined ? first.study.target : '';
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', groupingKey, this.grouping);
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }
}

async function readAll(kymo: Kymo): Promise<readonly FoundProperties[]> {
  const opened = kymo.studies.profile;
  const dynamics = kymo.dynamics.foundLast;
  const found = await Promise.all(
    // A profile belongs to no folder: it is shown once.
    localFolders()
      .slice(0, opened === undefined ? undefined : 1)
      .map(async (folder) => {
        const over = dynamics.find((one) => one.folder === folder);
        return withDynamics(folder, await readStudy(kymo, folder), over);
      }),
  );
  return found.filter((one) => one !== undefined);
}

/** What was found in the run as a whole: in the last study, or in the profile that is shown in its place. */
async function readStudy(kymo: Kymo, folder: vscode.WorkspaceFolder): Promise<FoundProperties | undefined> {
  const opened = kymo.studies.profile;
  const shown = await kymo.studies.shownOf(folder);
  if (shown === undefined) return undefined;
  const { study } = shown;
  try {
    if (opened !== undefined) return { folder, study, properties: await opened.properties() };
    const result = await kymo.engine.query('properties', { studyDirectory: study.directory });
    return { folder, study, ...result };
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error);
    kymo.log.error(missing);
    return { folder, study, properties: [], missing };
  }
}

/** With what was found over its iterations, or over those of what the user chose. */
function withDynamics(
  folder: vscode.WorkspaceFolder,
  study: FoundProperties | undefined,
  dynamics: FoundDynamics | undefined,
): FoundProperties | undefined {
  if (dynamics === undefined) return study;
  const { title, files } = dynamics.opened;
  const measured = { study: title, target: title, directory: files[0] ?? '', startedAt: '', iterations: [] };
  return {
    folder,
    study: study?.study ?? { ...measured, state: 'complete', profile: title },
    properties: [...(study?.properties ?? []), ...dynamics.properties],
    ...(study?.missing === undefined || dynamics.properties.length > 0 ? {} : { missing: study.missing }),
    dynamics,
  };
}

function branches(of: FoundProperties, list: readonly PropertyBranch[]): PropertyNode[] {
  return list.map((branch) => ({ kind: 'property', of, branch }));
}

function folderItem({ folder, study }: FoundProperties): vscode.TreeItem {
  const item = new vscode.TreeItem(folder.name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = folder.uri.toString();
  item.iconPath = new vscode.ThemeIcon('root-folder');
  item.description = study.target;
  return item;
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
  item.description = propertyDescription(property, grouping);
  item.iconPath = new vscode.ThemeIcon(kindRecord(property.kind).icon);
  item.contextValue = propertyContext(property);
  item.accessibilityInformation = { label: property.title };
  if (property.region?.file !== undefined)
    item.command = { command: 'kymo.properties.open', title: 'Go to Source', arguments: [node] };
  return item;
}

/** What its menu can do: with a region explain it, with a place go there, over iterations show it in the panel. */
function propertyContext(property: Property): string {
  const { region } = property;
  if (isDynamic(property))
    return region?.file === undefined ? 'kymo.property.dynamic' : 'kymo.property.dynamic.place';
  if (region === undefined) return 'kymo.property';
  return region.file === undefined ? 'kymo.property.region' : 'kymo.property.region.place';
}
