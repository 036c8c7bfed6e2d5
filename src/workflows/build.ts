import path from 'node:path';
import { silent, type ProgressSink } from '../core/progress';
import { usualBuild, usualStatements } from '../measurement/backends/common/buildSteps';
import { backendOf } from '../measurement/backends/backends';
import { studyDirectory } from '../measurement/experiments/studies';
import { lockStudy } from '../measurement/experiments/studyLock';
import { measurableTarget } from './targets/measurableTarget';

export interface BuildProgramOptions {
  readonly workspace: string;
  /** Name of the target; default: the first. */
  readonly target?: string;
  readonly signal: AbortSignal;
  readonly progress?: ProgressSink;
}

/** A program that is ready for measurement. */
export interface BuildProgramResult {
  readonly target: string;
  /** Absolute path. */
  readonly executable: string;
  /** Number of functions in the call graph; the next field is the number of recordable ones. */
  readonly functionsKnown: number;
  readonly functionsWithSites: number;
  /** Wall time; files that are up to date are not built again. */
  readonly buildSeconds: number;
  readonly notes: readonly string[];
}

/**
 * Builds the target with patch points, without a run: to check the build, or to run the program elsewhere.
 * @throws KymoError for all errors that a user can fix
 */
export async function buildProgram(options: BuildProgramOptions): Promise<BuildProgramResult> {
  const { signal, progress = silent } = options;
  const { workspace, target } = await measurableTarget(options);
  // Two builds in one folder would spoil each other; a refinement holds the same lock.
  const lock = await lockStudy(path.dirname(studyDirectory(workspace, target.name, 'build')));
  try {
    const notes = new Set<string>();
    const { executable, buildSeconds, graph, sites } = await backendOf(target).prepare({
      workspace,
      target,
      ...usualBuild,
      minimumStatements: await usualStatements(workspace, target.name),
      signal,
      progress,
      note: (sentence) => void notes.add(sentence),
    });
    return {
      target: target.name,
      executable,
      functionsKnown: graph.functions.length,
      functionsWithSites: sites.size,
      buildSeconds,
      notes: [...notes],
    };
  } finally {
    await lock.release();
  }
}
