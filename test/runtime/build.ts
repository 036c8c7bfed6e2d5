import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const runtimeFolder = path.resolve(import.meta.dirname, '../../runtime');

/** `runtime/manifest.json`, as far as building needs it. */
interface Manifest {
  readonly cflags: readonly string[];
  readonly architectures: Readonly<Record<string, Architecture>>;
  readonly link: { readonly executable: readonly string[]; readonly shared: readonly string[] };
}
interface Architecture {
  readonly flags?: readonly string[];
  readonly handlerFlags: readonly string[];
  readonly handlers: readonly string[];
  readonly library: readonly string[];
  readonly object: readonly string[];
  readonly objectFlags: { readonly executable: readonly string[]; readonly shared: readonly string[] };
}

export interface BuiltRuntime {
  readonly executable: readonly string[];
  readonly shared: readonly string[];
}

/** Compiles the runtime with a compiler (warnings are errors) and gives what is added to the link of an executable and of a shared library. */
export function buildRuntime(compiler: string, folder: string, architecture = 'x86_64'): BuiltRuntime {
  const manifest = JSON.parse(readFileSync(path.join(runtimeFolder, 'manifest.json'), 'utf8')) as Manifest;
  const target = manifest.architectures[architecture];
  if (target === undefined) throw new Error(`no architecture ${architecture} in the manifest`);
  mkdirSync(folder, { recursive: true });
  const flags = [...manifest.cflags, ...(target.flags ?? []), '-Wall', '-Wextra', '-Werror'];
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
