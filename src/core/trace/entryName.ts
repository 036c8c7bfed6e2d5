import type { EntryKey, MessageKey } from './callTrace';

/** `sweep.f`, `MPI_RECV from 3`, `MPI_SEND to +1`, `MPI_BCAST of 0`. */
export function entryName(key: EntryKey): string {
  if (key.kind === 'context') return key.name;
  const { call, communicator } = key;
  const name = `${call}${partnerText(key)}`;
  return communicator === undefined || communicator === 'MPI_COMM_WORLD' ? name : `${name}, ${communicator}`;
}

const prepositions = { send: 'to', receive: 'from', collective: 'of' };

/** Distances have the signs that sentences have. */
function partnerText({ kind, partner, isRelative }: MessageKey): string {
  if (partner === undefined) return '';
  const other = partner < 0 ? `−${-partner}` : `${isRelative === true && partner > 0 ? '+' : ''}${partner}`;
  return ` ${prepositions[kind]} ${other}`;
}
