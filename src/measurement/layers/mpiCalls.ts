import { present } from '../../core/present';
import { enumerations } from '../../formats/otf2/layouts/enums';

/** What the layer does for one MPI function, as statements in C. `$3` is the third parameter, `$comm` the facts of the communicator. */
export interface MpiCall {
  /** The position of the communicator whose facts the statements use. */
  readonly comm?: number;
  /** Before the call; may declare variables. */
  readonly before?: string;
  /** After a successful call. */
  readonly after?: string;
  /** Whether `after` is due even when nothing is recorded. */
  readonly always?: true;
  /** What a trace has of a collective operation: its number there, and the position of its root. `started`: it completes later. */
  readonly traced?: { readonly operation: number; readonly root?: number; readonly started?: true };
  /** Whom a collective operation waits for, and the position of its root. */
  readonly meets?: { readonly kind: 'ALL_TO_ALL' | 'ONE_TO_ALL' | 'ALL_TO_ONE'; readonly root?: number };
}

/** Buffer, count, type, destination, tag, communicator. */
const send: MpiCall = { before: 'kymo_mpi_sends($2, $3, $4, $5, $6, KYMO_BLOCKS);' };
const bufferedSend: MpiCall = { before: 'kymo_mpi_sends($2, $3, $4, $5, $6, KYMO_BUFFERED);' };
const startedSend = (how: string): MpiCall => ({
  before: `struct kymo_logged sent = kymo_mpi_sends($2, $3, $4, $5, $6, ${how});`,
  after: 'kymo_mpi_track_send(*$7, sent);',
});
const nonblockingSend = startedSend('KYMO_STARTS');
const persistentSend: MpiCall = { after: 'kymo_mpi_track_sends(*$7, $2, $3, $4, $5, $6);' };

/** The program may ignore the status that a statement needs. */
const ownStatus = (position: number): string =>
  `MPI_Status own; if ($${position} == MPI_STATUS_IGNORE) $${position} = &own;`;

const batch = (count: number, requests: number, statuses: number): string =>
  `struct kymo_batch batch; kymo_mpi_keep(&batch, $${count}, $${requests}, &$${statuses});`;
const awaits = (count: string, requests: string): string => `kymo_mpi_awaits(${count}, ${requests});`;

/** A collective operation: the bytes that go from this process and to it. */
const moves = (comm: number, sent: string, received: string): MpiCall => ({
  comm,
  before: `kymo_mpi_moves(${sent}, ${received});`,
});
const bytes = (count: string | number, type: number): string =>
  `kymo_mpi_bytes(${typeof count === 'number' ? `$${count}` : count}, $${type})`;
const all = 'kymo_comm->others';
const inPlace = '$1 == MPI_IN_PLACE';
/** Processes leave the operation when all have begun it, when the root has, or, the root, when the others have. */
const allMeet = { meets: { kind: 'ALL_TO_ALL' } } as const;
const rootSends = (root: number) => ({ meets: { kind: 'ONE_TO_ALL', root } }) as const;
const rootReceives = (root: number) => ({ meets: { kind: 'ALL_TO_ONE', root } }) as const;
const isRoot = (position: number): string => `kymo_mpi_is_root($${position}, kymo_comm)`;

