import { existsSync } from 'node:fs';
import { realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compilerKey } from '../compilers/identityCache';
import { programKey, readManifest, type ProgramParts } from '../compilers/manifest';
import { cacheFolder } from '../compilers/settings';
import { hashOfParts } from '../compilers/unitHash';
import { buildOnce } from '../files/buildOnce';
import { scratchFolder } from '../files/leftovers';
import { toolFolder } from '../files/toolFolder';
import { isExecutableFile, findProgram } from '../launch/findProgram';
import { linkedMpi } from '../launch/mpirun/linkedMpi';
import { runProcess, succeeded } from '../launch/process';
import { readMpiHeader, readMpiVariables } from './mpiHeader';
import { mpiSource, weakVariables } from './mpiSource';

/** The library that records the MPI calls of a program, or why there is none. */
export type MpiLayer =
  | { readonly kind: 'no-mpi' }
  /** Absolute path of a library that the program has to be started with (`LD_PRELOAD`). */
  | { readonly kind: 'layer'; readonly library: string }
  /** A sentence for the user. */
  | { readonly kind: 'missing'; readonly note: string };

const compileSeconds = 180;
const probe = '#include <mpi.h>\nint main(int argc, char **argv) { return MPI_Init(&argc, &argv); }\n';

/**
 * The layer for the MPI library that the program runs with, built once per MPI compiler in the tool's cache (runtime/mpi).
 * @param executable absolute path of a program that exists
 * @param environment of the run
 */
export async function mpiLayer(
  executable: string,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<MpiLayer> {
  const library = await mpiLibraryOf(executable, environment);
  if (library === undefined) return { kind: 'no-mpi' };
  if (library === (await realpath(executable)))
    return missing('the MPI library is linked statically into the program. Link it dynamically');
  const compiler = await compilerFor(library, environment, signal);
  if (compiler === undefined)
    return missing(
      `no mpicc was found that belongs to ${library}. Load the module of that MPI, or put its mpicc into PATH`,
    );
  try {
    return { kind: 'layer', library: await built(compiler, environment, signal) };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return missing(`${compiler} could not build the MPI layer (${reason})`);
  }
}

function missing(reason: string): MpiLayer {
  return { kind: 'missing', note: `MPI calls are not recorded: ${reason}.` };
}

/** Real path of the MPI library that the loader finds for the program, the program itself where it contains MPI. */
async function mpiLibraryOf(program: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const linked = await linkedMpi(program, environment);
  if (linked === undefined || linked === 'none') return undefined;
  return realpath(linked.library).catch(() => linked.library);
}

/** The `mpicc` whose programs run with this library. */
async function compilerFor(
  library: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const scratch = await scratchFolder('mpi');
  try {
    const source = path.join(scratch, 'probe.c');
    const program = path.join(scratch, 'probe');
    await writeFile(source, probe);
    for (const compiler of await candidates(library, environment)) {
      const result = await runProcess(
        { argv: [compiler, '-o', program, source] },
        { env: { ...environment, KYMO_WRAPPER: 'off' }, timeoutSeconds: compileSeconds, signal },
      );
      if (succeeded(result) && (await mpiLibraryOf(program, environment)) === library) return compiler;
    }
    return undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Those of `PATH`, with the names that Debian and Intel give them, and the one beside the library. */
async function candidates(library: string, environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const names = ['mpicc', 'mpicc.openmpi', 'mpicc.mpich', 'mpigcc', 'mpiicx'];
  const inPath = await Promise.all(names.map((name) => findProgram(name, environment.PATH)));
  const beside = path.join(library.replace(/\/lib(64)?\/.*$/, ''), 'bin/mpicc');
  const files = [...inPath, (await isExecutableFile(beside)) ? beside : undefined];
  return [...new Set(files.filter((file) => file !== undefined))];
}

async function built(
  compiler: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<string> {
  const sources = path.join(toolFolder(), 'runtime');
  const parts = readManifest(sources).mpi;
  const header = await preprocessedHeader(compiler, environment, signal);
  const functions = mpiSource(readMpiHeader(header));
  const weak = weakVariables(readMpiVariables(header));
  const key = hashOfParts([
    programKey(compilerKey([compiler], environment), parts, sources),
    functions,
    weak,
  ]);
  const folder = path.join(cacheFolder(process.env), 'mpi', key);
  const make = async (target: string): Promise<void> => {
    await writeFile(path.join(target, 'functions.c'), functions);
    await writeFile(path.join(target, 'weak.h'), weak);
    await compile(compiler, parts, sources, target, environment, signal);
  };
  if (!existsSync(folder)) await buildOnce(folder, make);
  return path.join(folder, libraryName);
}

const libraryName = 'libkymo-mpi.so';

async function preprocessedHeader(
  compiler: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<string> {
  const result = await runProcess(
    { argv: [compiler, '-E', '-P', '-x', 'c', '-'] },
    { env: environment, timeoutSeconds: compileSeconds, signal, input: '#include <mpi.h>\n' },
  );
  if (succeeded(result)) return result.stdout;
  throw new Error(result.stderr.split('\n')[0] ?? 'mpi.h cannot be read');
}

async function compile(
  compiler: string,
  parts: ProgramParts,
  sources: string,
  target: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<void> {
  const files = [...parts.files.map((file) => path.join(sources, file)), path.join(target, 'functions.c')];
  const places = [`-I${path.join(sources, 'mpi')}`, '-include', path.join(target, 'weak.h')];
  const result = await runProcess(
    { argv: [compiler, ...parts.cflags, ...places, '-o', path.join(target, libraryName), ...files] },
    { env: { ...environment, KYMO_WRAPPER: 'off' }, timeoutSeconds: compileSeconds, signal },
  );
  if (!succeeded(result))
    throw new Error(result.stderr.split('\n').find((line) => line.includes('error')) ?? 'it failed');
}
