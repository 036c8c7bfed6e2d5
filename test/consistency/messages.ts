import type { ProfileJson } from '../../src/formats/exports/json';
import { cells } from './callTree';
import { sameNumber } from './numbers';

/** `communication.json` (docs/formats.md). */
export interface Messages {
  readonly ranks: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly messages: readonly number[];
  readonly bytes: readonly number[];
  readonly seconds: readonly number[];
}

/** Calls that send one message each, or none: to MPI_PROC_NULL. */
const sendsOne =
  /^MPI_([BSR]?[Ss]end|I[bsr]?send|Sendrecv|Sendrecv_replace|Isendrecv|Isendrecv_replace|Start)$/;
/** Calls that send, also several messages or some of those that others began. */
const sends = /^MPI_([BSR]?[Ss]end|I[bsr]?send|I?[Ss]endrecv|I?[Ss]endrecv_replace|Start|Startall)$/;
/** Calls in which a message may arrive. */
const receives =
  /^MPI_(M?[Rr]ecv|Im?recv|I?[Ss]endrecv|I?[Ss]endrecv_replace|Wait(any|all|some)?|Test(any|all|some)?|Request_get_status)$/;

/** The matrix against the call tree: point-to-point messages of each rank. */
export function messageContradictions(matrix: Messages, perLocation: ProfileJson): readonly string[] {
  const ranks = [...new Set(perLocation.locations.map(({ rank }) => rank))];
  const sum = (values: readonly number[], of: readonly number[], rank: number): number =>
    values.reduce((all, value, entry) => (of[entry] === rank ? all + value : all), 0);
  const inCalls = (metric: string, calls: RegExp, rank: number): number =>
    sumOf(perLocation, metric, calls, rank);
  const waited = ranks.reduce((all, rank) => all + inCalls('mpi_latesender', /^MPI_/, rank), 0);
  return [
    ...(matrix.ranks === ranks.length
      ? []
      : [`the matrix has ${matrix.ranks} ranks, the profile ${ranks.length}`]),
    ...sameNumber(
      'seconds that receives waited, in the matrix and in the call tree',
      matrix.seconds.reduce((all, own) => all + own, 0),
      waited,
    ),
    ...ranks.flatMap((rank) => {
      const messages = sum(matrix.messages, matrix.from, rank);
      const calls = inCalls('visits', sendsOne, rank);
      const begun = inCalls('visits', /^MPI_Startall$/, rank);
      return [
        ...sameNumber(
          `bytes that rank ${rank} sent, in the matrix and in its calls`,
          sum(matrix.bytes, matrix.from, rank),
          inCalls('bytes_sent', sends, rank),
        ),
        ...sameNumber(
          `bytes that rank ${rank} received, in the matrix and in its calls`,
          sum(matrix.bytes, matrix.to, rank),
          inCalls('bytes_received', receives, rank),
        ),
        ...(messages > calls && begun === 0
          ? [`rank ${rank} sent ${messages} messages by ${calls} calls`]
          : []),
      ];
    }),
  ];
}

function sumOf(profile: ProfileJson, metric: string, calls: RegExp, rank: number): number {
  const rows = cells(profile, metric, 'exclusive');
  return profile.callTree.reduce((sum, { region }, path) => {
    if (!calls.test(profile.regions[region]?.name ?? '')) return sum;
    return profile.locations.reduce(
      (all, { rank: own }, location) => (own === rank ? all + (rows[path]?.[location] ?? 0) : all),
      sum,
    );
  }, 0);
}
