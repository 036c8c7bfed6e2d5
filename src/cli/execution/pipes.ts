/**
 * A reader such as `| head -1` closes the pipe early. The command still ends normally, and the rest of its output is lost. Other failures
 * to write (a full disk behind `>`) end it with status 1.
 */
export function survivePipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`kymo: cannot write the result to stdout: ${error.message}\n`);
  });
  // There is no stream left for a message.
  process.stderr.on('error', () => undefined);
}
