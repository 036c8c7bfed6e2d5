import { hostname } from 'node:os';
import { runProcess } from '../launch/process';
import type { Experiment } from './experiment';

/** Facts about where an experiment is made, taken once per study. */
export interface EnvironmentFacts extends Pick<Experiment, 'host' | 'compiler' | 'git'> {
  readonly host: string;
}

/**
 * @param compiler family and version of the compiler, as the toolchain tells them
 */
export async function environmentFacts(
  workspace: string,
  compiler: string,
  signal?: AbortSignal,
): Promise<EnvironmentFacts> {
  const git = await gitState(workspace, signal);
  return { host: hostname(), compiler, ...(git === undefined ? {} : { git }) };
}

/** Settings of a repository that could start programs are switched off. */
const noPrograms = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '--no-optional-locks'];

/** Commit, and whether tracked files differ from it; undefined outside of a repository or without git. */
async function gitState(
  workspace: string,
  signal: AbortSignal | undefined,
): Promise<Experiment['git'] | undefined> {
  const git = async (...rest: readonly string[]): Promise<string | undefined> => {
    const { end, stdout } = await runProcess(
      { argv: ['git', ...noPrograms, ...rest] },
      {
        cwd: workspace,
        timeoutSeconds: 10,
        maximumOutputBytes: 4096,
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
        ...(signal === undefined ? {} : { signal }),
      },
    );
    return end.kind === 'exit' && end.status === 0 ? stdout : undefined;
  };
  const commit = (await git('rev-parse', '--verify', 'HEAD'))?.trim();
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
  const changes = await git('status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty');
  return changes === undefined ? undefined : { commit, dirty: changes.trim() !== '' };
}
