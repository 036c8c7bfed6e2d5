import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { readManifest } from '../../src/measurement/compilers/manifest';

export const runtimeFolder = path.resolve(import.meta.dirname, '../../runtime');

export interface BuiltRuntime {
  readonly executable: readonly string[];
  readonly shared: readonly string[];
}

/** Compiles the runtime with a compiler (warnings are errors) and returns the link arguments for an executable and for a shared library. */
export function buildRuntime(compiler: string, folder: string, architecture = 'x86_64'): BuiltRuntime {
  const manifest = readManifest(runtimeFolder);
  const target = manifest.architectures[architecture];
  if (target === undefined) throw new Error(`no architecture ${architecture} in the manifest`);
  mkdirSync(folder, { recursive: true });
  const own = compiler.includes('clang') ? [] : manifest.gccFlags;
  const flags = [...manifest.cflags, ...own, ...(target.flags ?? []), '-Wall', '-Wextra', '-Werror'];
  const compile = (source: string, extra: readonly string[], prefix: string): string => {
    const object = path.join(folder, `${prefix}${source.replaceAll('/', '-')}.o`);
    execFileSync(compiler, [...flags, ...extra, '-c', source, '-o', object], { cwd: runtimeFolder });
    return object;
  };
  const members = [
    ...target.handlers.map((source) => compile(source, target.handlerFlags, '')),
    ...target.library.map((source) => compile(source, [], '')),
  ];
  const archive = path.join(folder, 'libkymo.a');
  if (!existsSync(archive)) execFileSync('ar', ['rcs', archive, ...members]);
  cpSync(path.join(runtimeFolder, 'kymo.list'), path.join(folder, 'kymo.list'));
  for (const kind of ['executable', 'shared'] as const) {
    const parts = target.object.map((source) => compile(source, target.objectFlags[kind], `${kind}-`));
    execFileSync(compiler, ['-r', '-nostdlib', ...parts, '-o', path.join(folder, `kymo-${kind}.o`)]);
  }
  const place = (words: readonly string[]): readonly string[] => [
    '-x',
    'none',
    ...words.map((word) => word.replace(/\{(.*?)\}/, (_, name: string) => path.join(folder, name))),
  ];
  return { executable: place(manifest.link.executable), shared: place(manifest.link.shared) };
}
