import type { Command } from 'commander';
import type { ProgressSink } from '../../core/progress';

/** What every command gets: where to write, how to stop, and the options that all commands share. */
export interface CliContext {
  readonly json: boolean;
  /** Absolute path of the workspace (`--workspace`, default: the current folder). */
  readonly workspace: string;
  /** `--target`, if given. */
  readonly target?: string;
  /** Aborted by Ctrl-C; everything that was started must end with it. */
  readonly signal: AbortSignal;
  /** Progress and logs; goes to stderr. */
  readonly progress: ProgressSink;
  /** Writes text to stdout. Commands use `finish` instead for their result. */
  readonly print: (text: string) => void;
}

/** How a command ends. `limitExceeded`: done, and something exceeded a limit given with `--fail-above` (exit status 3, or its own). */
export interface CommandResult {
  /** Exactly what `--json` prints. */
  readonly result: unknown;
  /** What a person reads instead. */
  readonly text: string;
  readonly limitExceeded?: boolean;
  /** Of a command whose interface says another than 3. */
  readonly exceededStatus?: number;
}

/** A command's work; throws `KymoError` for what a user can mend. */
export type CommandAction = (context: CliContext) => Promise<CommandResult>;

/** Adds one command to the program; each file in `commands/` exports one of these. */
export type RegisterCommand = (program: Command, run: (action: CommandAction) => Promise<void>) => void;
