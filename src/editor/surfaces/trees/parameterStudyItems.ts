import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { pointName } from '../../../core/study/texts';
import type { ParameterStudySummary, StudyPointSummary } from '../../../workflows/study/listParameterStudies';
import { elsewhereSentence } from '../../state/runs/elsewhere';
import { startedAtText } from '../../words/studies/experimentText';
import { parameterStudyText, pointText } from '../../words/studies/parameterStudyText';

export interface ParameterStudyNode {
  readonly kind: 'parameterStudy';
  readonly folder: vscode.WorkspaceFolder;
  readonly study: ParameterStudySummary;
  /** This window runs it. */
  readonly isOwn: boolean;
  /** The newest study of its target is expanded. */
  readonly newest: boolean;
}

export interface PointNode {
  readonly kind: 'point';
  readonly of: ParameterStudyNode;
  readonly point: StudyPointSummary;
}

export function pointsOf(of: ParameterStudyNode): PointNode[] {
  return of.study.points.map((point) => ({ kind: 'point', of, point }));
}

export function parameterStudyItem({ folder, study, isOwn, newest }: ParameterStudyNode): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    startedAtText(study.startedAt, new Date()) ?? study.study,
    newest ? Expanded : Collapsed,
  );
  item.id = idOf(folder, study);
  item.description = parameterStudyText(study);
  const state = study.state !== 'running' ? study.state : isOwn ? 'own' : 'elsewhere';
  item.contextValue = `kymo.parameterStudy.${state}${study.failed > 0 ? '.failed' : ''}`;
  item.iconPath = new vscode.ThemeIcon(studyIcons[study.state]);
  item.tooltip = [
    l10n.t`Parameter study ${study.study} of ${study.target}`,
    parameterStudyText(study),
    ...(state === 'elsewhere' ? [elsewhereSentence(study, 'studied')] : []),
    study.directory,
  ].join('\n');
  return item;
}

const studyIcons = { running: 'sync~spin', complete: 'beaker', interrupted: 'debug-pause' } as const;

export function pointItem({ of, point }: PointNode): vscode.TreeItem {
  const { coordinates, standing, failure } = point;
  const name = pointName(coordinates);
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `${idOf(of.folder, of.study)}#${name}`;
  item.description = pointText(point);
  item.contextValue = `kymo.point.${standing}${of.study.state === 'running' ? '.running' : ''}`;
  item.iconPath = icons[standing]();
  item.tooltip = [
    `${name}: ${pointText(point)}`,
    ...(failure === undefined ? [] : [l10n.t`Repetition ${failure.repetition}: ${failure.message}`]),
  ].join('\n');
  return item;
}

const icons: Readonly<Record<StudyPointSummary['standing'], () => vscode.ThemeIcon>> = {
  done: () => new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green')),
  running: () => new vscode.ThemeIcon('sync~spin'),
  failed: () => new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
  remaining: () => new vscode.ThemeIcon('circle-outline'),
};

function idOf(folder: vscode.WorkspaceFolder, { directory }: ParameterStudySummary): string {
  return `${folder.uri.toString()}#${directory}`;
}
