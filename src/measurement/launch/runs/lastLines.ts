const mostLines = 6;

/** A sentence with the last lines that the program printed, without control characters, and without what launchers say about its end. */
export function lastLines(printed: string): string {
  const lines = printed
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const own = withoutLaunchers(lines);
  const last = (own.length > 0 ? own : lines).slice(-mostLines).map((line) => `  ${line.slice(0, 300)}`);
  return last.length === 0 ? ' It printed nothing.' : ` It printed last:\n${last.join('\n')}`;
}

/** Edges of the boxes in which mpirun of Open MPI (`---`) and mpiexec of MPICH (`===`) explain that a process ended. */
const edge = /^(-{40,}|={40,})$/;
/** What their processes say outside of boxes. */
const notice =
  /^\[[\w.-]+:\d+\] (\d+ more process|Set MCA parameter|\*\*\* )|^YOUR APPLICATION TERMINATED WITH/;
const about = /\bMPI_ABORT\b|\bmpirun\b|\bmpiexec\b|BAD TERMINATION|job terminated|Primary job/i;

function withoutLaunchers(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const end = edge.test(line) ? lines.indexOf(line, at + 1) : -1;
    if (end > at && about.test(lines.slice(at, end).join('\n'))) at = end;
    else if (!notice.test(line)) kept.push(line);
  }
  return kept;
}
