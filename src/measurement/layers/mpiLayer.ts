import { realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { scratchFolder } from '../files/leftovers';
import { builtProgram } from '../launch/builtProgram';
import { isExecutableFile, findProgram } from '../launch/findProgram';
import { linkedMpi } from '../launch/mpirun/linkedMpi';
import { runProcess, succeeded } from '../launch/process';
import type { Layer } from './layer';
import { readMpiHeader, readMpiVariables } from './mpiHeader';
import { mpiSource, weakVariables } from './mpiSource';

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
): Promise<Layer> {
  const library = await mpiLibraryOf(executable, environment);
  if (library === undefined) return { kind: 'not-needed' };
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

function missing(reason: string): Layer {
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
  const header = await preprocessedHeader(compiler, environment, signal);
  return builtProgram({
    part: 'mpi',
    file: 'libkymo-mpi.so',
    compiler: [compiler],
    environment,
    generated: {
      'functions.c': mpiSource(readMpiHeader(header)),
      'weak.h': weakVariables(readMpiVariables(header)),
    },
    signal,
  });
}

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
