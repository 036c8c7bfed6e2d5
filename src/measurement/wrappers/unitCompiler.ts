import { isUtf8 } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { UnitAnalysis } from '../../core/source/analyse';
import { insertProbes, type TextEncoding } from '../../core/probes/probeInsertion';
import type { ProbeStyle } from '../../core/probes/probeText';
import type { CompilerIdentity } from '../compilers/compilerIdentity';
import { analyse, loadParser } from './analyser';
import { readCompilerGraph } from './compilerGraph';
import { colourOptions, say, type CompilerRun } from './compilerRun';
import { logUnit, writeFragment } from './fragments';
import { compileOptions, preprocessArguments, type UnitPlan } from './commandLine/plan';
import { isOption, lastOption, textsOf, type CommandLine, type Item } from './commandLine/commandLine';
import type { WrapperSettings } from '../compilers/settings';
import { entryOptions } from './commandLine/entryOptions';
import { mergeEntryNops } from './entryNops';
import { detachEntryRecords } from './entryRecords';
import { probeStyle } from './commandLine/probeStyle';
import { hashOfParts } from '../compilers/unitHash';
import { present } from '../../core/present';

/** Facts that all units of one command line share. */
export interface UnitContext {
  readonly run: CompilerRun;
  readonly settings: WrapperSettings;
  readonly identity: CompilerIdentity;
  readonly line: CommandLine;
  readonly grammars: string;
  /** Options for the names of files that the compiler writes beside the object. */
  readonly sideFileNames: readonly string[];
}

/** Increase it when the text of probes or the fragment's content changes, so that the same source gets another hash. */
const textVersion = '4';

/** The preprocessed text of a unit and its analysis. */
interface Prepared {
  /** Messages of the preprocessor, printed with the other messages of the unit. */
  readonly messages: Buffer;
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly analysis: UnitAnalysis;
}

/** Compiles one unit to `object`; returns the compiler's status. */
export async function compileUnit(context: UnitContext, unit: UnitPlan, object: string): Promise<number> {
  const { run } = context;
  const plain = plainArguments(context, unit, object);
  const prepared = await prepare(context, unit);
  if (prepared === 'not preprocessed') return (await run.run(plain, 'nothing')).status;
  const style = probeStyle(context.identity);
  if (prepared === undefined || style === undefined) return compileWithEntries(context, unit, object);

  const probed = await compileText(context, unit, object, prepared, style, []);
  if (probed.status === 0) {
    process.stderr.write(Buffer.concat([prepared.messages, probed.stderr]));
    return 0;
  }
  // If the user's own text is wrong, the compiler's messages about it are needed; otherwise Kymo's text is wrong.
  const original = await run.run([...colourOptions(process.env), ...plain], 'stderr');
  process.stderr.write(original.stderr);
  if (original.status !== 0) return original.status;
  // Preprocessed text shows warnings that the compiler suppresses in macros, and -Werror makes them errors.
  if ((await compileText(context, unit, object, prepared, style, ['-w'])).status === 0) return 0;
  const bare = { ...prepared, analysis: withoutProbes(prepared.analysis) };
  say(`${unit.input.file}: does not compile with probes; its functions are measured at their entries only`);
  if ((await compileText(context, unit, object, bare, style, ['-w'])).status === 0) return 0;
  return compileWithEntries(context, unit, object);
}

/** Compiles with patchable entries, and without them if the compiler does not support them. */
async function compileWithEntries(context: UnitContext, unit: UnitPlan, object: string): Promise<number> {
  const plain = plainArguments(context, unit, object);
  const entries = entryOptions(context.identity, context.line, true);
  const result = await context.run.run([...plain, ...entries], 'stderr');
  if (result.status === 0) {
    process.stderr.write(result.stderr);
    finishObject(unit, object);
    logUnit({ source: path.resolve(unit.input.file), sites: 'entries' });
    return 0;
  }
  return (await context.run.run(plain, 'nothing')).status;
}

function finishObject(unit: UnitPlan, object: string): void {
  mergeEntryNops(object);
  if (unit.language === 'c++') detachEntryRecords(object);
}

/** Arguments that compile this unit alone. */
function plainArguments({ line, sideFileNames }: UnitContext, unit: UnitPlan, object: string): string[] {
  const roles: readonly Item['role'][] = ['both', 'preprocess', 'dependency', 'assemble'];
  const options = line.items.filter((item) => roles.includes(item.role));
  const language = unit.input.language ?? unit.language;
  const named = [...unit.dependencyOptions, ...sideFileNames];
  return [...textsOf(options), ...named, '-c', '-o', object, '-x', language, unit.input.file];
}

