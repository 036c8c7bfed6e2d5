/** Options of srun that sbatch does not know, and of which it knows only others of the same name (`--wait`). */
const flags =
  /^(--(label|unbuffered|multi-prog|no-kill|exact|overlap|disable-status|quit-on-interrupt|pty)|-[luX])$/;
const valued =
  /^--(mpi|cpu-bind|accel-bind|kill-on-bad-exit|wait|input|error|output|epilog|prolog|task-epilog|task-prolog|slurmd-debug|msg-timeout|resv-ports|bcast|threads|het-group|export-file)$/;

export interface SlurmOptions {
  /** Of the job. Its runs inherit them (srun(1), input environment variables). */
  readonly sbatch: readonly string[];
  /** Of each run. */
  readonly srun: readonly string[];
}

/** Divides the launcher's `arguments`: most options are those of the job, some are srun's own. */
export function slurmOptions(words: readonly string[]): SlurmOptions {
  const sbatch: string[] = [];
  const srun: string[] = [];
  let next = sbatch;
  let takesValue = false;
  for (const word of words) {
    if (takesValue && !word.startsWith('-')) {
      next.push(word);
      takesValue = false;
      continue;
    }
    const [name = ''] = word.split('=', 1);
    next = flags.test(word) || valued.test(name) ? srun : sbatch;
    // A value of its own belongs to the option before it.
    takesValue = word.startsWith('-') && !word.includes('=') && !flags.test(word);
    next.push(word);
  }
  return { sbatch, srun };
}
