import { readFileSync } from 'node:fs';

/** Fields of proc_pid_stat(5) from the third one (the state) on; empty where the system does not show them. */
export function processFields(pid: number | string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the command's name, may itself contain blanks and parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** The boot's id and the process's start in clock ticks since then; empty where the system does not show it. */
export function processStart(pid: number): string {
  const ticks = processFields(pid)[19];
  try {
    return ticks === undefined
      ? ''
      : `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${ticks}`;
  } catch {
    return '';
  }
}

/** Whether no process with this id runs. A zombie still has its id, but does not run. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return true;
  }
  return ['Z', 'X'].includes(processFields(pid)[0] ?? '');
}
