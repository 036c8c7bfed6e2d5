import { spawn } from 'node:child_process';
import type { StartProcess } from '../../../src/overlay/network/starting';

export interface LocalStarterOptions {
  /** Leaves of the layout are inner processes: back ends come later. */
  readonly attach?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly onStart?: (rank: number, pid: number) => void;
}

/** Starts processes of the network on this machine, with a bundle of `agent.main.ts`. */
export function localStarter(
  script: string,
  { attach = false, environment = {}, onStart }: LocalStarterOptions = {},
): StartProcess {
  return (node, invited) => {
    const role = attach || node.children.length > 0 ? 'inner' : 'back-end';
    const child = spawn(process.execPath, ['--max-semi-space-size=8', script], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...environment,
        ...invited,
        KYMO_TEST_ROLE: role,
        KYMO_TEST_ATTACH: attach ? 'yes' : 'no',
        // For tests that have to find a process among those of the machine.
        KYMO_TEST_RANK: String(node.rank),
      },
    });
    if (child.pid !== undefined) onStart?.(node.rank, child.pid);
    return {
      ended: new Promise((resolve) => {
        child.once('error', (error) => resolve(error.message));
        child.once('exit', (code, signal) =>
          resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`),
        );
      }),
      kill: () => void child.kill('SIGKILL'),
    };
  };
}
