import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { visitsCount } from '../../words/counts';
import type { RefineRound } from '../../../workflows/studies/refine.types';
import type { DamagedStudy, StudySummary } from '../../../workflows/studies/studies';
import type { Kymo } from '../../state/kymo';
import {
  roundSummary,
  overheadText,
  startedAtText,
  endText,
  studySummary,
  timesText,
} from '../../words/studies/experimentText';
import {
  parameterStudyItem,
  pointItem,
  pointsOf,
  type ParameterStudyNode,
  type PointNode,
} from './parameterStudyItems';
import { ReadFirst } from './readFirst';

/** Nodes of the tree: targets → studies → rounds, or points of a study over parameters. Commands of its context menu receive them. */
export type ExperimentNode =
  | {
      readonly kind: 'target';
      readonly folder: vscode.WorkspaceFolder;
      readonly name: string;
      readonly studies: readonly StudySummary[];
      readonly parameterStudies: readonly Pick<ParameterStudyNode, 'study' | 'isOwn'>[];
      readonly damaged: readonly DamagedStudy[];
    }
  | StudyNode
  | ParameterStudyNode
  | PointNode
  | RoundNode
  | DamagedNode;

export interface RoundNode {
  readonly kind: 'round';
  readonly of: StudyNode;
  readonly iteration: RefineRound;
}

/** A study that cannot be read. */
export interface DamagedNode {
  readonly kind: 'damaged';
  readonly folder: vscode.WorkspaceFolder;
  readonly damaged: DamagedStudy;
}

export interface StudyNode {
  readonly kind: 'study';
  readonly folder: vscode.WorkspaceFolder;
  readonly study: StudySummary;
  /** The newest study of its target is expanded. */
  readonly newest: boolean;
}

