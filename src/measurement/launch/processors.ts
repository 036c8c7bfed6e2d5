import { readFileSync } from 'node:fs';

/** Numbers of the processors that this process and its descendants may use; empty where the system does not list them. */
export function allowedProcessors(status = readStatus()): readonly number[] {
  const [, list = ''] = /^Cpus_allowed_list:\s*([\d,-]+)$/m.exec(status) ?? [];
  return list.split(',').flatMap((part) => {
    const [first = NaN, last = first] = part.split('-').map(Number);
    return first >= 0 && part !== ''
      ? Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
      : [];
  });
}

/** See proc_pid_status(5). */
function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
