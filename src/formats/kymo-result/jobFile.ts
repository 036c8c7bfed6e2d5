import { KymoError } from '../../core/errors';
import type { NamedSource, Range } from '../byteSource';
import { waitBytes } from './processWaits';
import type { ResultFileErrorReason } from './reader';

/** What a process exchanged with another one in messages of a tag and a communicator. */
export interface Partner {
  /** Rank in `MPI_COMM_WORLD`. */
  readonly peer: number;
  /** -1: all tags that have no entry of their own. */
  readonly tag: number;
  /** Whether the messages came from the peer; otherwise they went to it. */
  readonly received: boolean;
  /** Identifies the communicator within the job. */
  readonly comm: number;
  readonly messages: number;
  readonly bytes: number;
  /** Ticks during which receives waited for sends that the peer began later. */
  readonly waitedTicks: number;
}

/** Where the file holds what is known of one process. */
export interface JobPlace {
  /** A result file (`parseResult`). */
  readonly result: Range;
  readonly partners: Range;
  /** A file of iterations (`ProcessStream`); empty when there are none. */
  readonly iterations: Range;
  /** What its iterations waited (`ProcessWaits`); empty when there is nothing, and in files of the first version. */
  readonly waits: Range;
}

/** Each version has one more part of each process than the one before. */
const magics = ['KYMOJOB1', 'KYMOJOB2'];
const magicBytes = 8;
const headerBytes = 24;
const partnerBytes = 40;

/**
 * The places of a job's processes, by rank (docs/formats.md, "Result of a job").
 * @throws KymoError `not-a-result`, `invalid-result`
 */
export function readJobPlaces(source: NamedSource): readonly JobPlace[] {
  const header = viewOf(source, { offset: 0, length: headerBytes });
  const name = Buffer.from(header.buffer, header.byteOffset, magicBytes).toString('latin1');
  const version = magics.indexOf(name);
  if (version < 0)
    throw new KymoError<ResultFileErrorReason>(
      'not-a-result',
      `${source.file}: not the result of a job (it does not begin with ${magics.join(' or ')}).`,
      { file: source.file, offset: 0 },
    );
  const placeBytes = 32 + 8 * version;
  const ranks = header.getUint32(8, true);
  const directory = viewOf(source, { offset: u64(header, 16), length: ranks * placeBytes });
  return Array.from({ length: ranks }, (_, rank) => {
    const [offset = 0, result = 0, partners = 0, iterations = 0, waits = 0] = Array.from(
      { length: placeBytes / 8 },
      (_part, field) => u64(directory, rank * placeBytes + 8 * field),
    );
    if (partners % partnerBytes !== 0) throw damaged(source, `the partners of rank ${rank} are cut off`);
    if (waits % waitBytes !== 0) throw damaged(source, `the waits of rank ${rank} are cut off`);
    return {
      result: { offset, length: result },
      partners: { offset: offset + result, length: partners },
      iterations: { offset: offset + result + partners, length: iterations },
      waits: { offset: offset + result + partners + iterations, length: waits },
    };
  });
}

/** @throws KymoError `invalid-result` */
export function readPartners(source: NamedSource, range: Range): readonly Partner[] {
  const view = viewOf(source, range);
  return Array.from({ length: range.length / partnerBytes }, (_, index) => {
    const at = index * partnerBytes;
    return {
      peer: view.getInt32(at, true),
      tag: view.getInt32(at + 4, true),
      received: view.getUint32(at + 8, true) === 1,
      comm: view.getUint32(at + 12, true),
      messages: u64(view, at + 16),
      bytes: u64(view, at + 24),
      waitedTicks: u64(view, at + 32),
    };
  });
}

/** @throws KymoError `invalid-result` where the file is cut off */
export function readPart(source: NamedSource, { offset, length }: Range): Uint8Array {
  if (offset + length > source.size)
    throw damaged(source, `${length} bytes at ${offset} of a file of ${source.size} bytes`);
  return source.read(offset, length);
}

function viewOf(source: NamedSource, range: Range): DataView {
  const bytes = readPart(source, range);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function u64(view: DataView, offset: number): number {
  return Number(view.getBigUint64(offset, true));
}

function damaged({ file }: NamedSource, what: string): KymoError<ResultFileErrorReason> {
  return new KymoError('invalid-result', `${file}: ${what}. The file is damaged; measure again.`, { file });
}