/** Score-P's definitions of the bytes of collective operations (its MPI adapter; see runtime/mpi/traffic.c). */
const collective: Readonly<Record<string, MpiCall>> = {
  Bcast: {
    ...moves(
      5,
      `${isRoot(4)} ? ${all} * ${bytes(2, 3)} : 0`,
      `kymo_comm->inter && ($4 == MPI_ROOT || $4 == MPI_PROC_NULL) ? 0 : ${bytes(2, 3)}`,
    ),
    ...rootSends(4),
  },
  Gather: {
    ...moves(
      8,
      `${inPlace} || (kymo_comm->inter && $7 < 0) ? ${inPlace} ? ${bytes(5, 6)} : 0 : ${bytes(2, 3)}`,
      `${isRoot(7)} ? ${all} * ${bytes(5, 6)} : 0`,
    ),
    ...rootReceives(7),
  },
  Gatherv: {
    ...moves(
      9,
      `${inPlace} ? ${bytes('$5[kymo_comm->rank]', 7)} : kymo_comm->inter && $8 < 0 ? 0 : ${bytes(2, 3)}`,
      `${isRoot(8)} ? ${bytes(`KYMO_SUM($5, ${all})`, 7)} : 0`,
    ),
    ...rootReceives(8),
  },
  Scatter: {
    ...moves(
      8,
      `${isRoot(7)} ? ${all} * ${bytes(2, 3)} : 0`,
      `kymo_comm->inter && $7 < 0 ? 0 : $4 == MPI_IN_PLACE ? ${bytes(2, 3)} : ${bytes(5, 6)}`,
    ),
    ...rootSends(7),
  },
  Scatterv: {
    ...moves(
      9,
      `${isRoot(8)} ? ${bytes(`KYMO_SUM($2, ${all})`, 4)} : 0`,
      `kymo_comm->inter && $8 < 0 ? 0 : $5 == MPI_IN_PLACE ? ${bytes('$2[kymo_comm->rank]', 4)} : ${bytes(6, 7)}`,
    ),
    ...rootSends(8),
  },
  Allgather: {
    ...moves(7, `${all} * (${inPlace} ? ${bytes(5, 6)} : ${bytes(2, 3)})`, `${all} * ${bytes(5, 6)}`),
    ...allMeet,
  },
  Allgatherv: {
    ...moves(
      8,
      `${all} * (${inPlace} ? ${bytes('$5[kymo_comm->rank]', 7)} : ${bytes(2, 3)})`,
      bytes(`KYMO_SUM($5, ${all})`, 7),
    ),
    ...allMeet,
  },
  Alltoall: {
    ...moves(7, `${all} * (${inPlace} ? ${bytes(5, 6)} : ${bytes(2, 3)})`, `${all} * ${bytes(5, 6)}`),
    ...allMeet,
  },
  Alltoallv: {
    ...moves(
      9,
      `${inPlace} ? ${bytes(`KYMO_SUM($6, ${all})`, 8)} : ${bytes(`KYMO_SUM($2, ${all})`, 4)}`,
      bytes(`KYMO_SUM($6, ${all})`, 8),
    ),
    ...allMeet,
  },
  Alltoallw: {
    ...moves(
      9,
      `${inPlace} ? KYMO_SUM_BYTES($6, $8, ${all}) : KYMO_SUM_BYTES($2, $4, ${all})`,
      `KYMO_SUM_BYTES($6, $8, ${all})`,
    ),
    ...allMeet,
  },
  Reduce: {
    ...moves(
      7,
      `kymo_comm->inter && $6 < 0 ? 0 : ${bytes(3, 4)}`,
      `${isRoot(6)} ? ${all} * ${bytes(3, 4)} : 0`,
    ),
    ...rootReceives(6),
  },
  Allreduce: { ...moves(6, `${all} * ${bytes(3, 4)}`, `${all} * ${bytes(3, 4)}`), ...allMeet },
  Reduce_scatter: {
    ...moves(6, bytes('KYMO_SUM($3, kymo_comm->size)', 4), `${all} * ${bytes('$3[kymo_comm->rank]', 4)}`),
    ...allMeet,
  },
  Reduce_scatter_block: {
    ...moves(6, `kymo_comm->size * ${bytes(3, 4)}`, `${all} * ${bytes(3, 4)}`),
    ...allMeet,
  },
  Scan: moves(
    6,
    `(kymo_comm->size - kymo_comm->rank) * ${bytes(3, 4)}`,
    `(kymo_comm->rank + 1) * ${bytes(3, 4)}`,
  ),
  Exscan: moves(
    6,
    `(kymo_comm->size - kymo_comm->rank - 1) * ${bytes(3, 4)}`,
    `kymo_comm->rank * ${bytes(3, 4)}`,
  ),
  ...neighbourhood(),
};

