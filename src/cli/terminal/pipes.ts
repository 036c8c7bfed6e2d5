/**
 * A reader that has seen enough (`| head -1`) closes the pipe: what was started still ends as it should, only nobody reads the
 * rest. Other failures to write (a full disk behind `>`) end with status 1.
 */
export function survivePipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`kymo: cannot write the result to stdout: ${error.message}\n`);
  });
  // Nowhere is left to complain to.
  process.stderr.on('error', () => undefined);
}
