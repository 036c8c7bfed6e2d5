import { formatCount } from '../../../src/core/format';
import {
  entryOf,
  ranksOfRow,
  type CommunicationMatrix,
  type CommunicationShape,
  type CommunicationValue,
} from '../../../src/core/communication/communicationMatrix';
import { valueFormats } from './matrixDrawing';
import type { HeatCell } from '../../charts/heatSquare';
import type { MatrixModel, MatrixWindow } from './matrixModel';

/** `5`, or `8-15` where ranks share a row. */
export function rowText(matrix: CommunicationShape, row: number, rows = 1): string {
  const [first] = ranksOfRow(matrix, row);
  const [, last] = ranksOfRow(matrix, Math.min(matrix.size, row + rows) - 1);
  return first === last ? String(first) : `${first}-${last}`;
}

/** A cell of the picture in words: the pair, its traffic, and the sums of its row and its column. */
export function cellWords(
  model: MatrixModel,
  value: CommunicationValue,
  { row, column }: HeatCell,
  perBin: number,
  window: MatrixWindow,
): string {
  const { matrix } = model;
  const start = (at: number, first: number): number => first + Math.floor((at - first) / perBin) * perBin;
  const [top, left] = [start(row, window.row), start(column, window.column)];
  const pair = `${rowText(matrix, top, perBin)} → ${rowText(matrix, left, perBin)}`;
  const { sent, received } = model.sumsOf(value);
  const all = (sums: Float64Array, from: number): string =>
    valueFormats[value](sums.subarray(from, from + perBin).reduce((sum, one) => sum + one, 0));
  const traffic = trafficText(matrix, top, left, perBin);
  return `${pair}: ${traffic}; all sent ${all(sent, top)}, all received ${all(received, left)}`;
}

/** Exact numbers of one pair, or the sums of all pairs of a bin. */
function trafficText(matrix: CommunicationMatrix, top: number, left: number, perBin: number): string {
  let [pairs, bytes, messages, seconds] = [0, 0, 0, 0];
  for (let row = top; row < Math.min(matrix.size, top + perBin); row++)
    for (let column = left; column < Math.min(matrix.size, left + perBin); column++) {
      const entry = entryOf(matrix, row, column);
      if (entry === undefined) continue;
      pairs++;
      bytes += matrix.bytes[entry] ?? 0;
      messages += matrix.messages[entry] ?? 0;
      seconds += matrix.seconds?.[entry] ?? 0;
    }
  if (pairs === 0) return 'nothing';
  return [
    `${valueFormats.bytes(bytes)} in ${formatCount(messages)} ${messages === 1 ? 'message' : 'messages'}`,
    ...(matrix.seconds === undefined ? [] : [valueFormats.seconds(seconds)]),
    ...(perBin === 1 ? [] : [`${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`]),
  ].join(', ');
}
