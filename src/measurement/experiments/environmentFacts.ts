import { hostname } from 'node:os';
import type { Experiment } from '../../core/profile/experiment';
import { headCommit, isDirty } from './gitState';

/** Facts about where an experiment is made, taken once per study. */
export interface EnvironmentFacts extends Pick<Experiment, 'host' | 'compiler' | 'git'> {
  readonly host: string;
}

/**
 * Facts of a workspace whose commands the user has agreed to run, because this runs git.
 * @param compiler family and version of the compiler
 */
export async function environmentFacts(
  workspace: string,
  compiler: string,
  signal?: AbortSignal,
): Promise<EnvironmentFacts> {
  const commit = await headCommit(workspace);
  const dirty = commit === undefined ? undefined : await isDirty(workspace, signal);
  return {
    host: hostname(),
    compiler,
    ...(commit === undefined || dirty === undefined ? {} : { git: { commit, dirty } }),
  };
}
