import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { withoutLinks } from '../../../core/markdown';
import { pickFolder, pickTarget } from '../../actions/pick';
import type { Kymo } from '../../state/kymo';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import { folderOf } from './experiments';

/** A measurement to compare, accept or report. */
export interface Measured {
  readonly folder: vscode.WorkspaceFolder;
  readonly target: string;
  /** Of the study or round; absolute. */
  readonly directory: string;
}

/**
 * The study or round of the tree; else the newest measurement of a target, which the user chooses if there are several. Undefined after a message where there is
 * none, and if the user cancels.
 * @param given the node of the menu, if there is one @param title of the questions
 * @throws EngineError where `kymo.json` cannot be read
 */
export async function measuredOf(kymo: Kymo, given: unknown, title: string): Promise<Measured | undefined> {
  if (typeof given === 'object' && given !== null && 'kind' in given) return ofNode(given as ExperimentNode);
  const folder = await pickFolder(title);
  if (folder === undefined) return undefined;
  const workspace = folder.uri.fsPath;
  const { targets } = await kymo.engine.query('targets', { workspace });
  const target = await pickTarget(targets, title);
  if (target === undefined) return undefined;
  const studies = await kymo.engine.query('studies', { workspace });
  const newest = studies.find(
    (study) => study.target === target.name && study.state !== 'running' && study.iterations.length > 0,
  );
  if (newest === undefined) {
    void offerMeasure(l10n.t('Kymo: {0} has not been measured here yet.', withoutLinks(target.name)));
    return undefined;
  }
  return { folder, target: target.name, directory: newest.directory };
}

function ofNode(node: ExperimentNode): Measured | undefined {
  const [directory] = folderOf(node);
  if (directory === undefined || (node.kind !== 'study' && node.kind !== 'round')) return undefined;
  const { folder, study } = node.kind === 'study' ? node : node.of;
  return { folder, target: study.target, directory };
}

async function offerMeasure(message: string): Promise<void> {
  const measure = l10n.t('Measure');
  const choice = await vscode.window.showInformationMessage(message, measure);
  if (choice === measure) await vscode.commands.executeCommand('kymo.measure');
}

/** `.kymo/tiny/measure-2026-11-30T15-09-12`, `kymo-baseline.json`: how messages name a file or folder. */
export function nameIn(folder: vscode.WorkspaceFolder, file: string): string {
  const inside = path.relative(folder.uri.fsPath, file);
  return withoutLinks(inside.startsWith('..') ? file : inside);
}
