import { KymoError } from '../../core/errors';
import { visibleControls } from '../../core/names/visibleControls';
import type { DraftLauncher } from '../init/asking/draft';
import { readLauncher } from './launcherWords';

/** A run as it was typed: what stands behind `kymo refine --`. */
export interface TypedRun {
  /** Default: the program is started directly. */
  readonly launcher?: DraftLauncher;
  /** As it was typed. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** What may be wrong with the program, if it is not found. */
  readonly hint: string;
}

/**
 * Divides the words of a run. Those behind the program are its own, whatever they look like.
 * @throws KymoError `usage` if they name no program, or no number of ranks
 */
export function readRun(words: readonly string[], environment: NodeJS.ProcessEnv = process.env): TypedRun {
  const damaged = words.find((word) => word.includes('\ufffd'));
  if (damaged !== undefined)
    throw new KymoError(
      'usage',
      `${JSON.stringify(damaged)} is no UTF-8 text, so it cannot be passed on as it is. Rename the file, or use a link to it.`,
    );
  const { launcher, rest, doubtful } = readLauncher(words, environment) ?? { rest: words };
  const [program = '', ...others] = rest;
  if (program === '' || program.startsWith('-'))
    throw new KymoError(
      'usage',
      `${program === '' ? 'Which program' : `“${visibleControls(program)}” is no program, so which one`}? Write it and its arguments behind “--”: kymo refine -- ./program arguments.`,
    );
  const hint =
    doubtful === undefined
      ? ''
      : ` If “${visibleControls(program)}” is the value of the option ${visibleControls(doubtful)}, write ${visibleControls(doubtful)}=${visibleControls(program)}.`;
  return { program, arguments: others, hint, ...(launcher === undefined ? {} : { launcher }) };
}
