import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Kymo } from '../../state/kymo';
import {
  filterFunctions,
  functionTree,
  inOrder,
  isPending,
  type FolderBranch,
  type FunctionOrder,
} from '../../words/functions/functionTree';
import { toItem, tooltipOf, type InstrumentationNode } from './instrumentationItems';
import { instrumentedFolders, showSame, type InstrumentedFolder } from './instrumentationModel';
import { ReadFirst } from './readFirst';

/** Functions of one file that are shown at first, so that the host creates few rows at a time. */
const functionsPerFile = 500;
/** With fewer functions than this after filtering, files are expanded. */
const openAtMost = 60;

const orderKey = 'kymo.instrumentation.order';

/** *Instrumentation*: the functions of the shown study by file, in or out as check boxes, pins, reasons. */
export class InstrumentationView implements vscode.TreeDataProvider<InstrumentationNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<InstrumentationNode>;
  private readonly subscriptions: readonly { dispose(): unknown }[];
  private readonly folders: ReadFirst<readonly InstrumentedFolder[]>;
  private filterText = '';
  private onlyChanged = false;
  private open = false;
  private readonly shownOfFile = new Map<string, number>();

  constructor(private readonly kymo: Kymo) {
    this.view = vscode.window.createTreeView('kymo.instrumentation', {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
      manageCheckboxStateManually: true,
    });
    this.folders = new ReadFirst(
      () => instrumentedFolders(kymo),
      () => this.view.visible,
      () => this.changed.fire(),
      showSame,
    );
    this.subscriptions = [
      this.changed,
      this.view,
      kymo.studies.onDidChange(() => this.refresh()),
      kymo.pins.onDidChange(() => this.refresh()),
      this.view.onDidChangeCheckboxState(({ items }) => void this.pinChecked(items)),
    ];
    this.setContext();
  }

  /** Functions selected in the tree. */
  get selection(): readonly InstrumentationNode[] {
    return this.view.selection;
  }

  get filter(): string {
    return this.filterText;
  }

  setFilter(text: string): void {
    if (text === this.filterText) return;
    this.filterText = text;
    this.setContext();
    this.changed.fire();
  }

  toggleOnlyChanged(): void {
    this.onlyChanged = !this.onlyChanged;
    this.setContext();
    this.changed.fire();
  }

  get order(): FunctionOrder {
    return this.kymo.extension.workspaceState.get<FunctionOrder>(orderKey, 'share');
  }

  async setOrder(order: FunctionOrder): Promise<void> {
    await this.kymo.extension.workspaceState.update(orderKey, order);
    this.setContext();
    this.changed.fire();
  }

  showMore(file: string): void {
    this.shownOfFile.set(file, (this.shownOfFile.get(file) ?? functionsPerFile) + functionsPerFile);
    this.changed.fire();
  }

  refresh(): void {
    this.folders.refresh();
  }

  async getChildren(node?: InstrumentationNode): Promise<InstrumentationNode[]> {
    if (node === undefined) return this.roots();
    switch (node.kind) {
      case 'root':
      case 'folder':
        return below(node.of, node.branch);
      case 'file':
        return this.functionsOf(node);
      case 'function':
      case 'more':
        return [];
    }
  }

  getTreeItem(node: InstrumentationNode): vscode.TreeItem {
    return toItem(node, this.open);
  }

  resolveTreeItem(item: vscode.TreeItem, node: InstrumentationNode): vscode.TreeItem {
    if (node.kind === 'function') item.tooltip = tooltipOf(node);
    return item;
  }

  private async roots(): Promise<InstrumentationNode[]> {
    const folders = await this.folders.get();
    const filtered = folders.map((of) => ({
      of,
      functions: filterFunctions(
        of.shown.functions.all,
        { text: this.filterText, ...(this.onlyChanged ? { changed: of.changes } : {}) },
        of.pins,
      ),
    }));
    const shown = filtered.reduce((sum, { functions }) => sum + functions.length, 0);
    this.open = shown <= openAtMost;
    this.describe(folders, shown);
    const trees = filtered
      .filter(({ functions }) => functions.length > 0)
      .map(({ of, functions }) => ({
        of,
        branch: functionTree(functions, of.folder.uri.fsPath, this.order),
      }));
    const [only] = trees;
    if (trees.length === 1 && only !== undefined && folders.length === 1) return below(only.of, only.branch);
    return trees.map(({ of, branch }) => ({ kind: 'root', of, branch }));
  }

  private functionsOf({
    of,
    branch,
  }: InstrumentationNode & { readonly kind: 'file' }): InstrumentationNode[] {
    const limit = this.shownOfFile.get(branch.path ?? '?') ?? functionsPerFile;
    const nodes: InstrumentationNode[] = inOrder(branch.functions, this.order)
      .slice(0, limit)
      .map((row) => ({ kind: 'function', of, row }));
    const left = branch.functions.length - nodes.length;
    return left <= 0 ? nodes : [...nodes, { kind: 'more', of, branch, left }];
  }

  /** Message, badge and description: the filter, pending pins, and unreadable files. */
  private describe(folders: readonly InstrumentedFolder[], shown: number): void {
    const all = folders.reduce((sum, { shown: { functions } }) => sum + functions.size, 0);
    const parts = [
      ...folders.flatMap(({ folder, problems }) =>
        folders.length === 1 ? problems : problems.map((problem) => `${folder.name}: ${problem}`),
      ),
      ...(this.filterText === '' ? [] : [`“${this.filterText}”`]),
      ...(this.onlyChanged ? [l10n.t('changed in the last round')] : []),
    ];
    const filtered = this.filterText !== '' || this.onlyChanged;
    const count =
      filtered && all > 0
        ? `: ${shown === 0 ? l10n.t('no function') : l10n.t`${shown} of ${all} functions`}`
        : '';
    this.view.message = parts.length === 0 ? '' : `${parts.join(', ')}${count}`;
    const pending = folders.flatMap(({ shown: { functions }, pins }) =>
      functions.all.filter((row) => isPending(row, pins.get(row.key))),
    ).length;
    this.view.badge =
      pending === 0
        ? undefined
        : {
            value: pending,
            tooltip:
              pending === 1
                ? l10n.t('1 change waits for the next refinement')
                : l10n.t`${pending} changes wait for the next refinement`,
          };
    const [first] = folders;
    if (folders.length === 1 && first !== undefined) this.view.description = first.shown.study.target;
  }

  private async pinChecked(
    items: readonly (readonly [InstrumentationNode, vscode.TreeItemCheckboxState])[],
  ): Promise<void> {
    for (const pin of ['in', 'out'] as const) {
      const nodes = items.filter(
        ([, state]) => (state === vscode.TreeItemCheckboxState.Checked) === (pin === 'in'),
      );
      const functions = nodes.flatMap(([node]) => (node.kind === 'function' ? [node] : []));
      const [first] = functions;
      if (first === undefined) continue;
      await vscode.commands.executeCommand(pin === 'in' ? 'kymo.pinIn' : 'kymo.pinOut', {
        folder: first.of.folder.uri.toString(),
        key: functions.map(({ row }) => row.key),
        studyDirectory: first.of.shown.study.directory,
      });
    }
    // If pins could not be changed, the check box must show their actual state.
    if (!(await this.arePinned(items))) this.changed.fire();
  }

  private async arePinned(
    items: readonly (readonly [InstrumentationNode, vscode.TreeItemCheckboxState])[],
  ): Promise<boolean> {
    for (const [node, state] of items) {
      if (node.kind !== 'function') return false;
      const pin = (await this.kymo.pins.statesOf(node.of.folder)).get(node.row.key);
      if (pin !== (state === vscode.TreeItemCheckboxState.Checked ? 'in' : 'out')) return false;
    }
    return true;
  }

  private setContext(): void {
    const set = (key: string, value: unknown): void =>
      void vscode.commands.executeCommand('setContext', `kymo.instrumentation.${key}`, value);
    set('filtered', this.filterText !== '');
    set('onlyChanged', this.onlyChanged);
    set('order', this.order);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

function below(of: InstrumentedFolder, { folders, files }: FolderBranch): InstrumentationNode[] {
  const alone = folders.length + files.length === 1;
  return [
    ...folders.map((branch) => ({ kind: 'folder' as const, of, branch, alone })),
    ...files.map((branch) => ({ kind: 'file' as const, of, branch, alone })),
  ];
}
