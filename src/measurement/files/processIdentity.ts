import { readFileSync } from 'node:fs';

/** Clock ticks from boot to the start of a process, with the boot's id; empty where the system does not tell. */
export function processStart(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const started = text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${started}`;
  } catch {
    return '';
  }
}

/** Whether no process has this id; one that was killed and that its parent has not asked for yet (a zombie) still has it, but is none. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return true;
  }
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return /^[ZX]/.test(text.slice(text.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
