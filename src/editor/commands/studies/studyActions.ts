import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import type { StudyCoordinates } from '../../../core/study/points';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import type { ParameterStudyNode, PointNode } from '../../surfaces/trees/parameterStudyItems';
import { askToChooseAgain } from '../functions/treeRow';
import { showModelsOf } from './runStudy';
import { continueStudy, measurePoints, studyCommand } from './startStudy';

/** A point to measure, given by another view: `repetitions` times, by default as often as the others of its study. */
export interface PointToMeasure {
  /** Absolute: the folder of the study. */
  readonly directory: string;
  readonly coordinates: StudyCoordinates;
  readonly repetitions?: number;
}

/** Commands of studies over parameters; those of rows of the Experiments view get their node. */
export function registerStudyCommands(kymo: Kymo): void {
  const onRow = (id: string, action: (node: ParameterStudyNode) => Promise<void> | void): void =>
    kymo.command(`kymo.study.${id}`, (node?: ParameterStudyNode) =>
      node === undefined ? askToChooseAgain() : action(node),
    );
  kymo.command('kymo.study.run', () => studyCommand(kymo));
  onRow('stop', ({ folder }) => void kymo.parameterStudies.stop(folder));
  onRow('continue', ({ folder, study }) =>
    continueStudy(kymo, folder, { target: study.target, study: study.study }),
  );
  onRow('retry', ({ folder, study }) =>
    continueStudy(kymo, folder, { target: study.target, study: study.study, retry: true }),
  );
  onRow('showModels', ({ study }) => showModelsOf(study.directory));
  kymo.command('kymo.study.measurePoint', (given?: PointNode | PointToMeasure) =>
    given === undefined ? askToChooseAgain() : measurePoint(kymo, given),
  );
}

async function measurePoint(kymo: Kymo, given: PointNode | PointToMeasure): Promise<void> {
  const { directory, coordinates, repetitions } = 'kind' in given ? ofRow(given) : given;
  const target = path.dirname(directory);
  await measurePoints(kymo, folderOf(directory), {
    target: path.basename(target),
    study: path.basename(directory),
    points: [coordinates],
    ...(repetitions === undefined ? {} : { repetitions }),
  });
}

function ofRow({ of, point }: PointNode): PointToMeasure {
  return { directory: of.study.directory, coordinates: point.coordinates };
}

/** `<folder>/.kymo/<target>/<study>` */
function folderOf(directory: string): vscode.WorkspaceFolder {
  const workspace = path.resolve(directory, '../../..');
  const folder = localFolders().find(({ uri }) => path.resolve(uri.fsPath) === workspace);
  if (folder !== undefined) return folder;
  throw new KymoError(
    'no-study',
    l10n.t`${directory} is no study of an open folder. Open the folder with its kymo.json to measure more.`,
  );
}
