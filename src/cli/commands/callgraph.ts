import type { Command } from 'commander';
import { version } from '../../../package.json';
import { KymoError } from '../../core/errors';
import { writeMetaCg } from '../../formats/metacg/write';
import { makeCallGraph } from '../../workflows/callgraph';
import type { CliContext, CommandResult } from '../execution/context';
import { writeWhole } from '../arguments/inputs';
import type { RegisterCommand } from '../execution/context';

interface Flags {
  readonly output?: string;
  readonly format: string;
}

export const registerCallGraph: RegisterCommand = (program: Command, run) => {
  program
    .command('callgraph <path...>')
    .description(
      'writes the call graph of sources, a compile_commands.json or a build as MetaCG JSON; starts the compilers that the file names',
    )
    .option('--output <file>', 'file for the graph')
    .option('--format <version>', 'version of MetaCG: 2 or 4', '2')
    .action((paths: string[], flags: Flags) => run((context) => callGraph(paths, flags, context)));
};

async function callGraph(
  paths: readonly string[],
  flags: Flags,
  context: CliContext,
): Promise<CommandResult> {
  const format = flags.format === '2' ? 2 : flags.format === '4' ? 4 : undefined;
  if (format === undefined) {
    throw new KymoError('usage', `--format needs 2 or 4, not “${flags.format}”.`);
  }
  const { workspace, signal, progress } = context;
  const { graph, summary, notes } = await makeCallGraph({ paths, workspace, signal, progress });
  for (const note of notes) progress.log(`not analysed: ${note}`);
  const { output } = flags;
  if (output !== undefined) writeWhole(output, [writeMetaCg(graph, { format, generatorVersion: version })]);
  const lines = [
    `${summary.nodes} functions with ${summary.statements} statements, ${summary.edges} calls (${summary.virtualEdges} virtual, ${summary.pointerEdges} through pointers)`,
    ...(notes.length === 0 ? [] : [`${notes.length} compilations could not be analysed`]),
    ...(output === undefined ? ['Give --output FILE to keep the graph.'] : [`Written to ${output}`]),
  ];
  return { result: summary, text: lines.join('\n') };
}
