// Makes a screenshot small: 8-bit RGB(A) PNG in, PNG with a palette of at most 256 colours out. Nothing but zlib.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @param {Buffer} file */
export function withPalette(file) {
  const { width, height, channels, pixels } = decode(file);
  const palette = popularColours(pixels, channels);
  const nearest = new Map();
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
      let index = nearest.get(colour);
      if (index === undefined) nearest.set(colour, (index = nearestIn(palette, colour)));
      rows[y * (width + 1) + 1 + x] = index;
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits, palette, and the only compression and filter methods that there are.
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function decode(file) {
  if (!file.subarray(0, 8).equals(signature)) throw new Error('not a PNG');
  const parts = [];
  let header;
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = data;
    if (type === 'IDAT') parts.push(data);
    at += length + 12;
  }
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const channels = { 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || channels === undefined || header[12] !== 0)
    throw new Error('not an 8-bit RGB or RGBA PNG without interlacing');
  const raw = inflateSync(Buffer.concat(parts));
  return { width, height, channels, pixels: unfiltered(raw, width * channels, height, channels) };
}

/** PNG specification, section 9. */
function unfiltered(raw, stride, height, channels) {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const left = x >= channels ? out[y * stride + x - channels] : 0;
      const up = y > 0 ? out[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? out[(y - 1) * stride + x - channels] : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[y * stride + x] = raw[y * (stride + 1) + 1 + x] + predicted;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The most frequent colours, each at some distance from those before it: flat surfaces stay exact, edges of letters share. */
function popularColours(pixels, channels) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const ordered = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  if (ordered.length <= 256) return ordered;
  for (let separation = 64; ; separation *= 2) {
    const chosen = [];
    for (const colour of ordered) {
      const exact = chosen.length < 32;
      if (exact || chosen.every((one) => distance(one, colour) >= separation)) chosen.push(colour);
      if (chosen.length > 256) break;
    }
    if (chosen.length <= 256) return chosen;
  }
}

function nearestIn(palette, colour) {
  let best = 0;
  let least = Infinity;
  palette.forEach((one, index) => {
    const away = distance(one, colour);
    if (away < least) [best, least] = [index, away];
  });
  return best;
}

/** Squared, with the weights of a quick luma. */
function distance(a, b) {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return 2 * red * red + 4 * green * green + blue * blue;
}
