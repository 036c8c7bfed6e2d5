import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { findBuild, type FindOptions } from './buildSystem';
import { targetNameOf, type Drafts, type TargetDraft } from './asking/draft';
import { piraArguments, type MappedArguments } from './piraArguments';
import { isRecord, stringsOf, type JsonObject } from './asking/json';

/** One benchmark item of a PIRA configuration, of either version. */
interface PiraItem {
  readonly name: string;
  /** Absolute path of the folder that is built. */
  readonly folder: string;
  readonly argmap?: JsonObject;
  /** Version 1: arguments without names. */
  readonly words?: readonly string[];
}

/**
 * Imports the builds and arguments of a PIRA configuration. Its functors are Python programs and cannot be read:
 * build command and program are looked for in the folder instead.
 * @throws KymoError `pira-invalid`
 */
export async function importPira(
  file: string,
  workspace: string,
  options: FindOptions = {},
): Promise<Drafts> {
  const config = await readPira(file);
  const notes: string[] = [];
  const items = isRecord(config.description)
    ? itemsOfVersion1(config.description, file, notes)
    : itemsOfVersion2(config, file, notes);
  if (items.length === 0)
    throw invalid(file, 'it has no "builds" with "items"; it must be a PIRA configuration of version 1 or 2');
  const targets: TargetDraft[] = [];
  for (const item of items) targets.push(await draft(item, workspace, options, notes));
  notes.push(
    'Not taken over, because Kymo does not need them: analyzer, cubes, mode, and the flavors (there is one build).',
  );
  return { targets, notes };
}

async function readPira(file: string): Promise<JsonObject> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw invalid(file, cause instanceof Error ? cause.message : String(cause), cause);
  }
  if (!isRecord(value)) throw invalid(file, 'it is no JSON object');
  return value;
}

function itemsOfVersion2(config: JsonObject, file: string, notes: string[]): readonly PiraItem[] {
  const aliases = isRecord(config.directories) ? config.directories : {};
  noteSubmitter(config, notes);
  if (!isRecord(config.builds)) return [];
  return Object.entries(config.builds).flatMap(([place, build]) => {
    if (!isRecord(build) || !isRecord(build.items)) return [];
    const alias = place.startsWith('%') ? aliases[place.slice(1)] : place;
    if (typeof alias !== 'string') {
      notes.push(`${place} is no key of "directories"; the folder of the configuration is taken for it.`);
    }
    const folder = resolved(typeof alias === 'string' ? alias : '.', file, notes);
    return Object.entries(build.items).flatMap(([name, item]): PiraItem[] => {
      if (!isRecord(item)) return [];
      noteFlavors(name, stringsOf(item.flavors), notes);
      if (item.functors !== undefined) noteFunctors(name, item.functors, notes);
      return [{ name, folder, ...(isRecord(item.argmap) ? { argmap: item.argmap } : {}) }];
    });
  });
}

function itemsOfVersion1(description: JsonObject, file: string, notes: string[]): readonly PiraItem[] {
  noteSubmitter(description, notes);
  if (!isRecord(description.builds)) return [];
  return Object.entries(description.builds).flatMap(([place, build]) => {
    if (!isRecord(build)) return [];
    const flavors = isRecord(build.flavors) ? build.flavors : {};
    const runs = isRecord(flavors.run) ? flavors.run : {};
    const builders = isRecord(flavors.builders) ? flavors.builders : {};
    return stringsOf(build.items).map((item): PiraItem => {
      const run = runs[item];
      const words = isRecord(run) ? stringsOf(run.args) : [];
      if (builders[item] !== undefined) noteFunctors(item, builders[item], notes);
      if (isRecord(run) && typeof run.submitter === 'string' && run.submitter !== '')
        notes.push(
          `${item}: its submitter is not taken over; for Slurm set "launcher" to {"kind": "slurm", "ranks": …}.`,
        );
      // Items are often written as paths.
      const folder = resolved(item.includes('/') ? item : place, file, notes);
      return { name: path.basename(item), folder, words };
    });
  });
}

async function draft(
  item: PiraItem,
  workspace: string,
  options: FindOptions,
  notes: string[],
): Promise<TargetDraft> {
  const built = await builtBy(item, options, notes);
  const cwd = within(workspace, item.folder);
  const mapped: MappedArguments =
    item.argmap === undefined
      ? { arguments: item.words ?? [], parameters: {} }
      : piraArguments(item.name, item.argmap, notes);
  const launcher =
    mapped.ranks === undefined ? built.launcher : ({ kind: 'mpirun', ranks: mapped.ranks } as const);
  return {
    name: targetNameOf(item.name),
    build: { ...built.build, ...(cwd === '.' ? {} : { cwd }) },
    executable: cwd === '.' ? built.executable : path.join(cwd, built.executable),
    arguments: mapped.arguments,
    parameters: mapped.parameters,
    ...present({ study: mapped.study }),
    ...(launcher === undefined ? {} : { launcher }),
  };
}

/** Settings that PIRA's functors compute, taken from the build system of the folder. */
async function builtBy(item: PiraItem, options: FindOptions, notes: string[]): Promise<TargetDraft> {
  const build = await findBuild(item.folder, options).catch((error: unknown) => {
    if (!(error instanceof KymoError) || error.reason !== 'program-unknown') throw error;
    notes.push(`${item.name}: ${error.message}`);
    return undefined;
  });
  const target = build?.targets.find(({ name }) => name === item.name) ?? build?.targets[0];
  if (build === undefined || target === undefined) {
    notes.push(
      `${item.name}: no build was found in ${item.folder}; correct "command" and "executable" in kymo.json.`,
    );
    return {
      name: item.name,
      build: { command: 'make CC=${cc} CXX=${cxx} FC=${fc}' },
      executable: `./${item.name}`,
    };
  }
  notes.push(`${item.name}: build and program come from the ${build.system} of ${item.folder}.`);
  notes.push(...build.notes.map((note) => `${item.name}: ${note}`));
  return target;
}

function resolved(written: string, file: string, notes: string[]): string {
  const expanded = written.replace(/\$\{(\w+)\}|\$(\w+)/g, (whole, braced?: string, bare?: string) => {
    const value = process.env[braced ?? bare ?? ''];
    if (value === undefined)
      notes.push(`${whole} in ${JSON.stringify(written)} is not set in the environment.`);
    return value ?? whole;
  });
  return path.resolve(path.dirname(path.resolve(file)), expanded);
}

function within(workspace: string, folder: string): string {
  const relative = path.relative(workspace, folder);
  if (relative === '') return '.';
  return relative.startsWith('..') ? folder : relative;
}

function noteFlavors(item: string, flavors: readonly string[], notes: string[]): void {
  if (flavors.length > 1)
    notes.push(
      `${item}: the flavors ${flavors.join(', ')} became one target; add a target for each that is built differently.`,
    );
}

function noteFunctors(item: string, functors: unknown, notes: string[]): void {
  notes.push(
    `${item}: the functors in ${typeof functors === 'string' ? functors : 'its folders'} are Python programs and cannot be taken over; check "command", "executable" and "arguments".`,
  );
}

function noteSubmitter(config: JsonObject, notes: string[]): void {
  const submitter = config['glob-submitter'];
  if (isRecord(submitter) && Object.keys(submitter).length > 0)
    notes.push(
      '"glob-submitter" is not taken over; for Slurm set "launcher" to {"kind": "slurm", "ranks": …}.',
    );
}

function invalid(file: string, why: string, cause?: unknown): KymoError {
  return new KymoError('pira-invalid', `Cannot import ${file}: ${why}.`, { file }, { cause });
}
