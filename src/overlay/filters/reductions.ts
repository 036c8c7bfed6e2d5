import { at } from '../../core/at';
import { type Format, sameFormat } from '../packets/format';
import { OverlayError } from '../packets/overlayError';
import { Packet } from '../packets/packet';
import type { Filter, FilterOutput, FilterPlace } from './filter';

type Scalar = number | bigint;
type Combine = (a: Scalar, b: Scalar) => Scalar;

/** One number of each packet, all of one format, to one number. */
function reduction(combine: Combine): new (place: FilterPlace) => Filter {
  return class implements Filter {
    constructor(private readonly place: FilterPlace) {}

    apply(wave: readonly Packet[], output: FilterOutput): void {
      if (wave.length === 0) return;
      const first = at(wave, 0);
      let result = first.number();
      for (let position = 1; position < wave.length; position++) {
        const packet = at(wave, position);
        requireFormat(packet, first.format);
        result = combine(result, packet.number());
      }
      output.up(Packet.of(first.tag, this.place.rank, first.format, [result]));
    }
  };
}

/** Of integers it is an error when the sum does not fit their type: a wrong number would not be noticed. */
export const Sum = reduction((a, b) => (a as number) + (b as number));
export const Min = reduction((a, b) => (b < a ? b : a));
export const Max = reduction((a, b) => (b > a ? b : a));

/** Packets of a mean and its weight, `"<type> %d"`: the weighted mean and the sum of the weights, so that it composes over levels. */
export class Average implements Filter {
  constructor(private readonly place: FilterPlace) {}

  apply(wave: readonly Packet[], output: FilterOutput): void {
    if (wave.length === 0) return;
    const { tag, format } = at(wave, 0);
    const [type, weightType] = format.fields;
    if (
      format.fields.length !== 2 ||
      type?.countBytes !== 0 ||
      weightType?.code !== 'd' ||
      weightType.countBytes !== 0
    )
      throw new OverlayError(
        'filter',
        `An average is made of “%<type> %d” (mean and weight), not of “${format.text}”.`,
      );
    let sum = 0;
    let weights = 0;
    for (const packet of wave) {
      requireFormat(packet, format);
      const [mean, weight] = packet.values();
      if (typeof mean === 'string') throw new OverlayError('filter', 'Texts have no average.');
      sum += Number(mean) * Number(weight);
      weights += Number(weight);
    }
    const mean = weights === 0 ? 0 : sum / weights;
    output.up(Packet.of(tag, this.place.rank, format, [asType(mean, type.code), weights]));
  }
}

function asType(value: number, code: string): Scalar {
  if (code === 'f' || code === 'lf') return value;
  return code === 'ld' || code === 'uld' ? BigInt(Math.round(value)) : Math.round(value);
}

/** A number, text or array of each packet, all of one type, to one array in the order of the children. */
export class Concat implements Filter {
  constructor(private readonly place: FilterPlace) {}

  apply(wave: readonly Packet[], output: FilterOutput): void {
    if (wave.length === 0) return;
    const { tag, format } = at(wave, 0);
    const [field] = format.fields;
    if (field === undefined || format.fields.length !== 1)
      throw new OverlayError('filter', `“${format.text}” cannot be concatenated: one value per packet can.`);
    const all: unknown[] = [];
    for (const packet of wave) {
      // After a loss, a back end may be the sibling of an inner process: one sends a number, the other an array.
      if (packet.format.fields.length !== 1 || packet.format.fields[0]?.code !== field.code)
        throw otherFormat(packet, format);
      const [value] = packet.values();
      if (typeof value === 'object') for (const element of value) all.push(element);
      else all.push(value);
    }
    output.up(Packet.of(tag, this.place.rank, `%a${field.code}`, [all as number[]]));
  }
}

function requireFormat(packet: Packet, format: Format): void {
  if (!sameFormat(packet.format, format)) throw otherFormat(packet, format);
}

function otherFormat(packet: Packet, format: Format): OverlayError {
  return new OverlayError(
    'filter',
    `A wave holds packets of different formats: “${format.text}” and “${packet.format.text.slice(0, 40)}”.`,
  );
}
