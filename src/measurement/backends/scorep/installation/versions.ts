/** Facts that Kymo relies on and that may differ in other versions of Score-P; observed with Score-P 8.4. */

/** Options that the instrumenter of any build of Score-P 8 knows; `scorep --help` lists those that the installed build supports. */
export const instrumenterOptionsOf8: readonly string[] = `
  compiler cuda disable-preprocessing dry-run dynamic hip instrument-filter io keep-files kokkos
  libwrap memory mpp no-as-needed nocompiler nocuda nohip nokokkos nomemory noopenacc noopencl
  noopenmp nopdt nopomp nopreprocess nouser opari openacc opencl openmp pdt pomp preprocess static
  thread user verbose
`
  .trim()
  .split(/\s+/)
  .map((name) => `--${name}`);

/** Options that end the instrumenter without a compilation: a build cannot use them. */
export const answeringOptions: readonly string[] = ['--help', '--version', '--dry-run', '-h'];

/**
 * Memory of the profile, bytes per process, from the smallest SCOREP_TOTAL_MEMORY with which recursions of 0, 1000 and 5000 levels
 * ran, with 0, 2 and 4 metrics and 1 and 4 threads (59 kB at rest; 207–238 per call path; 49 per metric and call path; 24 kB per thread).
 */
export const profileMemory = {
  atRest: 128 * 1024,
  perLocation: 32 * 1024,
  perCallPath: 240,
  perMetric: 50,
} as const;

/** Score-P accepts less than 4 GiB. */
export const mostTotalMemoryBytes = 4_000_000_000;

/** Score-P's default of SCOREP_PROFILING_MAX_CALLPATH_DEPTH. */
export const defaultCallpathDepth = 100;
