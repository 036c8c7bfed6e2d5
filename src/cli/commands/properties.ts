import type { Command } from 'commander';
import { findProperties } from '../../core/problems/findProperties';
import { bySeverity, severityOf, type Property } from '../../core/properties/property';
import { runDoubts } from '../../workflows/studies/runDoubts';
import { asMeasured } from '../../workflows/studies/profileOrigin';
import { expectedModels } from '../../workflows/expectedModels';
import { readParameterStudy } from '../../workflows/study/parameterStudyFile';
import { readProfileInput } from '../arguments/inputs';
import type { CliContext, CommandResult, RegisterCommand } from '../execution/context';
import { nonNegative } from '../arguments/options';
import { propertyRows } from '../terminal/propertyRows';
import { rowsText } from '../terminal/table';

interface PropertyFlags {
  readonly threshold?: number;
  readonly failAbove?: number;
}

/** `kymo properties`: lists the findings in profiles, experiments or studies. */
export const registerProperties: RegisterCommand = (program, run) => {
  program
    .command('properties <file...>')
    .description(
      'lists the findings of a profile, an experiment, a study, or a study over parameters, the most severe first',
    )
    .option(
      '--threshold <percent>',
      'exclusive share of the run time from which a function is a hot spot',
      nonNegative,
    )
    .option('--fail-above <percent>', 'exit with status 3 when a finding is more severe', nonNegative)
    .action(async (files: readonly string[], _: unknown, command: Command) => {
      await run((context) => properties(files, command.opts<PropertyFlags>(), context));
    });
};

async function properties(
  files: readonly string[],
  flags: PropertyFlags,
  context: CliContext,
): Promise<CommandResult> {
  const all: Property[] = [];
  const notes = new Set<string>();
  for (const given of files) {
    const own = (await readParameterStudy(given))
      ? (await expectedModels({ paths: [given], only: 'properties' }, context)).properties
      : await ofProfile(given, flags, notes);
    all.push(...(files.length === 1 ? own : own.map((property) => ofFile(property, given))));
  }
  all.sort(bySeverity);
  const limit = flags.failAbove;
  return {
    result: { properties: all, notes: [...notes] },
    text: [...notes, all.length === 0 ? 'Nothing found.' : rowsText(propertyRows(all))].join('\n'),
    limitExceeded: limit !== undefined && all.some((property) => severityOf(property) * 100 > limit),
  };
}

/** @param notes what makes the times mean little is added */
async function ofProfile(
  given: string,
  { threshold }: PropertyFlags,
  notes: Set<string>,
): Promise<readonly Property[]> {
  const { profile, origin } = await readProfileInput(given);
  for (const note of runDoubts(origin.experiment)) notes.add(note);
  return findProperties({
    ...asMeasured(profile, origin),
    ...(threshold === undefined ? {} : { thresholds: { hotSpotShare: threshold / 100 } }),
  });
}

/** Ids are unique in one profile only; the file's name makes them unique among several. */
function ofFile(property: Property, file: string): Property {
  const { id, refines, ...rest } = property;
  return {
    id: `${file}#${id}`,
    ...rest,
    ...(refines === undefined ? {} : { refines: `${file}#${refines}` }),
  };
}

export function propertyTable(findings: readonly Property[]): string {
  return rowsText(propertyRows(findings));
}
