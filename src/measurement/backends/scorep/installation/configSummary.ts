import { present } from '../../../../core/present';
/** Features with which Score-P was built, from `scorep-info config-summary`. */
export interface ScorepFeatures {
  /** Whether there was a summary; without it, all other fields are false. */
  readonly known: boolean;
  readonly compilerInstrumentation: boolean;
  readonly gccPlugin: boolean;
  /** Version of gcc that the plug-in fits, such as `12.2.0`. */
  readonly gccVersion?: string;
  readonly llvmPlugin: boolean;
  /** `openmpi`, `mpich` … as configured; `mpi` if the summary does not name it. */
  readonly mpi?: string;
  readonly shmem: boolean;
  readonly openmp: boolean;
  readonly opari2: boolean;
  readonly ompt: boolean;
  readonly pthread: boolean;
  readonly papi: boolean;
  readonly perf: boolean;
  readonly rusage: boolean;
  readonly unwinding: boolean;
  readonly cuda: boolean;
  readonly hip: boolean;
  readonly memory: boolean;
  readonly io: boolean;
}

/** @param text output of the command, hostile or empty */
export function readConfigSummary(text: string): ScorepFeatures {
  const sections = sectionsOf(text.slice(0, 1_000_000));
  const backend = sections.get('Score-P (backend)') ?? new Map<string, string>();
  const yes = (key: string): boolean => backend.get(key)?.startsWith('yes') ?? false;
  const methods = ['C', 'C++', 'Fortran'].map((language) => backend.get(language) ?? '');
  const plugin = sections.get('Score-P (GCC plug-in)');
  const gccVersion = /\(gnu (\d[\w.]*)\)/.exec([...(plugin?.values() ?? [])].join(' '))?.[1];
  const mpi = mpiOf(text, sections);
  return {
    known: backend.size > 0,
    compilerInstrumentation: yes('Compiler instrumentation'),
    gccPlugin: methods.includes('gcc_plugin') || says(plugin, 'GCC plug-in support'),
    ...present({ gccVersion }),
    llvmPlugin:
      methods.includes('llvm_plugin') ||
      says(sections.get('Score-P (LLVM plug-in)'), 'LLVM plug-in support') ||
      yes('LLVM plug-in support'),
    ...present({ mpi }),
    shmem: [...sections.keys()].some((name) => name.startsWith('Score-P (SHMEM')),
    openmp: yes('OpenMP support'),
    opari2: /^ *opari2 support: +yes/m.test(text),
    ompt: yes('OMPT support'),
    pthread: yes('Pthread support'),
    papi: yes('PAPI support'),
    perf: yes('metric perf support'),
    rusage: yes('getrusage support'),
    unwinding: yes('Unwinding support'),
    cuda: yes('CUDA support'),
    hip: yes('HIP support'),
    memory: yes('Memory tracking support'),
    io: yes('POSIX I/O support'),
  };
}

function says(section: ReadonlyMap<string, string> | undefined, key: string): boolean {
  return section?.get(key)?.startsWith('yes') ?? false;
}

/** `  Name:` opens a section, `  key:  value` lies below it; deeper keys belong to the same section. */
function sectionsOf(text: string): ReadonlyMap<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split('\n')) {
    const heading = /^ {2,4}(\S[^:]*):$/.exec(line)?.[1];
    if (heading !== undefined) {
      section = sections.get(heading) ?? new Map<string, string>();
      sections.set(heading, section);
      continue;
    }
    const entry = /^ {6,}(\S[^:]*): +(\S.*)$/.exec(line);
    const [, key, value] = entry ?? [];
    if (key !== undefined && value !== undefined && !section.has(key)) section.set(key, value);
  }
  return sections;
}

function mpiOf(text: string, sections: ReadonlyMap<string, unknown>): string | undefined {
  if (!sections.has('Score-P (MPI backend)')) return undefined;
  return /'?--with-mpi=([\w.-]+)/.exec(text)?.[1] ?? 'mpi';
}
