import path from 'node:path';
import { silent, type ProgressSink } from '../core/progress';
import { usualBuild, usualStatements } from '../measurement/backends/common/buildSteps';
import { backendOf } from '../measurement/backends/backends';
import { studyDirectory } from '../measurement/experiments/studies';
import { lockStudy } from '../measurement/experiments/studyLock';
import { measurableTarget } from './measurableTarget';

export interface BuildProgramOptions {
  readonly workspace: string;
  /** Name of the target; default: the first. */
  readonly target?: string;
  readonly signal: AbortSignal;
  readonly progress?: ProgressSink;
}

/** A program that is ready to be measured. */
export interface BuildProgramResult {
  readonly target: string;
  /** Absolute. */
  readonly executable: string;
  /** Functions of the call graph, and how many of them can be recorded. */
  readonly functionsKnown: number;
  readonly functionsWithSites: number;
  /** Wall time; files that are up to date are not built again. */
  readonly buildSeconds: number;
  readonly notes: readonly string[];
}

/**
 * Builds the target with patch points and runs nothing: to check that it builds, or to run it elsewhere.
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
