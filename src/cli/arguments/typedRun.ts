import { realpathSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { KymoError } from '../../core/errors';
import { visibleControls } from '../../core/names/visibleControls';
import type { Launcher, Target } from '../../measurement/config/config';
import { substitute } from '../../measurement/config/substitute';
import { shellWord } from '../../workflows/init/asking/draft';
import { writeConfig, type ProposedConfig } from '../../workflows/init';
import type { RefineOptions } from '../../workflows/refine/refineOptions';
import { findRun } from '../../workflows/runCommand';
import type { CliContext } from '../execution/context';

/** What a command does with the words behind `--`. */
export interface PreparedRun extends Pick<RefineOptions, 'target' | 'run'> {
  /** The `kymo.json` that was written. */
  readonly wrote?: string;
}

/**
 * Finds the target of the words behind `--`. Where there is no `kymo.json`, shows what would be in it, asks, and writes it.
 * @param isAccepted whether the question is answered already (`--yes`)
 * @throws KymoError `declined`; `usage` if nobody can be asked; and those of `findRun` and `writeConfig`
 */
export async function prepareRun(
  context: CliContext,
  words: readonly string[],
  isAccepted: boolean,
): Promise<PreparedRun> {
  const { workspace, progress, signal } = context;
  const here = folderOfWords(workspace, process.cwd());
  const found = await findRun({
    workspace,
    here,
    words,
    signal,
    progress,
    ...(context.target === undefined ? {} : { target: context.target }),
  });
  if (found.kind === 'target') {
    const { target, run } = found;
    progress.log(
      `Target ${target.name} of kymo.json: ${runLine({ ...target, run: { ...target.run, ...run } })}`,
    );
    return { target: target.name, run };
  }
  progress.log(proposalText(workspace, found.proposal, found.target));
  if (!isAccepted) await requireConsent(found.proposal, found.target, signal);
  const wrote = await writeConfig({ workspace, text: found.proposal.text });
  progress.log(`Wrote ${wrote}: from now on, “kymo refine” needs nothing else.`);
  return { wrote };
}

/** The current folder; with a `--workspace` somewhere else that one, as if the words were typed there. */
function folderOfWords(workspace: string, here: string): string {
  const isInside = path.relative(realpathSync(workspace), realpathSync(here)).split(path.sep)[0] !== '..';
  return isInside ? here : workspace;
}

function proposalText(workspace: string, { notes }: ProposedConfig, target: Target): string {
  const { build } = target;
  const lines = [
    `There is no kymo.json in ${workspace}. Kymo would write one with these commands, and run them in this folder:`,
    ...(build.clean === undefined ? [] : [`  clean: ${build.clean}`]),
    `  build: ${build.command}`,
    `  run:   ${runLine(target)}`,
    '${cc}, ${cxx} and ${fc} are the compilers with which Kymo measures.',
    ...notes.map((note) => `– ${note}`),
  ];
  return lines.map(visibleControls).join('\n');
}

function runLine({ executable, run }: Target): string {
  const folder = run.cwd === '.' ? '' : `   (in ${run.cwd})`;
  const words = [...launcherWords(run.launcher), executable, ...run.arguments];
  return visibleControls(`${words.map((word) => shellWord(substitute(word, {}))).join(' ')}${folder}`);
}

function launcherWords(launcher: Launcher): readonly string[] {
  switch (launcher.kind) {
    case 'local':
      return [];
    case 'template':
      return launcher.command.filter((word) => word !== '${program}');
    case 'mpirun':
    case 'slurm': {
      const name = launcher.kind === 'slurm' ? 'srun' : 'mpirun';
      return [name, '-n', launcher.ranks.join(','), ...launcher.arguments];
    }
  }
}

async function requireConsent(
  { file }: ProposedConfig,
  { build }: Target,
  signal: AbortSignal,
): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new KymoError(
      'usage',
      `${file} does not exist, and there is no terminal to ask whether to write it and to build with “${visibleControls(build.command)}”. If that is right, repeat the command with --yes before “--”. Nothing was written or run.`,
    );
  if (await isYes('Write kymo.json, build and measure like this? (y/n) ', signal)) return;
  throw new KymoError(
    'declined',
    'Nothing was written or run. To change the commands before they run: kymo init, and edit kymo.json.',
  );
}

/** Asks once; everything but yes is no, also the end of the input. */
async function isYes(question: string, signal: AbortSignal): Promise<boolean> {
  // Not as a terminal: Ctrl-C stays a signal.
  const lines = createInterface({ input: process.stdin, terminal: false });
  process.stderr.write(question);
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
      const cancel = (): void => reject(new KymoError('cancelled', 'Cancelled.'));
      signal.addEventListener('abort', cancel, { once: true });
    });
    return /^\s*y(es)?\s*$/i.test(answer);
  } finally {
    lines.close();
  }
}
