import path from 'node:path';
import type { Selection } from '../../../core/selection/selection';
import { writeFilter } from '../../../formats/scorep-filter/lists/write';
import type { Prepared } from '../../../measurement/backends/common/backend';
import { writeFileAtomically } from '../../../measurement/files/disk';
import { roundDirectory } from '../../../measurement/experiments/studies';
import { present } from '../../../core/present';
import { findProperties } from '../../../core/problems/findProperties';
import type { Property } from '../../../core/properties/property';
import { hasSources, writeSources } from '../../studies/sources';
import type { FunctionRow } from '../../../core/functions/functionRow';
import { writeFunctions } from '../../studies/functionsFile';
import { functionTable } from './functionTable';
import type { FinalSelection, LoopState } from '../loop/loop.types';
import { makeOwnFolder } from '../../../measurement/files/ownFiles';

/** The study to write, and its contents. */
export interface StudyPlace {
  readonly directory: string;
  readonly study: string;
  readonly target: string;
  readonly phase?: string;
}

/** Writes a selection. @param id id of the plan of its run; empty without a run */
export async function writeSelection(folder: string, { decisions }: Selection, id: string): Promise<void> {
  await makeOwnFolder(folder);
  await writeFileAtomically(
    path.join(folder, 'selection.json'),
    `${JSON.stringify({ kymoSelection: 1, id, decisions: [...decisions.values()] })}\n`,
  );
}

/** Stores the measured sources. Must be called right after the build, before they are edited during the runs. */
export async function keepSources(directory: string, { graph, builds }: Prepared): Promise<void> {
  if (builds === 0 && (await hasSources(directory))) return;
  await writeSources(
    directory,
    graph.functions.flatMap(({ file, hasBody, isSystem }) =>
      file === undefined || !hasBody || isSystem ? [] : [file],
    ),
  );
}

/** Finds the properties of the typical run of a round, and writes them. */
export async function writeProperties(
  directory: string,
  { run }: Pick<LoopState, 'run'>,
  { whyNotRecorded }: Pick<Prepared, 'whyNotRecorded'>,
): Promise<readonly Property[]> {
  const properties = findProperties({ ...run, ...present({ whyNotRecorded }) });
  await writeFileAtomically(
    path.join(directory, 'properties.json'),
    `${JSON.stringify({ properties }, undefined, 1)}\n`,
  );
  return properties;
}

/** Outputs of a refinement, even if cancelled or failed after a round: the final selection, by function and as a filter. */
export async function writeFinal(
  place: StudyPlace,
  state: LoopState,
  { selection, measured }: FinalSelection,
  prepared: Pick<Prepared, 'sites' | 'inlinedToo' | 'whyNotRecorded' | 'reserve'>,
): Promise<{
  readonly functions: readonly FunctionRow[];
  readonly filter: string;
  /** Number of the final selection when no round measured it. */
  readonly finalIteration: number | undefined;
}> {
  const { directory, study, target } = place;
  const functions = functionTable({ ...state, selection }, prepared);
  await writeFunctions(directory, functions);
  const filter = path.join(directory, 'scorep.filter');
  const title = `Written by Kymo for ${target}: the final selection of ${study}`;
  const selected = functions.filter((f) => f.selected);
  await writeFileAtomically(filter, writeFilter(selected, title, phaseRegions(place, functions)));
  const next = state.iterations.length;
  if (!measured) await writeSelection(roundDirectory(directory, next), selection, '');
  return { functions, filter, finalIteration: measured ? undefined : next };
}

/** The regions of a phase that is marked in the source, which `EXCLUDE *` must not exclude. */
function phaseRegions({ phase }: StudyPlace, functions: readonly FunctionRow[]): readonly string[] {
  return phase === undefined || functions.some((f) => f.decision?.rule === 'phase') ? [] : [phase];
}
