import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { PinState } from '../../../workflows/pins';
import type { Kymo } from '../../state/kymo';
import type { ShownMeasurement, ShownStudy } from '../../state/studies/shown';
import { localFolders } from '../../state/studies/studies';
import type { SelectionChange } from '../../words/functions/functionTexts';

/** The rows of the Instrumentation view for one workspace folder. */
export interface InstrumentedFolder {
  readonly folder: vscode.WorkspaceFolder;
  readonly shown: ShownStudy | ShownMeasurement;
  readonly pins: ReadonlyMap<string, PinState>;
  /** Changes of the last round, by key. */
  readonly changes: ReadonlyMap<string, SelectionChange>;
  /** Sentences about files that could not be read. */
  readonly problems: readonly string[];
}

/** All folders with a study that has results. */
export async function instrumentedFolders(kymo: Kymo): Promise<readonly InstrumentedFolder[]> {
  const folders = await Promise.all(localFolders().map((folder) => readFolder(kymo, folder)));
  return folders.filter((folder) => folder !== undefined);
}

/** Whether two readings show the same rows. Recreated rows lose a click in progress. */
export function showSame(before: readonly InstrumentedFolder[], now: readonly InstrumentedFolder[]): boolean {
  const marks = (folders: readonly InstrumentedFolder[]): string =>
    JSON.stringify(
      folders.map(({ folder, shown, pins, changes, problems }) => [
        folder.uri.toString(),
        shown.study.directory,
        [...pins],
        [...changes],
        problems,
      ]),
    );
  return (
    before.every(({ shown }, index) => shown.functions === now[index]?.shown.functions) &&
    marks(before) === marks(now)
  );
}

async function readFolder(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
): Promise<InstrumentedFolder | undefined> {
  const shown = await kymo.studies.lastStudyOf(folder);
  if (shown === undefined) return undefined;
  const { directory } = shown.study;
  const [list, changes] = await Promise.all([
    kymo.pins.of(folder),
    // A difference needs two readable rounds.
    kymo.engine.query('lastChanges', { studyDirectory: directory }).catch(() => []),
  ]);
  return {
    folder,
    shown,
    pins: new Map(list.pins.map(({ key, state }) => [key, state])),
    changes: new Map(changes.map(({ key, change }) => [key, change])),
    problems: [
      ...list.problems,
      ...(shown.functions.size === 0
        ? [
            l10n.t`The functions of ${directory} cannot be read. The log has the reason. Refine again to record them again.`,
          ]
        : []),
    ],
  };
}