export class ExperimentsView implements vscode.TreeDataProvider<ExperimentNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<ExperimentNode>;
  private readonly roots: ReadFirst<ExperimentNode[]>;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly kymo: Kymo) {
    this.view = vscode.window.createTreeView('kymo.experiments', {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.roots = new ReadFirst(
      () => this.targets(),
      () => this.view.visible,
      () => this.changed.fire(),
      // The end of a refinement causes several events, and menus do nothing while rows are recreated.
      (before, now) => JSON.stringify(before) === JSON.stringify(now),
    );
    this.subscriptions = [
      kymo.studies.onDidChange(() => this.roots.refresh()),
      kymo.parameterStudies.onDidChangeStudies(() => this.roots.refresh()),
    ];
  }

  async getChildren(node?: ExperimentNode): Promise<ExperimentNode[]> {
    if (node === undefined) return this.roots.get();
    switch (node.kind) {
      case 'target':
        return [
          ...studiesOf(node),
          ...node.damaged.map((damaged) => ({ kind: 'damaged' as const, folder: node.folder, damaged })),
        ];
      case 'study':
        if (node.study.kind === 'measurement') return [];
        return node.study.iterations.map((iteration) => ({ kind: 'round', of: node, iteration }));
      case 'parameterStudy':
        return pointsOf(node);
      case 'round':
      case 'point':
      case 'damaged':
        return [];
    }
  }

  getTreeItem(node: ExperimentNode): vscode.TreeItem {
    switch (node.kind) {
      case 'target':
        return targetItem(node.name, node.folder);
      case 'study':
        return studyItem(node);
      case 'parameterStudy':
        return parameterStudyItem(node);
      case 'point':
        return pointItem(node);
      case 'round':
        return roundItem(node.of, node.iteration);
      case 'damaged':
        return damagedItem(node);
    }
  }

  private async targets(): Promise<ExperimentNode[]> {
    const folders = await this.kymo.studies.all();
    const errors = folders.flatMap(({ error }) => (error === undefined ? [] : [error]));
    this.view.message = errors.length === 0 ? '' : l10n.t`Not everything could be read: ${errors.join(' ')}`;
    const shown = await Promise.all(
      folders.map(async ({ folder, studies }) => {
        const over = await this.kymo.parameterStudies.of(folder);
        const damaged = await this.kymo.engine
          .query('damagedStudies', { workspace: folder.uri.fsPath })
          .then((refinements) => [...refinements, ...over.damaged])
          .catch(() => over.damaged);
        const names = new Set([...studies, ...over.studies, ...damaged].map(({ target }) => target));
        return [...names]
          .sort((a, b) => a.localeCompare(b))
          .map((name) => ({
            kind: 'target' as const,
            folder,
            name,
            studies: studies.filter(({ target }) => target === name),
            parameterStudies: over.studies
              .filter(({ target }) => target === name)
              .map((study) => ({ study, isOwn: this.kymo.parameterStudies.isOwn(folder, study) })),
            damaged: damaged.filter(({ target }) => target === name),
          }));
      }),
    );
    return shown.flat();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}

/** The newest first, whatever their kind. */
function studiesOf({
  folder,
  studies,
  parameterStudies,
}: Extract<ExperimentNode, { kind: 'target' }>): (StudyNode | ParameterStudyNode)[] {
  return [
    ...studies.map((study) => ({ kind: 'study' as const, folder, study })),
    ...parameterStudies.map((study) => ({ kind: 'parameterStudy' as const, folder, ...study })),
  ]
    .sort((a, b) => b.study.startedAt.localeCompare(a.study.startedAt))
    .map((node, position) => ({ ...node, newest: position === 0 }));
}

function targetItem(name: string, folder: vscode.WorkspaceFolder): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `${folder.uri.toString()}#${name}`;
  item.iconPath = new vscode.ThemeIcon('target');
  item.contextValue = 'kymo.target';
  if ((vscode.workspace.workspaceFolders ?? []).length > 1) item.description = folder.name;
  item.tooltip = l10n.t`Target ${name} of ${folder.name}`;
  return item;
}

function studyItem(node: StudyNode): vscode.TreeItem {
  const { folder, study, newest } = node;
  const label = startedAtText(study.startedAt, new Date()) ?? study.study;
  const item = new vscode.TreeItem(label, studyOpenness(study, newest));
  item.id = `${folder.uri.toString()}#${study.directory}`;
  item.description = studySummary(study);
  const isMeasurement = study.kind === 'measurement';
  const kind = isMeasurement ? 'kymo.measurement' : 'kymo.study';
  item.contextValue = study.state === 'running' ? `${kind}.running` : kind;
  item.iconPath =
    isMeasurement && study.state === 'complete' ? new vscode.ThemeIcon('dashboard') : studyIcons[study.state];
  const what = isMeasurement
    ? l10n.t`Measurement ${study.study} of ${study.target}`
    : l10n.t`Study ${study.study} of ${study.target}`;
  item.tooltip = [what, endText(study), study.directory].join('\n');
  // A measurement has no children: a click opens it.
  if (isMeasurement && study.iterations.length > 0)
    item.command = { command: 'kymo.showHotSpots', title: l10n.t('Show Hot Spots'), arguments: [node] };
  return item;
}

/** A study that was stopped before its first round has nothing to open. */
function studyOpenness(
  { state, iterations, kind }: StudySummary,
  newest: boolean,
): vscode.TreeItemCollapsibleState {
  if (kind === 'measurement' || (iterations.length === 0 && state !== 'running'))
    return vscode.TreeItemCollapsibleState.None;
  return newest ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}

const studyIcons = {
  running: new vscode.ThemeIcon('sync~spin'),
  complete: new vscode.ThemeIcon('pass'),
  interrupted: new vscode.ThemeIcon('debug-pause'),
  failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
} as const;

function roundItem(of: StudyNode, iteration: RefineRound): vscode.TreeItem {
  const item = new vscode.TreeItem(l10n.t`Round ${iteration.index}`, vscode.TreeItemCollapsibleState.None);
  item.id = `${of.folder.uri.toString()}#${of.study.directory}#${iteration.index}`;
  const accepted = of.study.accepted === iteration.index;
  item.description = roundSummary(iteration, accepted);
  item.contextValue = 'kymo.round';
  item.iconPath = accepted
    ? new vscode.ThemeIcon('verified', new vscode.ThemeColor('charts.green'))
    : new vscode.ThemeIcon('pulse');
  item.tooltip = [
    l10n.t`Round ${iteration.index} of ${of.study.target}`,
    ...(accepted ? [l10n.t("Accepted: its selection is the target's own")] : []),
    overheadText(iteration),
    l10n.t`${iteration.instrumented} functions instrumented, ${iteration.executed} executed, ${iteration.changed} changed`,
    visitsCount(iteration.visits),
    timesText(iteration),
  ].join('\n');
  return item;
}

function damagedItem({ folder, damaged }: DamagedNode): vscode.TreeItem {
  const item = new vscode.TreeItem(damaged.study, vscode.TreeItemCollapsibleState.None);
  item.id = `${folder.uri.toString()}#${damaged.directory}`;
  item.description = l10n.t('cannot be read');
  item.contextValue = 'kymo.study.damaged';
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.tooltip = damaged.message;
  return item;
}
