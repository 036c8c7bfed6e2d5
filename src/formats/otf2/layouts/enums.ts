/**
 * Names of enumerations, by their value, as `otf2-print` prints them. A bit set has the names of its bits, the lowest first.
 */
export const enumerations = {
  measurementMode: ['UNKNOWN', 'ON', 'OFF'],
  collectiveOp: [
    ...['BARRIER', 'BCAST', 'GATHER', 'GATHERV', 'SCATTER', 'SCATTERV', 'ALLGATHER', 'ALLGATHERV'],
    ...['ALLTOALL', 'ALLTOALLV', 'ALLTOALLW', 'ALLREDUCE', 'REDUCE', 'REDUCE_SCATTER', 'SCAN', 'EXSCAN'],
    ...['REDUCE_SCATTER_BLOCK', 'CREATE_HANDLE', 'DESTROY_HANDLE', 'ALLOCATE', 'DEALLOCATE'],
    ...['CREATE_HANDLE_AND_ALLOCATE', 'DESTROY_HANDLE_AND_DEALLOCATE'],
  ],
  rmaSyncType: ['MEMORY', 'NOTIFY_IN', 'NOTIFY_OUT'],
  lockType: ['EXCLUSIVE', 'SHARED'],
  rmaAtomicType: [
    ...['ACCUMULATE', 'INCREMENT', 'TEST_AND_SET', 'COMPARE_AND_SWAP', 'SWAP', 'FETCH_AND_ADD'],
    ...['FETCH_AND_INCREMENT', 'FETCH_AND_ACCUMULATE'],
  ],
  ioSeekOption: ['FROM_START', 'FROM_CURRENT', 'FROM_END', 'DATA', 'HOLE'],
  ioOperationMode: ['READ', 'WRITE', 'FLUSH'],
  ioAccessMode: ['READ_ONLY', 'WRITE_ONLY', 'READ_WRITE', 'EXECUTE_ONLY', 'SEARCH_ONLY'],
  paradigm: [
    ...['UNKNOWN', 'USER', 'COMPILER', 'OPENMP', 'MPI', 'CUDA', 'MEASUREMENT_SYSTEM', 'PTHREAD', 'HMPP'],
    ...['OMPSS', 'HARDWARE', 'GASPI', 'UPC', 'SHMEM', 'WINTHREAD', 'QTTHREAD', 'ACETHREAD', 'TBBTHREAD'],
    ...['OPENACC', 'OPENCL', 'MTAPI', 'SAMPLING', 'NONE', 'HIP', 'KOKKOS'],
  ],
  paradigmClass: ['PROCESS', 'THREAD_FORK_JOIN', 'THREAD_CREATE_WAIT', 'ACCELERATOR'],
  paradigmProperty: ['COMM_NAME_TEMPLATE', 'RMA_WIN_NAME_TEMPLATE', 'RMA_ONLY'],
  ioParadigmClass: ['SERIAL', 'PARALLEL'],
  ioParadigmProperty: ['VERSION'],
  systemTreeDomain: [
    ...['MACHINE', 'SHARED_MEMORY', 'NUMA', 'SOCKET', 'CACHE', 'CORE', 'PU', 'ACCELERATOR_DEVICE'],
    'NETWORKING_DEVICE',
  ],
  locationGroupType: ['UNKNOWN', 'PROCESS', 'ACCELERATOR'],
  locationType: ['UNKNOWN', 'CPU_THREAD', 'ACCELERATOR_STREAM', 'METRIC'],
  regionRole: [
    ...['UNKNOWN', 'FUNCTION', 'WRAPPER', 'LOOP', 'CODE', 'PARALLEL', 'SECTIONS', 'SECTION', 'WORKSHARE'],
    ...['SINGLE', 'SINGLE_SBLOCK', 'MASTER', 'CRITICAL', 'CRITICAL_SBLOCK', 'ATOMIC', 'BARRIER'],
    ...['IMPLICIT_BARRIER', 'FLUSH', 'ORDERED', 'ORDERED_SBLOCK', 'TASK', 'TASK_CREATE', 'TASK_WAIT'],
    ...['COLL_ONE2ALL', 'COLL_ALL2ONE', 'COLL_ALL2ALL', 'COLL_OTHER', 'FILE_IO', 'POINT2POINT', 'RMA'],
    ...['DATA_TRANSFER', 'ARTIFICIAL', 'THREAD_CREATE', 'THREAD_WAIT', 'TASK_UNTIED', 'ALLOCATE'],
    ...['DEALLOCATE', 'REALLOCATE', 'FILE_IO_METADATA'],
  ],
  groupType: ['UNKNOWN', 'LOCATIONS', 'REGIONS', 'METRIC', 'COMM_LOCATIONS', 'COMM_GROUP', 'COMM_SELF'],
  base: ['BINARY', 'DECIMAL'],
  metricOccurrence: ['SYNCHRONOUS_STRICT', 'SYNCHRONOUS', 'ASYNCHRONOUS'],
  metricType: ['OTHER', 'PAPI', 'RUSAGE', 'USER'],
  metricScope: ['LOCATION', 'LOCATION_GROUP', 'SYSTEM_TREE_NODE', 'GROUP'],
  recorderKind: ['UNKNOWN', 'ABSTRACT', 'CPU', 'GPU'],
  parameterType: ['STRING', 'INT64', 'UINT64'],
  cartPeriodicity: ['FALSE', 'TRUE'],
  interruptGeneratorMode: ['TIME', 'COUNT'],
  type: [
    ...['NONE', 'UINT8', 'UINT16', 'UINT32', 'UINT64', 'INT8', 'INT16', 'INT32', 'INT64', 'FLOAT', 'DOUBLE'],
    ...['STRING', 'ATTRIBUTE', 'LOCATION', 'REGION', 'GROUP', 'METRIC', 'COMM', 'PARAMETER', 'RMA_WIN'],
    ...['SOURCE_CODE_LOCATION', 'CALLING_CONTEXT', 'INTERRUPT_GENERATOR', 'IO_FILE', 'IO_HANDLE'],
    'LOCATION_GROUP',
  ],
} as const;

