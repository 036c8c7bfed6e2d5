import { KymoError } from '../../core/errors';
import type { ByteSource } from '../byteSource';
import { IterationRecords, type StreamIteration, type StreamNode } from './iterationRecords';
import type { IterationsFileErrorReason } from './iterationsFile';
import { VarintReader } from './varints';

const magic = 'KYMOITP2';
const headerBytes = 16;

/**
 * Reads the iterations that one process wrote while it ran (docs/formats.md, "Iterations of a process"). A file that ends within an iteration
 * is valid up to there: the disk was full, or the process was killed.
 */
export class ProcessStream {
  private readonly reader: VarintReader;
  private readonly records: IterationRecords;

  /**
   * @param blockBytes what is read at once
   * @throws KymoError `not-iterations`, or `other-selection`
   */
  constructor(
    source: ByteSource,
    private readonly file: string,
    selectionId: string,
    blockBytes?: number,
  ) {
    const header = Buffer.from(source.read(0, headerBytes));
    if (header.length < headerBytes || header.toString('latin1', 0, magic.length) !== magic)
      throw new KymoError<IterationsFileErrorReason>(
        'not-iterations',
        `${file} does not hold iterations of a process (it does not begin with ${magic}). Measure again.`,
        { file, offset: 0 },
      );
    const id = header.readBigUInt64LE(8).toString(16).padStart(16, '0');
    if (id !== selectionId)
      throw new KymoError(
        'other-selection',
        `${file} was measured with selection ${id}, not with ${selectionId}. Measure again with an empty folder for results.`,
        { file },
      );
    const fail = (offset: number, message: string): never => {
      if (offset >= source.size) throw new EndOfStream();
      return this.fail(offset, message);
    };
    this.records = new IterationRecords((offset, message) => this.fail(offset, message));
    this.reader = new VarintReader(source, headerBytes, source.size, fail, blockBytes);
  }

  /** Nodes by number, from 1. */
  get nodes(): readonly (StreamNode | undefined)[] {
    return this.records.nodes;
  }

  /** The next iteration; undefined after the last one. @throws KymoError `invalid-iterations` */
  next(): StreamIteration | undefined {
    try {
      return this.reader.isAtEnd ? undefined : this.records.next(this.reader);
    } catch (error) {
      if (error instanceof EndOfStream) return undefined;
      throw error;
    }
  }

  private fail(offset: number, message: string): never {
    throw new KymoError<IterationsFileErrorReason>(
      'invalid-iterations',
      `${this.file}, byte ${offset}: ${message}. The file is damaged; measure again.`,
      { file: this.file, offset },
    );
  }
}

class EndOfStream extends Error {}
