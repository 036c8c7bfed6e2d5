import { at } from '../../core/at';
import { communicationMatrix, type CommunicationMatrix } from '../../core/communication/communicationMatrix';
import { KymoError } from '../../core/errors';
import { isRecord } from '../../core/present';

/** Name of the file beside an experiment's profile (docs/formats.md, "Messages of an experiment"). */
export const communicationFileName = 'communication.json';

interface CommunicationFile {
  readonly kymoCommunication: 1;
  readonly ranks: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly messages: readonly number[];
  readonly bytes: readonly number[];
  readonly seconds?: readonly number[];
}

/** @param matrix with a row for each rank */
export function writeCommunication(matrix: CommunicationMatrix): string {
  const { ranks, from, to, messages, bytes, seconds } = matrix;
  const file: CommunicationFile = {
    kymoCommunication: 1,
    ranks,
    from: [...from],
    to: [...to],
    messages: [...messages],
    bytes: [...bytes],
    ...(seconds === undefined ? {} : { seconds: [...seconds] }),
  };
  return JSON.stringify(file);
}

/** @throws KymoError `invalid-communication` */
export function parseCommunication(text: string, file: string): CommunicationMatrix {
  try {
    const value: unknown = JSON.parse(text);
    if (!isCommunication(value)) throw new Error('it is not what Kymo writes');
    const { ranks, from, to, messages, bytes, seconds } = value;
    const entries = from.map((sender, entry) => ({
      from: sender,
      to: at(to, entry),
      messages: at(messages, entry),
      bytes: at(bytes, entry),
      ...(seconds === undefined ? {} : { seconds: at(seconds, entry) }),
    }));
    return communicationMatrix(ranks, entries);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new KymoError(
      'invalid-communication',
      `${file} does not have the bytes between each pair of processes: ${reason}. Measure again.`,
      { file },
      { cause: error },
    );
  }
}

function isCommunication(value: unknown): value is CommunicationFile {
  if (!isRecord(value) || value.kymoCommunication !== 1 || !Array.isArray(value.from)) return false;
  const { length } = value.from;
  const isColumn = (column: unknown): boolean =>
    Array.isArray(column) &&
    column.length === length &&
    column.every((entry) => typeof entry === 'number' && entry >= 0);
  return (
    Number.isSafeInteger(value.ranks) &&
    [value.from, value.to, value.messages, value.bytes].every(isColumn) &&
    (value.seconds === undefined || isColumn(value.seconds))
  );
}
