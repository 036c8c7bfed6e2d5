import { fieldOf, fieldsOf, type Field } from './fields';

/**
 * One event record. Behind the type byte stands the number of bytes of the fields, unless the record is `bare`: those records have exactly one
 * compressed field, and existed before records got a length.
 */
export interface EventLayout {
  readonly kind: number;
  readonly name: string;
  readonly bare: boolean;
  readonly fields: readonly Field[];
  /**
   * The last field is the number of elements that follow: `typed` ones have a byte of their type before a compressed word of 64 bits, `refs` are
   * references.
   */
  readonly repeated?: { readonly as: 'typed' } | { readonly as: 'refs'; readonly field: Field };
}

function event(kind: number, name: string, fields = ''): EventLayout {
  return { kind, name, bare: false, fields: fieldsOf(fields) };
}

function bare(kind: number, name: string, field: string): EventLayout {
  return { kind, name, bare: true, fields: fieldsOf(field) };
}

const message = 'comm tag:u32 bytes:u64';
const collective = 'operation:collectiveOp comm root:rank sent:u64 received:u64';
const task = 'team:comm creatingThread:rank generation:u32';

const layouts: readonly EventLayout[] = [
  event(10, 'BUFFER_FLUSH', 'stopTime:time'),
  event(11, 'MEASUREMENT_ON_OFF', 'mode:measurementMode'),
  bare(12, 'ENTER', 'region'),
  bare(13, 'LEAVE', 'region'),
  event(14, 'MPI_SEND', `receiver:rank ${message}`),
  event(15, 'MPI_ISEND', `receiver:rank ${message} request:u64`),
  bare(16, 'MPI_ISEND_COMPLETE', 'request:u64'),
  bare(17, 'MPI_IRECV_REQUEST', 'request:u64'),
  event(18, 'MPI_RECV', `sender:rank ${message}`),
  event(19, 'MPI_IRECV', `sender:rank ${message} request:u64`),
  bare(20, 'MPI_REQUEST_TEST', 'request:u64'),
  bare(21, 'MPI_REQUEST_CANCELLED', 'request:u64'),
  event(22, 'MPI_COLLECTIVE_BEGIN'),
  event(23, 'MPI_COLLECTIVE_END', collective),
  bare(24, 'OMP_FORK', 'threads:u32'),
  event(25, 'OMP_JOIN'),
  event(26, 'OMP_ACQUIRE_LOCK', 'lock:u32 order:u32'),
  event(27, 'OMP_RELEASE_LOCK', 'lock:u32 order:u32'),
  bare(28, 'OMP_TASK_CREATE', 'task:u64'),
  bare(29, 'OMP_TASK_SWITCH', 'task:u64'),
  bare(30, 'OMP_TASK_COMPLETE', 'task:u64'),
  { ...event(31, 'METRIC', 'metric count:u8'), repeated: { as: 'typed' } },
  event(32, 'PARAMETER_STRING', 'parameter string'),
  event(33, 'PARAMETER_INT64', 'parameter value:i64'),
  event(34, 'PARAMETER_UINT64', 'parameter value:u64'),
  event(35, 'RMA_WIN_CREATE', 'rmaWin'),
  event(36, 'RMA_WIN_DESTROY', 'rmaWin'),
  event(37, 'RMA_COLLECTIVE_BEGIN'),
  event(
    38,
    'RMA_COLLECTIVE_END',
    'operation:collectiveOp syncLevel:rmaSyncLevel rmaWin root:rank sent:u64 received:u64',
  ),
  event(39, 'RMA_GROUP_SYNC', 'syncLevel:rmaSyncLevel rmaWin group'),
  event(40, 'RMA_REQUEST_LOCK', 'rmaWin remote:rank lock:u64 lockType'),
  event(41, 'RMA_ACQUIRE_LOCK', 'rmaWin remote:rank lock:u64 lockType'),
  event(42, 'RMA_TRY_LOCK', 'rmaWin remote:rank lock:u64 lockType'),
  event(43, 'RMA_RELEASE_LOCK', 'rmaWin remote:rank lock:u64'),
  event(44, 'RMA_SYNC', 'rmaWin remote:rank syncType:rmaSyncType'),
  event(45, 'RMA_WAIT_CHANGE', 'rmaWin'),
  event(46, 'RMA_PUT', 'rmaWin remote:rank bytes:u64 matching:u64'),
  event(47, 'RMA_GET', 'rmaWin remote:rank bytes:u64 matching:u64'),
  event(48, 'RMA_ATOMIC', 'rmaWin remote:rank atomic:rmaAtomicType sent:u64 received:u64 matching:u64'),
  event(49, 'RMA_OP_COMPLETE_BLOCKING', 'rmaWin matching:u64'),
  event(50, 'RMA_OP_COMPLETE_NON_BLOCKING', 'rmaWin matching:u64'),
  event(51, 'RMA_OP_TEST', 'rmaWin matching:u64'),
  event(52, 'RMA_OP_COMPLETE_REMOTE', 'rmaWin matching:u64'),
  event(53, 'THREAD_FORK', 'model:paradigm threads:u32'),
  event(54, 'THREAD_JOIN', 'model:paradigm'),
  event(55, 'THREAD_TEAM_BEGIN', 'team:comm'),
  event(56, 'THREAD_TEAM_END', 'team:comm'),
  event(57, 'THREAD_ACQUIRE_LOCK', 'model:paradigm lock:u32 order:u32'),
  event(58, 'THREAD_RELEASE_LOCK', 'model:paradigm lock:u32 order:u32'),
  event(59, 'THREAD_TASK_CREATE', task),
  event(60, 'THREAD_TASK_SWITCH', task),
  event(61, 'THREAD_TASK_COMPLETE', task),
  event(62, 'THREAD_CREATE', 'contingent:comm sequence:u64'),
  event(63, 'THREAD_BEGIN', 'contingent:comm sequence:u64'),
  event(64, 'THREAD_WAIT', 'contingent:comm sequence:u64'),
  event(65, 'THREAD_END', 'contingent:comm sequence:u64'),
  event(66, 'CALLING_CONTEXT_ENTER', 'callingContext unwindDistance:u32'),
  event(67, 'CALLING_CONTEXT_LEAVE', 'callingContext'),
  event(68, 'CALLING_CONTEXT_SAMPLE', 'callingContext unwindDistance:u32 interruptGenerator'),
  event(
    69,
    'IO_CREATE_HANDLE',
    'handle:ioHandle mode:ioAccessMode creation:ioCreationFlag status:ioStatusFlag',
  ),
  event(70, 'IO_DESTROY_HANDLE', 'handle:ioHandle'),
  event(71, 'IO_DUPLICATE_HANDLE', 'handle:ioHandle newHandle:ioHandle status:ioStatusFlag'),
  event(72, 'IO_SEEK', 'handle:ioHandle offset:i64 whence:ioSeekOption result:u64'),
  event(73, 'IO_CHANGE_FLAGS', 'handle:ioHandle status:ioStatusFlag'),
  event(74, 'IO_DELETE_FILE', 'ioParadigm file:ioFile'),
  event(
    75,
    'IO_OPERATION_BEGIN',
    'handle:ioHandle mode:ioOperationMode flags:ioOperationFlag bytes:u64 matching:u64',
  ),
  event(76, 'IO_OPERATION_TEST', 'handle:ioHandle matching:u64'),
  event(77, 'IO_OPERATION_ISSUED', 'handle:ioHandle matching:u64'),
  event(78, 'IO_OPERATION_COMPLETE', 'handle:ioHandle bytes:u64 matching:u64'),
  event(79, 'IO_OPERATION_CANCELLED', 'handle:ioHandle matching:u64'),
  event(80, 'IO_ACQUIRE_LOCK', 'handle:ioHandle lockType'),
  event(81, 'IO_RELEASE_LOCK', 'handle:ioHandle lockType'),
  event(82, 'IO_TRY_LOCK', 'handle:ioHandle lockType'),
  {
    ...event(83, 'PROGRAM_BEGIN', 'name:string count:u32'),
    repeated: { as: 'refs', field: fieldOf('argument:string') },
  },
  event(84, 'PROGRAM_END', 'exitStatus:i64'),
  event(85, 'NON_BLOCKING_COLLECTIVE_REQUEST', 'request:u64'),
  event(86, 'NON_BLOCKING_COLLECTIVE_COMPLETE', `${collective} request:u64`),
  event(87, 'COMM_CREATE', 'comm'),
  event(88, 'COMM_DESTROY', 'comm'),
];

/** By the record's type byte. */
export const eventLayouts: readonly (EventLayout | undefined)[] = Array.from({ length: 256 }, (_, kind) =>
  layouts.find((layout) => layout.kind === kind),
);

export const enterKind = 12;
export const leaveKind = 13;

/** @throws Error for a name that does not exist */
export function eventKind(name: string): number {
  const layout = layouts.find((each) => each.name === name);
  if (layout === undefined) throw new Error(`There is no event ${name}.`);
  return layout.kind;
}

/** Ends of collective operations, whose fields are the same. */
export const collectiveEnds = ['MPI_COLLECTIVE_END', 'NON_BLOCKING_COLLECTIVE_COMPLETE'].map(eventKind);