export const bitSets = {
  rmaSyncLevel: ['PROCESS', 'MEMORY'],
  ioCreationFlag: [
    ...['CREATE', 'TRUNCATE', 'DIRECTORY', 'EXCLUSIVE', 'NO_CONTROLLING_TERMINAL', 'NO_FOLLOW', 'PATH'],
    ...['TEMPORARY_FILE', 'LARGEFILE', 'NO_SEEK', 'UNIQUE'],
  ],
  ioStatusFlag: [
    ...['CLOSE_ON_EXEC', 'APPEND', 'NON_BLOCKING', 'ASYNC', 'SYNC', 'DATA_SYNC', 'AVOID_CACHING'],
    ...['NO_ACCESS_TIME', 'DELETE_ON_CLOSE'],
  ],
  ioOperationFlag: ['NON_BLOCKING', 'COLLECTIVE'],
  ioParadigmFlag: ['OS'],
  ioHandleFlag: ['PRE_CREATED', 'ALL_PROXY'],
  regionFlag: ['DYNAMIC', 'PHASE'],
  groupFlag: ['GLOBAL_MEMBERS'],
  commFlag: ['CREATE_DESTROY_EVENTS'],
  rmaWinFlag: ['CREATE_DESTROY_EVENTS'],
} as const;

const values = ['ACCUMULATED', 'ABSOLUTE', 'RELATIVE'];
const timings = ['START', 'POINT', 'LAST', 'NEXT'];

/** What the values of a metric are of: the low four bits say what they count from, the high ones which span of time they are of. */
export function metricModeName(mode: number): string {
  const value = values[mode & 15];
  const timing = timings[mode >> 4];
  return value === undefined || timing === undefined ? `${mode}` : `${value}_${timing}`;
}

export type EnumerationName = keyof typeof enumerations;
export type BitSetName = keyof typeof bitSets;

/** The name of a value of an enumeration; its number where it has none. */
export function enumName(enumeration: EnumerationName, value: number): string {
  const names: readonly string[] = enumerations[enumeration];
  return names[value] ?? `${value}`;
}

/** The names of the bits that are set, and the rest as a number. */
export function bitNames(set: BitSetName, value: number): readonly string[] {
  const names: readonly string[] = bitSets[set];
  const found = names.filter((_, bit) => (value & (1 << bit)) !== 0);
  const rest = value - (value & (2 ** names.length - 1));
  return rest === 0 ? found : [...found, `${rest}`];
}
