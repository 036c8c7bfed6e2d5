import type { Command } from 'commander';
import type { ProgressSink } from '../../core/progress';

/** The context of every command: output, cancellation, and the common options. */
export interface CliContext {
  readonly json: boolean;
  /** Absolute path of the workspace (`--workspace`, default: the current folder, or the nearest one above it with a `kymo.json`). */
  readonly workspace: string;
  /** `--target`, if given. */
  readonly target?: string;
  /** Aborted by Ctrl-C; everything that the command started must end then. */
  readonly signal: AbortSignal;
  /** Receives progress and logs, and prints them to stderr. */
  readonly progress: ProgressSink;
}

/** Result of a command. `limitExceeded`: the command succeeded, and a value exceeded the limit of `--fail-above` (exit status 3). */
export interface CommandResult {
  /** Exactly what `--json` prints. */
  readonly result: unknown;
  /** The printed text without `--json`. */
  readonly text: string;
  readonly limitExceeded?: boolean;
  /** Exit status of a command that was done and found what is not in order: 1, or 4 where points of a study failed. */
  readonly status?: number;
}

/** The work of a command; throws `KymoError` for errors that a user can fix. */
export type CommandAction = (context: CliContext) => Promise<CommandResult>;

/** Adds one command to the program; each file in `commands/` exports one of these. */
export type RegisterCommand = (
  program: Command,
  run: (action: CommandAction, manner?: ActionManner) => Promise<void>,
) => void;

export interface ActionManner {
  /** The command goes on when its terminal is closed: what it does is watched from elsewhere, and its result is on disk. */
  readonly outlivesTerminal?: boolean;
  /** False: the command works in the current folder, whatever is above it. */
  readonly searchesParents?: boolean;
}