/** Each process exchanges data with its neighbours of a Cartesian or graph topology. */
function neighbourhood(): Readonly<Record<string, MpiCall>> {
  const among = (comm: number, sent: string, received: string): MpiCall => ({
    before: `struct kymo_degrees near = kymo_mpi_neighbours($${comm}); kymo_mpi_moves(${sent}, ${received});`,
  });
  return {
    Neighbor_allgather: among(7, `near.out * ${bytes(2, 3)}`, `near.in * ${bytes(5, 6)}`),
    Neighbor_allgatherv: among(8, `near.out * ${bytes(2, 3)}`, bytes('KYMO_SUM($5, near.in)', 7)),
    Neighbor_alltoall: among(7, `near.out * ${bytes(2, 3)}`, `near.in * ${bytes(5, 6)}`),
    Neighbor_alltoallv: among(9, bytes('KYMO_SUM($2, near.out)', 4), bytes('KYMO_SUM($6, near.in)', 8)),
    Neighbor_alltoallw: among(9, 'KYMO_SUM_BYTES($2, $4, near.out)', 'KYMO_SUM_BYTES($6, $8, near.in)'),
  };
}

const collectives: Readonly<Record<string, MpiCall>> = { Barrier: { comm: 1, ...allMeet }, ...collective };

const put: MpiCall = { before: `kymo_mpi_accesses(${bytes(2, 3)}, 0, $4);` };
const get: MpiCall = { before: `kymo_mpi_accesses(0, ${bytes(2, 3)}, $4);` };
const getAccumulate: MpiCall = { before: `kymo_mpi_accesses(${bytes(2, 3)}, ${bytes(5, 6)}, $7);` };

const forgetsComm: MpiCall = { before: 'kymo_mpi_forget(*$1);' };
const starts: MpiCall = { after: 'kymo_mpi_started();', always: true };

/** All processes of a communicator number it when it is made, which tells it from others of the same processes. */
const makingComms: Readonly<Record<string, MpiCall>> = Object.fromEntries(
  Object.entries({
    Comm_dup: 2,
    Comm_dup_with_info: 3,
    Comm_create: 3,
    Comm_create_group: 4,
    Comm_split: 4,
    Comm_split_type: 5,
    Cart_create: 6,
    Cart_sub: 3,
    Graph_create: 6,
    Dist_graph_create: 9,
    Dist_graph_create_adjacent: 10,
    Intercomm_create: 6,
    Intercomm_merge: 3,
  }).map(([name, made]) => [name, { after: `kymo_mpi_comm(*$${made});` }]),
);

/**
 * The functions of the MPI standard (3.1, and the large counts of 4.0, `…_c`) of which the layer records more than visits and time,
 * without `MPI_`. All other functions of the program's mpi.h are regions, too.
 */
