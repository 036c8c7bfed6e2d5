import { endWords } from '../../../measurement/launch/endWords';
import { present } from '../../../core/present';
import { chmod, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import { silent, type ProgressSink } from '../../../core/progress';
import { launcherProgram } from '../../../measurement/launch/launcherProgram';
import { runProcess, type ProcessEnd } from '../../../measurement/launch/process';
import { scratchFolder } from '../../../measurement/files/leftovers';
import { oneLine, shellWord } from './draft';
import { copyTree } from './treeCopy';

export interface AskingOptions {
  /** False: only read files, and start no program. */
  readonly run?: boolean;
  readonly signal?: AbortSignal;
  readonly progress?: ProgressSink;
}

export interface Reply {
  readonly output: string;
  /** Reason why the command failed. */
  readonly problem?: string;
}

const mostOutputBytes = 32 << 20;
/** Maximum size of a reply; any reply about a real program is smaller. */
const mostReplyBytes = 64 << 20;

/** A copy of the workspace in which its build system is queried. It is removed afterwards, and the workspace stays unchanged. */
export class Asking {
  private constructor(
    private readonly scratch: string,
    /** The copy of the workspace: absolute, without symbolic links. */
    readonly folder: string,
    /** The original of the copy: the workspace, or a folder above it that its build refers to. */
    readonly root: string,
    /** The original folder. */
    private readonly original: string,
    private readonly options: AskingOptions,
  ) {}

  /**
   * @param top the folder to copy: `workspace` or a folder above it
   * @throws KymoError `tree-too-large` or `cancelled`
   */
  static async in<Result>(
    workspace: string,
    top: string,
    options: AskingOptions,
    work: (asking: Asking) => Promise<Result>,
  ): Promise<Result> {
    const scratch = await realpath(await scratchFolder('init'));
    try {
      const root = path.join(scratch, 'copy');
      options.progress?.report({ message: `copying ${top}` });
      await copyTree(top, root, options.signal);
      return await work(
        new Asking(scratch, path.join(root, path.relative(top, workspace)), root, top, options),
      );
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Runs a command in a folder of the copy, with messages in English. Both output streams are combined, in their order. */
  async run(argv: readonly string[], seconds: number, cwd = ''): Promise<Reply> {
    const { signal, progress = silent } = this.options;
    const shown = argv.map(shellWord).join(' ');
    progress.report({ message: shown.slice(0, 100) });
    progress.log(`$ ${shown}   (in a copy of the folder)`);
    const launcher = await launcherProgram();
    const { end, stdout } = await runProcess(
      { argv: ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...argv] },
      {
        cwd: path.join(this.folder, cwd),
        env: this.environment(),
        timeoutSeconds: seconds,
        maximumOutputBytes: mostOutputBytes,
        ...present({ signal, launcher }),
      },
    );
    if (end.kind === 'aborted') throw new KymoError('cancelled', 'Looking for the build was cancelled.');
    const problem = problemOf(end, stdout)?.replaceAll(this.root, this.original);
    return problem === undefined
      ? { output: stdout }
      : { output: stdout, problem: `${argv[0] ?? ''} ${problem}` };
  }

  /** Adds a program with this name that starts another one, for the commands that the copy runs. */
  async addProgram(name: string, command: string): Promise<void> {
    const file = path.join(this.programs, name);
    await mkdir(this.programs, { recursive: true });
    await writeFile(file, `#!/bin/sh\nexec ${command} "$@"\n`);
    await chmod(file, 0o755);
  }

  /** Text of a file of the copy; undefined when it is not there or far too long. */
  async read(file: string): Promise<string | undefined> {
    try {
      const absolute = path.join(this.folder, file);
      return (await stat(absolute)).size > mostReplyBytes ? undefined : await readFile(absolute, 'utf8');
    } catch {
      return undefined;
    }
  }

  /** A path of a command that ran in `cwd` (both absolute or relative to the workspace), relative to the workspace. */
  relative(file: string, cwd = this.folder): string {
    return path.relative(this.folder, path.resolve(this.folder, cwd, file));
  }

  private get programs(): string {
    return path.join(this.scratch, 'bin');
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      PATH: [this.programs, process.env.PATH ?? ''].join(path.delimiter),
      LC_ALL: 'C',
      KYMO_WRAPPER: 'off',
      GIT_TERMINAL_PROMPT: '0',
      // Kymo itself may run in a make, whose variables must not have an effect.
      MAKEFLAGS: undefined,
      MFLAGS: undefined,
      MAKELEVEL: undefined,
    };
  }
}

function problemOf(end: ProcessEnd, output: string): string | undefined {
  if (end.kind !== 'exit') return endWords(end);
  if (end.status === 0) return undefined;
  const cause = causeIn(output);
  return `${endWords(end)}${cause === '' ? '' : `: ${cause}`}`;
}

/** The failure that make or a shell reports, else the first lines with "error", else the last lines. */
function causeIn(output: string): string {
  // References to log files are useless, because the copy is removed.
  const lines = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^See also|full log can/.test(line));
  const failed = lines.filter((line) =>
    /(: |command )not found$|: No such file or directory$|^\S*make(\[\d+\])?: (\*\*\*|Failed)/.test(line),
  );
  const first = lines.findIndex((line) => /\berror\b/i.test(line));
  const others = first < 0 ? lines.slice(-3) : lines.slice(first, first + 4);
  return oneLine((failed.length > 0 ? failed.slice(0, 3) : others).join(' ')).slice(0, 400);
}