async function prepare(
  context: UnitContext,
  unit: UnitPlan,
): Promise<Prepared | 'not preprocessed' | undefined> {
  const parserReady = loadParser(unit.language, context.grammars).catch((error: unknown) => {
    say(`${unit.input.file}: no probes, the parser cannot be loaded (${describeError(error)})`);
    return undefined;
  });
  const { bytes, messages } = unit.preprocessed ? readUnit(unit.input.file) : await preprocess(context, unit);
  if (bytes === undefined) return 'not preprocessed';
  const parser = await parserReady;
  if (parser === undefined) return undefined;
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  try {
    const source = path.resolve(unit.input.file);
    const { settings } = context;
    const analysis = analyse(parser, text, unit.language, source, settings.minimumStatements);
    return { messages, text, encoding, analysis: settings.probes ? analysis : withoutProbes(analysis) };
  } catch (error) {
    say(`${unit.input.file}: no probes, it could not be analysed (${describeError(error)})`);
    return undefined;
  }
}

interface Preprocessed {
  /** Undefined when preprocessing failed. */
  readonly bytes: Buffer | undefined;
  readonly messages: Buffer;
}

async function preprocess({ run, identity, line }: UnitContext, unit: UnitPlan): Promise<Preprocessed> {
  const options = [...colourOptions(process.env), ...preprocessArguments(line, unit)];
  if (identity.family === 'clang') options.push('-Qunused-arguments', ...clangTarget(line));
  const result = await run.run(options, 'both');
  return { bytes: result.status === 0 ? result.stdout : undefined, messages: result.stderr };
}

/** Clang treats `-Wp,-MD,file` as its own option, with the output as the target; gcc passes it to the preprocessor. */
function clangTarget(line: CommandLine): string[] {
  const output = lastOption(line.items, '-o')?.value;
  const isPassed = line.items.filter(isOption).some(({ name }) => /^-Wp,-MM?D\b/.test(name));
  return isPassed && output !== undefined ? ['-MQ', output] : [];
}

function readUnit(file: string): Preprocessed {
  const messages = Buffer.alloc(0);
  try {
    return { bytes: readFileSync(file), messages };
  } catch {
    return { bytes: undefined, messages };
  }
}

async function compileText(
  context: UnitContext,
  unit: UnitPlan,
  object: string,
  prepared: Prepared,
  style: ProbeStyle,
  extra: readonly string[],
): Promise<{ status: number; stderr: Buffer }> {
  const { run, identity, line, settings } = context;
  const options = compileOptions(line);
  const { text, encoding, analysis } = prepared;
  const hash = hashOfParts([
    textVersion,
    ...settings.compiler,
    ...options,
    analysis.unit.source,
    String(settings.minimumStatements),
    String(analysis.probePoints.length),
    text,
  ]);
  // Compilers derive the names of their side files from the source's name.
  const folder = run.scratch('text', hash);
  const file = path.join(folder, path.basename(unit.input.file));
  writeFileSync(file, insertProbes(text, analysis.probePoints, hash, style, encoding), encoding);
  // In C the parser finds all calls; in C++ only the compiler resolves overloads, conversions and implicit members. The dump takes a tenth of
  // the time of a small unit.
  const dump = identity.family === 'gcc' && unit.language === 'c++' ? path.join(folder, 'cgraph') : undefined;
  const result = await run.run(
    [
      ...colourOptions(process.env),
      ...quietOptions(options, extra.length > 0),
      ...textOptions(identity),
      ...extra,
      ...(dump === undefined ? [] : [`-fdump-ipa-cgraph=${dump}`]),
      ...entryOptions(identity, line, analysis.probePoints.length === 0),
      ...context.sideFileNames,
      '-c',
      '-o',
      object,
      '-x',
      unit.language === 'c' ? 'cpp-output' : 'c++-cpp-output',
      file,
    ],
    'stderr',
  );
  if (result.status === 0) {
    finishObject(unit, object);
    const graph = dump === undefined ? undefined : readCompilerGraph(dump);
    writeFragment(settings.store, {
      ...analysis.unit,
      hash,
      ...present({ compiler: graph }),
    });
    const sites = analysis.probePoints.length > 0 ? 'probes' : 'text';
    logUnit({ source: analysis.unit.source, sites, hash });
  }
  return result;
}

/** Options without those that turn warnings into errors, if the warnings have already been printed. */
function quietOptions(options: readonly string[], lenient: boolean): string[] {
  if (!lenient) return [...options];
  return options.filter((option) => !/^-(Werror|pedantic-errors)/.test(option));
}

/** Switches off warnings about comments, indentation and macros, which preprocessing removes. */
function textOptions(identity: CompilerIdentity): string[] {
  return identity.family === 'gcc'
    ? ['-Wno-implicit-fallthrough', '-Wno-misleading-indentation']
    : ['-Qunused-arguments', '-Wno-gnu-line-marker'];
}

function withoutProbes(analysis: UnitAnalysis): UnitAnalysis {
  return {
    unit: { ...analysis.unit, functions: analysis.unit.functions.map((f) => ({ ...f, probe: false })) },
    probePoints: [],
    bodyOffsets: analysis.bodyOffsets,
  };
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
