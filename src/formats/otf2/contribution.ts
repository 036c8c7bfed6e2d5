/**
 * How a record of a collective operation becomes what one process contributes. Records have the bytes that a process sends to, and receives from, each process of
 * the communicator (also itself), summed: they grow with the communicator, and those of the root differ from those of the others.
 */
type Contribution = (sent: number, received: number, size: number) => number;

const own: Contribution = (sent) => sent;
const got: Contribution = (_, received) => received;
/** The same to each process, or of blocks of several sizes the mean one. */
const toEach: Contribution = (sent, _, size) => sent / size;

const contributions: Readonly<Record<string, Contribution>> = {
  // The buffer, which all receive; only the root sends.
  BCAST: got,
  // The own block, which the root sends to itself too.
  SCATTER: got,
  SCATTERV: got,
  // The own block, or vector; only the root receives.
  GATHER: own,
  GATHERV: own,
  REDUCE: own,
  // The vector as a whole.
  REDUCE_SCATTER: own,
  REDUCE_SCATTER_BLOCK: toEach,
  // The own block, or vector, goes to all.
  ALLGATHER: toEach,
  ALLGATHERV: toEach,
  ALLREDUCE: toEach,
  // The block for one process.
  ALLTOALL: toEach,
  ALLTOALLV: toEach,
  ALLTOALLW: toEach,
  // The vector: it goes to the own rank and those above, and comes from it and those below; of the exclusive one without itself.
  SCAN: (sent, received, size) => (sent + received) / (size + 1),
  EXSCAN: (sent, received, size) => (size > 1 ? (sent + received) / (size - 1) : 0),
};

/**
 * Bytes that one process contributes to a collective operation: the same on the root and elsewhere, and for any number of processes.
 * @param operation `ALLREDUCE`
 * @param size number of processes; undefined: unknown, or two groups, of which all bytes are counted
 */
export function contribution(
  operation: string,
  sent: number,
  received: number,
  size: number | undefined,
): number {
  const of = contributions[operation];
  return of === undefined || size === undefined || size < 1 ? sent + received : of(sent, received, size);
}
