import type { Command } from 'commander';
import { runAgentProcess, runInner } from '../../../workflows/agents/runAgentProcess';
import type { CliContext, CommandResult, RegisterCommand } from '../../execution/context';

interface Flags {
  readonly inner?: boolean;
  readonly orders?: string;
}

/** Kymo starts it, users do not: not in the help. */
export const registerAgent: RegisterCommand = (program: Command, run) => {
  program
    .command('agent', { hidden: true })
    .description('watches the processes of a run on this host for the Kymo that has started it')
    .option('--inner', 'be a process between agents and that Kymo')
    .option('--orders <file>', 'file with orders for the agents of all nodes (default: standard input)')
    .action((flags: Flags) => run((context) => agent(flags, context)));
};

async function agent({ inner, orders }: Flags, { signal }: CliContext): Promise<CommandResult> {
  const why =
    inner === true
      ? await runInner([process.execPath, process.argv[1] ?? '', 'agent', '--inner'], process.env)
      : await runAgentProcess({
          orders: orders ?? '-',
          environment: process.env,
          input: process.stdin,
          signal,
        });
  return { result: { ended: why }, text: why };
}
