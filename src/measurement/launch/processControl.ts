import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { guardGroup, signalProcesses } from './processGroup';
import type { LauncherReport } from './launcherReport';

/** Ends a started program and its descendants. */
export interface ProcessControl {
  /** Asks all processes to end (SIGTERM). */
  ask(): void;
  /** Kills the remaining processes (SIGKILL); with `all`, also those that moved to other groups. */
  kill(all: boolean): void;
  /** Ends the control. */
  release(): void;
}

/** Control of a program that this process started itself, in a session of its own. */
export function groupControl(pid: number): ProcessControl {
  const release = guardGroup(pid);
  return {
    ask: () => signalProcesses(pid, 'SIGTERM', true),
    kill: (all) => signalProcesses(pid, 'SIGKILL', all),
    release,
  };
}

/** Controls a program below the launcher, which ends all processes when the channel to this process closes for any reason. */
export function launcherControl(
  launcher: number,
  channel: Duplex | undefined,
  report: LauncherReport,
): ProcessControl {
  return {
    ask: () => channel?.end(),
    kill: () => {
      // The launcher has waited for all of them: other processes may have their ids now.
      if (report.cpuSeconds !== undefined) return;
      signalProcesses(launcher, 'SIGKILL', true);
      if (report.pid !== undefined) signalProcesses(report.pid, 'SIGKILL', true);
    },
    release: () => channel?.end(),
  };
}

/** The launcher's socket, on the child's descriptor 3. */
export function channelOf(child: ChildProcess): Duplex | undefined {
  const channel = child.stdio[3];
  return channel !== undefined && channel !== null && 'write' in channel && 'read' in channel
    ? (channel as Duplex)
    : undefined;
}
