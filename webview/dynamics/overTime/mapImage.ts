import { paintHeat } from '../../charts/heat';
import { paletteSize } from '../../charts/palette';
import type { MapModel, MapScale } from './mapModel';

export interface MapImageOptions {
  /** First and last shown iteration. */
  readonly span: readonly [number, number];
  readonly width: number;
  readonly height: number;
  readonly scale: MapScale;
  readonly colors: Uint8ClampedArray;
}

/**
 * The colours of a map, as red, green, blue and opacity per pixel. Where several iterations or ranks share a pixel, it shows the largest
 * value, so that no peak disappears; values that were not measured are transparent.
 */
export function mapImage(model: MapModel, options: MapImageOptions): Uint8ClampedArray {
  const { width, height, scale, colors } = options;
  const { rows } = model.header;
  const edges = columnEdges(model, options);
  const image = new Uint8ClampedArray(4 * width * height);
  const line = new Float32Array(width);
  let drawn = -1;
  for (let y = 0; y < height; y++) {
    const first = Math.min(rows - 1, Math.floor((y * rows) / height));
    const end = Math.max(first + 1, Math.floor(((y + 1) * rows) / height));
    if (first === drawn && end === first + 1) {
      // The line shows the same rank as the line above.
      image.copyWithin(4 * y * width, 4 * (y - 1) * width, 4 * y * width);
      continue;
    }
    drawn = first;
    line.fill(NaN);
    for (let row = first; row < end; row++) largestPerPixel(model.row(row), edges, line);
    const [low, high] = model.range(scale, first);
    const factor = high > low ? (paletteSize - 1) / (high - low) : 0;
    paintHeat(line, image.subarray(4 * y * width, 4 * (y + 1) * width), colors, low, factor);
  }
  return image;
}

/** First column of each pixel, and the end of the last one. */
function columnEdges({ header }: MapModel, { span, width }: MapImageOptions): Int32Array {
  const [first, last] = span;
  const scale = (last - first + 1) / width;
  return Int32Array.from({ length: width + 1 }, (_, x) =>
    Math.floor((first + x * scale) / header.iterationsPerColumn + 1e-9),
  );
}

function largestPerPixel(values: Float32Array, edges: Int32Array, line: Float32Array): void {
  for (let x = 0; x < line.length; x++) {
    const begin = edges[x] ?? 0;
    const end = Math.max(begin + 1, edges[x + 1] ?? 0);
    let most = line[x] ?? NaN;
    for (let column = begin; column < end; column++) {
      const value = values[column] ?? NaN;
      if (value > most || Number.isNaN(most)) most = value;
    }
    line[x] = most;
  }
}
