import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { CompilerIdentity } from '../compilers/compilerIdentity';
import { buildOnce } from '../files/buildOnce';
import type { CompilerRun, StepRunner } from './compilerRun';
import { readManifest, type ArchitectureParts, type Manifest } from '../compilers/manifest';
import { hashOfParts } from '../compilers/unitHash';

/** Additional arguments of a link. */
export interface LinkAdditions {
  readonly executable: readonly string[];
  /** Arguments for linkers without `--export-dynamic-symbol`. */
  readonly executableFallback: readonly string[];
  readonly shared: readonly string[];
}

/**
 * The runtime built by this compiler, from the cache or newly built. Many links of one `make -j` may need it simultaneously: one builds, the
 * others wait; the complete folder appears under its name in one step.
 */
export async function runtimeAdditions(
  run: CompilerRun,
  identity: CompilerIdentity,
  compilerKey: string,
  sources: string,
  cache: string,
): Promise<LinkAdditions> {
  const manifest = readManifest(sources);
  const parts = manifest.architectures[identity.architecture === 'x86-64' ? 'x86_64' : identity.architecture];
  if (parts === undefined) throw new Error(`there is no runtime for ${identity.architecture} yet`);
  const folder = path.join(cache, 'runtime', runtimeKey(compilerKey, manifest, parts, sources));
  const flags = [
    ...manifest.cflags,
    ...(identity.family === 'gcc' ? manifest.gccFlags : []),
    ...(parts.flags ?? []),
  ].map((flag) => (flag === '-I.' ? `-I${sources}` : flag));
  if (!existsSync(folder)) await buildOnce(folder, (target) => build(run, flags, parts, sources, target));
  const place = (text: string): string =>
    text.replace(/\{([^{}]+)\}/g, (_, name: string) => path.join(folder, name));
  const executable = manifest.link.executable.map(place);
  return {
    executable,
    executableFallback: [
      ...executable.filter((option) => !option.includes('--export-dynamic-symbol')),
      ...manifest.link.executableExportFallback.map(place),
    ],
    shared: manifest.link.shared.map(place),
  };
}

/** A hash that changes with the compiler and with all sources. */
function runtimeKey(
  compilerKey: string,
  manifest: Manifest,
  parts: ArchitectureParts,
  sources: string,
): string {
  const compiled = [...parts.handlers, ...parts.library, ...parts.object];
  const folders = [...new Set(['.', ...compiled.map((file) => path.dirname(file))])].sort();
  const contents = folders.flatMap((folder) =>
    readdirSync(path.join(sources, folder))
      .filter((name) => /\.(c|h|S)$/.test(name))
      .sort()
      .flatMap((name) => [name, readFileSync(path.join(sources, folder, name))]),
  );
  return hashOfParts([compilerKey, JSON.stringify(manifest), ...contents]);
}

async function build(
  run: CompilerRun,
  flags: readonly string[],
  parts: ArchitectureParts,
  sources: string,
  target: string,
): Promise<void> {
  const compile = async (file: string, prefix: string, extra: readonly string[]): Promise<string> => {
    const object = path.join(target, `${prefix}${file.replace(/\//g, '_')}.o`);
    const language = file.endsWith('.S') ? 'assembler-with-cpp' : 'c';
    const source = path.join(sources, file);
    await succeed(run, [...flags, ...extra, '-c', '-o', object, '-x', language, source]);
    return object;
  };
  const objects: string[] = [];
  for (const file of parts.handlers) objects.push(await compile(file, '', parts.handlerFlags));
  for (const file of parts.library) objects.push(await compile(file, '', []));
  await succeed(run.tool('ar'), ['rcs', path.join(target, 'libkymo.a'), ...objects]);
  const linker = run.tool(await linkerOf(run));
  for (const kind of ['executable', 'shared'] as const) {
    const pieces: string[] = [];
    for (const file of parts.object) pieces.push(await compile(file, `${kind}_`, parts.objectFlags[kind]));
    const combined = path.join(target, `kymo-${kind}.o`);
    const joined = await linker.run(['-r', ...pieces, '-o', combined], 'both');
    if (joined.status !== 0) await succeed(run, ['-r', '-nostdlib', '-no-pie', ...pieces, '-o', combined]);
    pieces.forEach((file) => rmSync(file));
  }
  objects.forEach((file) => rmSync(file));
  cpSync(path.join(sources, 'kymo.list'), path.join(target, 'kymo.list'));
}

/** The linker itself: compilers for MPI add their libraries to each link, also to one that only joins objects. */
async function linkerOf(run: StepRunner): Promise<string> {
  const { status, stdout } = await run.run(['-print-prog-name=ld'], 'both');
  return status === 0 ? stdout.toString('utf8').trim() : 'ld';
}

async function succeed(run: StepRunner, argumentList: readonly string[]): Promise<void> {
  const result = await run.run(argumentList, 'both');
  if (result.status === 0) return;
  const reason = result.stderr.toString('utf8').trim().split('\n').slice(0, 3).join(' | ');
  throw new Error(`the runtime library cannot be built: ${reason}`);
}
