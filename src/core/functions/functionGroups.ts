import { getOrMake } from '../getOrMake';
import { foldTemplates } from '../names/foldTemplates';
import { scopeOf } from '../names/unqualifiedName';
import { visibleControls } from '../names/visibleControls';
import type { Region } from '../profile/profile';
import { activityOf } from './activities';

type Grouped = Pick<Region, 'name' | 'paradigm' | 'role' | 'file'>;

/** Most characters of a group's name. */
export const longestGroupName = 200;

/** Group of what nothing is known of. */
const otherGroup = 'Other';

/**
 * The group of each region, by what a tool knows without being told: the parallel paradigm, input and output, memory; else the class, else the source
 * file (or the library, for tools that give it there), else *Other*. Each region is in exactly one. Linear.
 */
export function automaticGroups(regions: readonly Grouped[]): string[] {
  const groups = regions.map(groupByName);
  const files = fileNames(
    regions.flatMap(({ file }, at) => (groups[at] === undefined && file !== undefined ? [file] : [])),
  );
  return regions.map(({ file }, at) =>
    visibleControls((groups[at] ?? files.get(file ?? '') ?? otherGroup).slice(0, longestGroupName)),
  );
}

function groupByName(region: Grouped): string | undefined {
  const { name } = region;
  if (region.role === 'artificial' || region.paradigm === 'measurement') return otherGroup;
  const paradigm = paradigms.find(({ is, names }) => is.includes(region.paradigm) || names.test(name));
  if (paradigm !== undefined) return paradigm.group;
  const activity = activityOf(region);
  if (activity === 'io' || ioNames.test(name) || (region.file === undefined && plainIoNames.test(name)))
    return 'I/O';
  if (activity === 'memory' || memoryNames.test(name)) return 'Memory';
  return moduleOf(name) ?? scopeOf(foldTemplates(name));
}

const paradigms: readonly {
  readonly group: string;
  /** Paradigms as Score-P writes them. */
  readonly is: readonly string[];
  readonly names: RegExp;
}[] = [
  { group: 'MPI', is: ['mpi'], names: /^(P?MPI_|MPI::)/i },
  { group: 'OpenMP', is: ['openmp'], names: /^(!\$omp\b|omp[_ ]|GOMP_|__kmpc?_|ompt_)/i },
  { group: 'CUDA/HIP', is: ['cuda', 'hip'], names: /^(cu(da|blas|fft|sparse|solver|dnn)?[A-Z]|hip[A-Z])/ },
  { group: 'OpenACC', is: ['openacc'], names: /^acc_/ },
  {
    group: 'OpenCL',
    is: ['opencl'],
    names: /^cl(Create|Enqueue|Finish|Flush|Get|Release|Retain|Set|Wait)[A-Z]?/,
  },
  { group: 'SHMEM', is: ['shmem'], names: /^shmem_/ },
  { group: 'Pthreads', is: ['pthread'], names: /^pthread_/ },
];

/** Calls that nothing but input and output has. */
const ioNames =
  /^_*(f(open|close|read|write|puts|gets|putc|getc|printf|scanf|flush|seeko?|tello?|sync|datasync|truncate)|v?fprintf|p(read|write)v?|(read|write)v|lseek|openat|creat|setvbuf|fdopen|freopen|aio_\w+|sendfile|_gfortran_(st|transfer)_\w+|(H5|nc_|ncmpi_|adios2?_|SION_|sion_)[A-Za-z]\w*)(64)?$/;

/** Names that a function of the program may have, too: only without a source file. */
const plainIoNames =
  /^_*(open|close|read|write|sync|stat|fstat|lstat|unlink|rename|remove|mkdir|rmdir|truncate|printf|scanf|puts|putchar|getchar|getline|opendir|readdir|closedir)(64)?$/;

const memoryNames =
  /^(malloc|calloc|realloc|free|memalign|posix_memalign|aligned_alloc|mmap|munmap|mem(cpy|move|set)|operator (new|delete)(\[\])?(\(.*\))?)$/;

/** Module of a Fortran procedure, as gfortran names it: `__grid_MOD_step`. */
function moduleOf(name: string): string | undefined {
  return /^__(\w+?)_MOD_/.exec(name)?.[1];
}

/** Most parts of a path in the name of a group. */
const mostFolders = 8;

/** Names of files that tell them apart: the last part of the path, and as many folders as are needed. */
function fileNames(files: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  let rest = [...new Set(files)];
  for (let parts = 1; rest.length > 0; parts++) {
    const bySuffix = new Map<string, string[]>();
    for (const file of rest)
      getOrMake(bySuffix, file.split('/').slice(-parts).join('/'), (): string[] => []).push(file);
    rest = [];
    for (const [suffix, same] of bySuffix) {
      const [first] = same;
      if (same.length > 1 && parts < mostFolders) rest.push(...same);
      else if (first !== undefined) for (const file of same) names.set(file, suffix);
    }
  }
  return names;
}
