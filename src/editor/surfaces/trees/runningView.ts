import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import {
  changeWords,
  networkCount,
  processCount,
  type LiveCluster,
  type LiveNode,
  type LiveProcess,
  type LiveRun,
} from '../../../core/views/liveRun';
import type { Kymo } from '../../state/kymo';
import {
  clusterText,
  liveDetail,
  nodeText,
  processText,
  recordingText,
} from '../../words/studies/liveRunText';

type RunningNode =
  | { readonly kind: 'processes' | 'network' | 'recording' }
  | { readonly kind: 'process'; readonly process: LiveProcess; readonly index: number }
  | { readonly kind: 'cluster'; readonly cluster: LiveCluster; readonly index: number }
  | { readonly kind: 'node'; readonly node: LiveNode }
  | {
      readonly kind: 'sentence';
      readonly of: 'change' | 'failure';
      readonly text: string;
      readonly index: number;
    };

/** The run that is watched: its processes, and where these are on several hosts the processes of Kymo that watch them, as a tree. */
export class RunningView implements vscode.TreeDataProvider<RunningNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<RunningNode>;
  private readonly subscription: vscode.Disposable;
  private shown = '';

  constructor(private readonly kymo: Kymo) {
    this.view = vscode.window.createTreeView('kymo.running', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.subscription = kymo.watched.onDidChange(() => {
      this.update();
    });
  }

  private get live(): LiveRun | undefined {
    return this.kymo.watched.run?.live;
  }

  private update(): void {
    const { live } = this;
    void vscode.commands.executeCommand('setContext', 'kymo.watching', live !== undefined);
    this.view.description = live?.target ?? '';
    this.view.message = live === undefined ? '' : liveDetail(live).slice(0, 2).join(' ');
    // Rows that are made again lose the keyboard’s place: not where they would be the same.
    const shown = JSON.stringify([live?.processes, live?.clusters, live?.network, live?.recording]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.changed.fire();
  }

  getChildren(parent?: RunningNode): RunningNode[] {
    const { live } = this;
    if (live === undefined) return [];
    const { network, recording } = live;
    const nodesBelow = (rank?: number): RunningNode[] =>
      (network?.nodes ?? []).filter((node) => node.parent === rank).map((node) => ({ kind: 'node', node }));
    switch (parent?.kind) {
      case undefined:
        return topRows(live);
      case 'recording':
        return sentences('change', (recording?.changes ?? []).map(changeWords));
      case 'processes':
        return ofProcesses(live);
      case 'network': {
        const failures = network?.failures ?? [];
        return [...nodesBelow(), ...sentences('failure', failures)];
      }
      case 'node':
        return nodesBelow(parent.node.rank);
      case 'process':
      case 'cluster':
      case 'sentence':
        return [];
    }
  }

  getTreeItem(row: RunningNode): vscode.TreeItem {
    const { None, Expanded } = vscode.TreeItemCollapsibleState;
    const { live } = this;
    const { network, recording } = live ?? {};
    switch (row.kind) {
      case 'recording':
        return recordingItem(recording);
      case 'processes':
        return group(l10n.t('Program'), live === undefined ? '' : processCount(live), row.kind);
      case 'network':
        return group(l10n.t('Watched by'), networkCount(network), row.kind);
      case 'process':
        return item(processText(row.process), `process ${row.index}`, processIcon(row.process), None);
      case 'cluster':
        return item(clusterText(row.cluster), `cluster ${row.index}`, icon('layers'), None);
      case 'node': {
        const isLeaf = !(network?.nodes ?? []).some(({ parent }) => parent === row.node.rank);
        return item(
          nodeText(row.node),
          `node ${row.node.rank}`,
          nodeIcons[row.node.state],
          isLeaf ? None : Expanded,
        );
      }
      case 'sentence': {
        const words = { label: row.text, description: '', tooltip: row.text };
        return item(words, `${row.of} ${row.index}`, sentenceIcons[row.of], None);
      }
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}

function topRows(live: LiveRun): RunningNode[] {
  const { recording, network } = live;
  const watched: RunningNode[] =
    network === undefined ? ofProcesses(live) : [{ kind: 'processes' }, { kind: 'network' }];
  return recording === undefined ? watched : [{ kind: 'recording' }, ...watched];
}

function sentences(of: 'change' | 'failure', texts: readonly string[]): RunningNode[] {
  return texts.map((text, index) => ({ kind: 'sentence', of, text, index }));
}

function recordingItem(recording: LiveRun['recording']): vscode.TreeItem {
  const { None, Expanded } = vscode.TreeItemCollapsibleState;
  const openness = (recording?.changes ?? []).length === 0 ? None : Expanded;
  // Another row from the first change on: one that could not be opened before stays closed.
  const id = openness === None ? 'recording' : 'changes';
  return item(recordingText(recording), id, icon('record'), openness);
}

function ofProcesses({ processes, clusters = [] }: LiveRun): RunningNode[] {
  return [
    ...processes.map((process, index) => ({ kind: 'process' as const, process, index })),
    ...clusters.map((cluster, index) => ({ kind: 'cluster' as const, cluster, index })),
  ];
}

function group(label: string, description: string, id: string): vscode.TreeItem {
  const made = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  made.id = id;
  made.description = description;
  return made;
}

function item(
  { label, description, tooltip }: Readonly<Record<'label' | 'description' | 'tooltip', string>>,
  id: string,
  iconPath: vscode.ThemeIcon,
  openness: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const made = new vscode.TreeItem(label, openness);
  made.id = id;
  made.description = description;
  made.tooltip = tooltip;
  made.iconPath = iconPath;
  return made;
}

function icon(name: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, color === undefined ? undefined : new vscode.ThemeColor(color));
}

function processIcon({ isWatched, isSuspended }: LiveProcess): vscode.ThemeIcon {
  return icon(!isWatched ? 'circle-slash' : isSuspended ? 'debug-pause' : 'pulse');
}

const nodeIcons: Readonly<Record<LiveNode['state'], vscode.ThemeIcon>> = {
  up: icon('server-process'),
  awaited: icon('watch'),
  lost: icon('error', 'list.errorForeground'),
  left: icon('circle-slash'),
};

const sentenceIcons = {
  change: icon('history'),
  failure: icon('warning', 'list.warningForeground'),
};
