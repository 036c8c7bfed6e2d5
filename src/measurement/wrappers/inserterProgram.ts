import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CompilerIdentity } from '../compilers/compilerIdentity';
import { writeAtomically } from '../files/atomicFile';
import { buildOnce } from '../files/buildOnce';
import type { CompilerRun } from './compilerRun';
import { entryOptions } from './commandLine/entryOptions';
import { compilerKey, findProgram } from '../compilers/identityCache';
import { readManifest, type Manifest } from '../compilers/manifest';
import { probeStyle } from './commandLine/probeStyle';
import type { WrapperSettings } from '../compilers/settings';
import { hashOfParts } from '../compilers/unitHash';

/** Without a program: what follows keeps it from being tried again for each unit. */
const none = '';

/**
 * Makes the program that compiles usual C units without Node.js (runtime/inserter), if it is not there yet, and leaves its path and
 * what is known of the compiler in the file that the launcher looks at. Never throws: without it, units take the general way.
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
  // Launchers before the compiler, and compilers whose sites are not known.
  if (profile === undefined || profile === '' || settings.kind !== 'cc' || settings.plusPlus) return;
  if (more.length > 0 || compiler === undefined || style === undefined) return;
  const { size, mtimeNs } = statSync(compiler, { bigint: true });
  const asm = style.asmInline ? 'inline' : 'plain';
  const entries = [false, true].map((alone) => entryOption(identity, alone));
  const known = [compiler, size, mtimeNs, identity.family, asm, style.architecture, ...entries];
  const facts = known.map((item) => `${String(item)}\n`).join('');
  try {
    if (isRemembered(profile, facts)) return;
    const parts = readManifest(sources).inserter;
    const folder = path.join(settings.cache, 'inserter', inserterKey(settings, environment, parts, sources));
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

/** Changes with the compiler and with everything that is compiled or included. */
function inserterKey(
  settings: WrapperSettings,
  environment: NodeJS.ProcessEnv,
  parts: Manifest['inserter'],
  sources: string,
): string {
  const contents = [...parts.files, ...parts.headers].map((file) => readFileSync(path.join(sources, file)));
  return hashOfParts([compilerKey(settings.compiler, environment), JSON.stringify(parts), ...contents]);
}

/** Whether what is remembered is of this tool and this compiler, or says that there is nothing to be had. */
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

/** In one step, by the compiler of the user; a program that does not run here (a cross compiler's) is none. */
async function build(
  run: CompilerRun,
  parts: Manifest['inserter'],
  sources: string,
  target: string,
): Promise<void> {
  const program = path.join(target, 'inserter');
  const files = parts.files.map((file) => path.join(sources, file));
  const made = await run.run([...parts.cflags, '-o', program, ...files], 'both');
  if (made.status !== 0) throw new Error('the inserter cannot be built');
  const tried = await run.tool(program).run(['--version'], 'both');
  if (tried.status !== 0) throw new Error('the inserter does not run here');
}
