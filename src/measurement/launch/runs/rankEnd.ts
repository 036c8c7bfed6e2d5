import { constants } from 'node:os';
import type { Launcher } from '../../config/config';
import type { ProcessEnd } from '../process';

/** Texts of strsignal(3) that srun prints. */
const spelled: Readonly<Record<string, NodeJS.Signals>> = {
  Aborted: 'SIGABRT',
  'Segmentation fault': 'SIGSEGV',
  'Floating point exception': 'SIGFPE',
  'Bus error': 'SIGBUS',
  'Illegal instruction': 'SIGILL',
  Killed: 'SIGKILL',
  Terminated: 'SIGTERM',
};

/**
 * How the program ended, where a launcher tells only how it ended itself.
 * @param printed the last part of what launcher and ranks printed
 */
export function rankEnd(end: ProcessEnd, launcher: Launcher['kind'], printed: string): ProcessEnd {
  if (launcher === 'local' || end.kind !== 'exit' || end.status === 0) return end;
  const told = launcher === 'slurm' ? firstTask(printed) : hydraSignal(printed);
  return told ?? fromShell(end.status) ?? end;
}

/** srun's status is the highest of all ranks, and those that it ends itself have 143: the first message names the cause. */
function firstTask(printed: string): ProcessEnd | undefined {
  const [, words = ''] =
    /^srun: error: \S+: tasks? [\d,-]+: (.+?)(?: \(core dumped\))?$/m.exec(printed) ?? [];
  const [, status] = /^Exited with exit code (\d+)/.exec(words) ?? [];
  if (status !== undefined) return fromShell(Number(status)) ?? { kind: 'exit', status: Number(status) };
  const signal = spelled[words];
  return signal === undefined ? undefined : { kind: 'signal', signal };
}

/** Hydra's status of a crash is the number of the signal, as if the program had returned it. */
function hydraSignal(printed: string): ProcessEnd | undefined {
  const [, number] = /TERMINATED WITH THE EXIT STRING: .*\(signal (\d+)\)/.exec(printed) ?? [];
  return number === undefined ? undefined : fromShell(128 + Number(number));
}

/** Shells and most launchers report a death by a signal as status 128 + its number. */
function fromShell(status: number): ProcessEnd | undefined {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  const [signal] = names.find(([, number]) => number === status - 128) ?? [];
  return signal === undefined ? undefined : { kind: 'signal', signal };
}
