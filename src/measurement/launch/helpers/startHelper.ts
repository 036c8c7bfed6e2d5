import { endWords } from '../endWords';
import { runProcess } from '../process';

/** A program of the tool that runs beside a job. */
export interface Helper {
  /** Settles when it has ended, with what is known of why. Never fails. */
  readonly ended: Promise<string>;
  /** Ends it, and what it has started on this host, within a second. */
  kill(): void;
}

export interface HelperOptions {
  /** Variables beside those of this process; the place for secrets of programs on this host. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Text of standard input; the place for secrets of programs on other hosts. */
  readonly input?: string;
}

const mostOutputBytes = 4096;
/** Of what it wrote, so much becomes part of a message. */
const mostWords = 300;

/** Starts a program, without a shell. It does not outlive this process. */
export function startHelper(
  argv: readonly [string, ...string[]],
  { environment = {}, input }: HelperOptions = {},
): Helper {
  const abort = new AbortController();
  const result = runProcess(
    { argv },
    {
      env: { ...process.env, ...environment },
      input,
      signal: abort.signal,
      maximumOutputBytes: mostOutputBytes,
    },
  );
  return {
    ended: result.then(({ end, stderr }) => {
      const words = stderr.trim().slice(-mostWords);
      return `${argv[0]} ${endWords(end)}${words === '' ? '' : `: ${words}`}`;
    }),
    kill: () => abort.abort(),
  };
}
