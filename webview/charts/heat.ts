import { element } from '../ui/base/dom';
import { paletteSize } from './palette';

/**
 * Colours values: index `(value − low) × factor` of the palette, clamped to its ends. Pixels are red, green, blue and opacity; NaN stays transparent.
 */
export function paintHeat(
  line: Float32Array,
  pixels: Uint8ClampedArray,
  colors: Uint8ClampedArray,
  low: number,
  factor: number,
): void {
  for (let x = 0; x < line.length; x++) {
    const value = line[x] ?? NaN;
    if (Number.isNaN(value)) continue;
    const color = 3 * Math.min(paletteSize - 1, Math.max(0, Math.round((value - low) * factor)));
    pixels[4 * x] = colors[color] ?? 0;
    pixels[4 * x + 1] = colors[color + 1] ?? 0;
    pixels[4 * x + 2] = colors[color + 2] ?? 0;
    pixels[4 * x + 3] = 255;
  }
}

/** A canvas with these pixels: red, green, blue and opacity, row after row. */
export function pixelCanvas(width: number, height: number, pixels: Uint8ClampedArray): HTMLCanvasElement {
  const canvas = element('canvas');
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  image.data.set(pixels);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
}
