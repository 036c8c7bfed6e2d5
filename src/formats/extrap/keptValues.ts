import { invalidFile } from './errors';
import type { ZipArchive } from './zip';

const valuesMagic = 'Extra-P VALUES\0\0';
const indexMagic = 'Extra-P INDEX\0\0\0';

interface Chunk {
  readonly values: DataView;
  readonly index: DataView;
}

/**
 * The values that Extra-P keeps beside the statistics (`--keep-values`): arrays of NumPy in `values/N.vals`, with their offsets in
 * `values/N.indx`. Throws `measurements-invalid`.
 */
export class KeptValues {
  private readonly chunks = new Map<number, Chunk>();

  constructor(
    private readonly archive: ZipArchive,
    private readonly file: string,
  ) {}

  /** The numbers of an array, whatever its shape; undefined when it has not `count` of them. */
  read(chunk: number, position: number, count: number): readonly number[] | undefined {
    const { index, values } = this.chunks.get(chunk) ?? this.open(chunk);
    const arrays = index.byteLength < 24 ? 0 : (index.byteLength - 24) / 8;
    if (!(Number.isInteger(position) && position >= 0 && position < arrays))
      return this.fail(chunk, `array ${position} was expected, but there are ${Math.floor(arrays)}`);
    const offset = Number(index.getBigUint64(24 + 8 * position, true));
    return this.array(chunk, values, offset, count);
  }

  private open(chunk: number): Chunk {
    const opened = {
      values: this.member(`values/${chunk}.vals`, valuesMagic),
      index: this.member(`values/${chunk}.indx`, indexMagic),
    };
    this.chunks.set(chunk, opened);
    return opened;
  }

  private member(name: string, magic: string): DataView {
    const bytes = this.archive.read(name);
    const found = String.fromCharCode(...bytes.subarray(0, magic.length));
    if (found !== magic) throw invalidFile(this.file, `“${name}” does not begin as Extra-P writes it`);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** An array in NumPy's format (numpy.lib.format, versions 1 to 3). */
  private array(
    chunk: number,
    view: DataView,
    offset: number,
    wanted: number,
  ): readonly number[] | undefined {
    if (!(offset + 12 <= view.byteLength && view.getUint32(offset) === 0x934e554d))
      return this.fail(chunk, `an array was expected at byte ${offset}, but is not there`);
    const isFirst = view.getUint8(offset + 6) === 1;
    const headerStart = offset + (isFirst ? 10 : 12);
    const headerBytes = isFirst ? view.getUint16(offset + 8, true) : view.getUint32(offset + 8, true);
    const dataStart = headerStart + headerBytes;
    if (dataStart > view.byteLength) return this.fail(chunk, `the array at byte ${offset} is cut off`);
    const header = String.fromCharCode(
      ...new Uint8Array(view.buffer, view.byteOffset + headerStart, Math.min(headerBytes, 1000)),
    );
    const [, type = ''] = /'descr': *'([^']*)'/.exec(header) ?? [];
    const [, shape = ''] = /'shape': *\(([\d, ]*)\)/.exec(header) ?? [];
    const element = elements.get(type);
    if (element === undefined)
      return this.fail(chunk, `the array at byte ${offset} has elements of the type “${type}”`);
    const count = shape
      .split(',')
      .reduce((product, size) => (size.trim() === '' ? product : product * Number(size)), 1);
    if (count !== wanted) return undefined;
    if (!(dataStart + count * element.bytes <= view.byteLength))
      return this.fail(chunk, `the array at byte ${offset} is cut off`);
    return Array.from({ length: count }, (_, at) => element.read(view, dataStart + at * element.bytes));
  }

  private fail(chunk: number, why: string): never {
    throw invalidFile(this.file, `“values/${chunk}.vals”: ${why}`);
  }
}

interface Element {
  readonly bytes: number;
  readonly read: (view: DataView, offset: number) => number;
}

/** Types of elements by their names in NumPy. */
const elements: ReadonlyMap<string, Element> = new Map([
  ['<f8', { bytes: 8, read: (view, offset) => view.getFloat64(offset, true) }],
  ['<f4', { bytes: 4, read: (view, offset) => view.getFloat32(offset, true) }],
  ['<i8', { bytes: 8, read: (view, offset) => Number(view.getBigInt64(offset, true)) }],
  ['<i4', { bytes: 4, read: (view, offset) => view.getInt32(offset, true) }],
  ['<u8', { bytes: 8, read: (view, offset) => Number(view.getBigUint64(offset, true)) }],
]);