export const mpiCalls: Readonly<Record<string, MpiCall>> = withVariants({
  Init: starts,
  Init_thread: starts,
  Finalize: { before: 'kymo_mpi_finishes();', after: 'kymo_mpi_finished();' },
  Send: send,
  Bsend: bufferedSend,
  Ssend: send,
  Rsend: send,
  Isend: nonblockingSend,
  Ibsend: startedSend('KYMO_STARTS_BUFFERED'),
  Issend: nonblockingSend,
  Irsend: nonblockingSend,
  Send_init: persistentSend,
  Bsend_init: persistentSend,
  Ssend_init: persistentSend,
  Rsend_init: persistentSend,
  Recv: { before: ownStatus(7), after: 'kymo_mpi_received($7, $6, kymo_mpi_entered(), 0);' },
  Mprobe: { after: 'kymo_mpi_track_message(*$4, $3);' },
  Improbe: { after: 'if (*$4) kymo_mpi_track_message(*$5, $3);' },
  Mrecv: {
    before: `MPI_Comm comm = kymo_mpi_take_message(*$4); ${ownStatus(5)}`,
    after: 'kymo_mpi_received($5, comm, kymo_mpi_entered(), 0);',
  },
  Irecv: { after: 'kymo_mpi_track_receive(*$7, $6, false);' },
  Imrecv: {
    before: 'MPI_Comm comm = kymo_mpi_take_message(*$4);',
    after: 'kymo_mpi_track_receive(*$5, comm, false);',
  },
  Recv_init: { after: 'kymo_mpi_track_receive(*$7, $6, true);' },
  Sendrecv: {
    before: `kymo_mpi_sends($2, $3, $4, $5, $11, KYMO_BLOCKS); ${ownStatus(12)}`,
    after: 'kymo_mpi_received($12, $11, kymo_mpi_entered(), 0);',
  },
  Sendrecv_replace: {
    before: `kymo_mpi_sends($2, $3, $4, $5, $8, KYMO_BLOCKS); ${ownStatus(9)}`,
    after: 'kymo_mpi_received($9, $8, kymo_mpi_entered(), 0);',
  },
  Start: { before: 'kymo_mpi_start(1, $1);' },
  Startall: { before: 'kymo_mpi_start($1, $2);' },
  Request_free: { before: 'kymo_mpi_untrack(*$1);' },
  Wait: {
    before: `MPI_Request request = *$1; ${ownStatus(2)} ${awaits('1', '$1')}`,
    after: 'kymo_mpi_completed(request, $2);',
  },
  Test: {
    before: `MPI_Request request = *$1; ${ownStatus(3)}`,
    after: 'if (*$2) kymo_mpi_completed(request, $3);',
  },
  Waitall: {
    before: `${batch(1, 2, 3)} ${awaits('$1', '$2')}`,
    after: 'kymo_mpi_release(&batch, $1, NULL, $3);',
  },
  Testall: { before: batch(1, 2, 4), after: 'kymo_mpi_release(&batch, *$3 ? $1 : 0, NULL, $4);' },
  Waitany: {
    before: `MPI_Status *statuses = MPI_STATUSES_IGNORE; ${batch(1, 2, 0).replace('$0', 'statuses')} ${ownStatus(4)} ${awaits('$1', '$2')}`,
    after: 'kymo_mpi_release(&batch, *$3 == MPI_UNDEFINED ? 0 : 1, $3, $4);',
  },
  Testany: {
    before: `MPI_Status *statuses = MPI_STATUSES_IGNORE; ${batch(1, 2, 0).replace('$0', 'statuses')} ${ownStatus(5)}`,
    after: 'kymo_mpi_release(&batch, *$4 && *$3 != MPI_UNDEFINED ? 1 : 0, $3, $5);',
  },
  Waitsome: {
    before: `${batch(1, 2, 5)} ${awaits('$1', '$2')}`,
    after: 'kymo_mpi_release(&batch, *$3 == MPI_UNDEFINED ? 0 : *$3, $4, $5);',
  },
  Testsome: {
    before: batch(1, 2, 5),
    after: 'kymo_mpi_release(&batch, *$3 == MPI_UNDEFINED ? 0 : *$3, $4, $5);',
  },
  ...Object.fromEntries(
    Object.entries(collectives).map(([name, call]) => [name, { ...call, ...traced(name, call) }]),
  ),
  Put: put,
  Rput: put,
  Accumulate: put,
  Raccumulate: put,
  Get: get,
  Rget: get,
  Get_accumulate: getAccumulate,
  Rget_accumulate: getAccumulate,
  Fetch_and_op: { before: `kymo_mpi_accesses(${bytes('1', 3)}, ${bytes('1', 3)}, $4);` },
  Compare_and_swap: { before: `kymo_mpi_accesses(2 * ${bytes('1', 4)}, ${bytes('1', 4)}, $5);` },
  ...makingComms,
  Type_free: { before: 'kymo_mpi_forget_type();' },
  Comm_free: forgetsComm,
  Comm_disconnect: forgetsComm,
});

/** What a trace has of a collective operation; it has no operations with neighbours. */
function traced(name: string, { meets }: MpiCall): Pick<MpiCall, 'traced'> {
  const names: readonly string[] = enumerations.collectiveOp;
  const operation = names.indexOf(name.toUpperCase());
  return operation < 0 ? {} : { traced: { operation, ...present({ root: meets?.root }) } };
}

/** Nonblocking collective operations have the parameters of the blocking ones and a request; `…_c` has wider counts. */
function withVariants(calls: Readonly<Record<string, MpiCall>>): Readonly<Record<string, MpiCall>> {
  const nonblocking = Object.entries(collectives).map(([name, call]) => {
    const { comm, before } = call;
    const { traced: blocking } = traced(name, call);
    return [
      `I${name.charAt(0).toLowerCase()}${name.slice(1)}`,
      present({ comm, before, traced: blocking && ({ ...blocking, started: true } as const) }),
    ] as const;
  });
  const together = [...Object.entries(calls), ...nonblocking];
  return Object.fromEntries(
    together.flatMap(([name, call]) => [
      [name, call],
      [`${name}_c`, call],
    ]),
  );
}
