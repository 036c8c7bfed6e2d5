import { Command } from 'commander';
import { version } from '../../package.json';
import { registerAccept } from './commands/accept';
import { registerAgent } from './commands/watching/agent';
import { registerCallGraph } from './commands/callgraph';
import { registerCompletion } from './commands/completion';
import { registerDiagnose } from './commands/diagnose';
import { registerDoctor } from './commands/doctor';
import { registerDynamics } from './commands/dynamics';
import { registerEfficiency } from './commands/efficiency';
import { registerFilter } from './commands/filter';
import { registerInit } from './commands/init';
import { registerMcp } from './commands/mcp';
import { registerMeasure } from './commands/measure';
import { registerCompare } from './commands/compare';
import { registerGate } from './commands/gate';
import { registerGroups } from './commands/groups';
import { registerModel } from './commands/model';
import { registerPin, registerPins } from './commands/pin';
import { registerProfile } from './commands/profile';
import { registerProperties } from './commands/properties';
import { registerRefine } from './commands/refine';
import { registerReport } from './commands/report';
import { registerRun } from './commands/watching/run';
import { registerSelect } from './commands/select';
import { registerStudy } from './commands/study';
import { registerTrace } from './commands/trace';
import { registerWatch } from './commands/watching/watch';
import type { RegisterCommand } from './execution/context';
import { completeHelp } from './terminal/help/fullHelp';
import { runAction } from './execution/runAction';
import { inWorkspace } from './arguments/workspace';

/** All commands, in the order of the help text. */
const commands: readonly RegisterCommand[] = [
  registerDoctor,
  registerInit,
  registerRefine,
  registerAccept,
  registerPin,
  registerPins,
  registerMeasure,
  registerRun,
  registerWatch,
  registerStudy,
  registerProfile,
  registerCallGraph,
  registerProperties,
  registerEfficiency,
  registerDiagnose,
  registerDynamics,
  registerCompare,
  registerGate,
  registerGroups,
  registerTrace,
  registerModel,
  registerReport,
  registerSelect,
  registerFilter,
  registerMcp,
  registerCompletion,
  registerAgent,
];

/** Receives the parser's own texts: help, version, and complaints about wrong usage. */
export interface ParserOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/**
 * The command line that docs/INTERFACES.md specifies. Common options may be given before or after the command. The parser throws
 * commander's `CommanderError` for wrong usage, and after `--help`.
 */
export function createProgram(
  output: ParserOutput,
  registered: readonly RegisterCommand[] = commands,
): Command {
  const program = new Command('kymo');
  program
    .description(
      'Selects the functions to measure in C, C++ and Fortran programs, measures them, and ties the results to lines of source.',
    )
    .version(version)
    .option('--json', 'print exactly one JSON document on stdout')
    .option('--target <name>', 'target of kymo.json (default: the first)')
    .option(
      '--workspace <dir>',
      'folder with kymo.json (default: the current folder, or the nearest one above it with a kymo.json)',
    )
    // Subcommands have the common options, too.
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: output.out, writeErr: output.error })
    .exitOverride();
  for (const register of registered) {
    register(program, (action, manner) => {
      const options = program.opts<{ json?: boolean; target?: string; workspace?: string }>();
      return runAction(inWorkspace(action, options.workspace, manner?.searchesParents !== false), {
        json: options.json === true,
        ...(options.target === undefined ? {} : { target: options.target }),
        ...manner,
      });
    });
  }
  completeHelp(program);
  return program;
}
