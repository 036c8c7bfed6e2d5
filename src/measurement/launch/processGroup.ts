import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { processFields } from '../files/processIdentity';

/**
 * Signals the process group `leader`; with `session`, also the processes of its session in other groups, such as
 * the ranks below `mpirun`.
 */
export function signalProcesses(leader: number, signal: 'SIGTERM' | 'SIGKILL', session: boolean): void {
  signalOne(-leader, signal);
  if (session && process.platform === 'linux') {
    for (const member of membersOfSession(leader)) signalOne(member, signal);
  }
}

function signalOne(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // The group has already ended.
  }
}

function membersOfSession(leader: number): number[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.filter((name) => /^\d+$/.test(name) && processFields(name)[3] === String(leader)).map(Number);
}

const guardScript = `
if read -r released; then exit 0; fi
kill -s TERM -- "-$1" 2>/dev/null || exit 0
sleep 1
kill -s KILL -- "-$1" 2>/dev/null
`;

/**
 * Ends the group if this process dies without cleaning up (SIGKILL, a crash of the editor): a shell waits for a pipe whose
 * other end only this process has. Returns the function that releases the guard.
 */
export function guardGroup(leader: number): () => void {
  const guard = spawn('/bin/sh', ['-c', guardScript, 'kymo-guard', String(leader)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => {
    guard.stdin.end('released\n');
  };
}
