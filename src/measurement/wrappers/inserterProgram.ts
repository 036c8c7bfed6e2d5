import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CompilerIdentity } from '../compilers/compilerIdentity';
import { writeAtomically } from '../files/atomicFile';
import { buildOnce } from '../files/buildOnce';
import type { CompilerRun } from './compilerRun';
import { entryOptions } from './commandLine/entryOptions';
import { compilerKey, findProgram } from '../compilers/identityCache';
import { programKey, readManifest, type ProgramParts } from '../compilers/manifest';
import { probeStyle } from './commandLine/probeStyle';
import type { WrapperSettings } from '../compilers/settings';

/** Marks a program that cannot be built, so that not every unit tries again. */
const none = '';

/**
 * Builds the program that compiles usual C units without Node.js (runtime/inserter) if it is missing, and writes its path and
 * the facts about the compiler into the file that the wrapper's shell part reads. Never throws: without the program, units take the general way.
 */
export async function rememberInserter(
  run: CompilerRun,
  identity: CompilerIdentity,
  settings: WrapperSettings,
  environment: NodeJS.ProcessEnv,
  sources: string,
): Promise<void> {
  const profile = environment.KYMO_INSERTER_FILE;
  const style = probeStyle(identity);
  const [name, ...more] = settings.compiler;
  const compiler = findProgram(name, environment.PATH ?? '');
  // The inserter supports neither words before the compiler nor compilers without known sites.
  if (profile === undefined || profile === '' || settings.kind !== 'cc' || settings.plusPlus) return;
  if (more.length > 0 || compiler === undefined || style === undefined) return;
  const { size, mtimeNs } = statSync(compiler, { bigint: true });
  const asm = style.asmInline ? 'inline' : 'plain';
  const entries = [false, true].map((alone) => entryOption(identity, alone));
  const values = [compiler, size, mtimeNs, identity.family, asm, style.architecture, ...entries];
  const facts = values.map((item) => `${String(item)}\n`).join('');
  try {
    if (isRemembered(profile, facts)) return;
    const parts = readManifest(sources).inserter;
    const key = programKey(compilerKey(settings.compiler, environment), parts, sources);
    const folder = path.join(settings.cache, 'inserter', key);
    await buildOnce(folder, (target) => build(run, parts, sources, target), false);
    if (existsSync(folder)) remember(profile, path.join(folder, 'inserter'), facts);
  } catch {
    remember(profile, none, facts);
  }
}

function entryOption(identity: CompilerIdentity, alone: boolean): string {
  const options = entryOptions(identity, { items: [] }, alone);
  return options.find((option) => option.startsWith('-fpatchable-function-entry=')) ?? '';
}

/** Whether this version of the tool wrote the file for this compiler, and its program is usable (or marked as impossible to build). */
function isRemembered(profile: string, facts: string): boolean {
  try {
    const text = readFileSync(profile, 'utf8');
    const end = text.indexOf('\n');
    const program = text.slice(0, end);
    const fresh = statSync(profile).mtimeMs > statSync(__filename).mtimeMs;
    return fresh && text.slice(end + 1) === facts && (program === none || existsSync(program));
  } catch {
    return false;
  }
}

function remember(profile: string, program: string, facts: string): void {
  try {
    writeAtomically(profile, `${program}\n${facts}`);
  } catch {
    // A cache that cannot be written costs time only.
  }
}

/** Builds the program with the user's compiler. @throws when that fails, or the program (of a cross compiler) does not run here */
async function build(run: CompilerRun, parts: ProgramParts, sources: string, target: string): Promise<void> {
  const program = path.join(target, 'inserter');
  const files = parts.files.map((file) => path.join(sources, file));
  const built = await run.run([...parts.cflags, '-o', program, ...files], 'both');
  if (built.status !== 0) throw new Error('the inserter cannot be built');
  const answer = await run.tool(program).run(['--version'], 'both');
  if (answer.status !== 0) throw new Error('the inserter does not run here');
}
