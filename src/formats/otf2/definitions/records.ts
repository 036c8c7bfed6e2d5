import type { NamedSource } from '../../byteSource';
import { isKymoError } from '../../../core/errors';
import { ChunkedReader } from '../bytes/chunkedReader';
import { readNumber, readTyped, type Integer, type TypedValue } from '../bytes/values';
import type { DefinitionLayout, Part } from '../layouts/definitions';
import type { Notes } from '../problems/notes';

export type DefinitionValue = Integer | string | TypedValue | readonly Integer[] | readonly PropertyValue[];

export interface PropertyValue extends TypedValue {
  readonly property: number;
}

/** A definition as it is written. Fields that an older version did not write are absent. */
export interface DefinitionRecord {
  /** `REGION` */
  readonly name: string;
  readonly values: Readonly<Record<string, DefinitionValue>>;
}

const windowBytes = 2 ** 20;
const decoder = new TextDecoder();

/**
 * Reads all definitions of a file; damage ends the reading, and becomes a note.
 * @param other reads a record that has no layout, whose position and end are given; returns false for an unknown one
 */
export function readDefinitions(
  source: NamedSource,
  chunkSize: number,
  layouts: readonly (DefinitionLayout | undefined)[],
  notes: Notes,
  visit: (record: DefinitionRecord) => void,
  other: (reader: ChunkedReader, type: number, end: number) => boolean = () => false,
): void {
  const reader = new ChunkedReader(source, chunkSize, Math.min(windowBytes, source.size));
  let unknown = 0;
  try {
    for (let type = reader.nextType(); type >= 0; type = reader.nextType()) {
      const end = reader.recordEnd();
      const layout = layouts[type];
      if (layout !== undefined) visit({ name: layout.name, values: valuesOf(reader, layout, end) });
      else if (!other(reader, type, end)) {
        unknown++;
        reader.position = end;
      }
      reader.finish(end);
    }
  } catch (error) {
    if (!isKymoError(error)) throw error;
    notes.add(
      error.reason === 'truncated-otf2' ? 'truncated' : 'damaged',
      `${error.message} The definitions behind it are missing.`,
    );
    return;
  }
  if (!reader.complete)
    notes.add('truncated', `${source.file} has no end mark: it was cut off, or is still being written.`);
  if (unknown > 0)
    notes.add('unknown-records', `${source.file}: ${unknown} definitions of an unknown kind were skipped.`);
}

function valuesOf(
  reader: ChunkedReader,
  { parts }: DefinitionLayout,
  end: number,
): Record<string, DefinitionValue> {
  const values: Record<string, DefinitionValue> = {};
  for (const part of parts) {
    if (reader.position >= end) break;
    const value = valueOf(reader, part, end);
    if (part.as !== 'legacy') values[part.as === 'field' ? part.field.name : part.name] = value;
  }
  return values;
}

function valueOf(reader: ChunkedReader, part: Part, end: number): DefinitionValue {
  switch (part.as) {
    case 'field':
    case 'legacy': {
      const value = readNumber(reader, part.field.encoding);
      return reader.exact ?? value;
    }
    case 'text': {
      const bytes = reader.bytesUpTo(end);
      const length = bytes.indexOf(0);
      reader.position = end;
      return decoder.decode(length < 0 ? bytes : bytes.subarray(0, length));
    }
    case 'value':
      return readTyped(reader);
    case 'list':
      return listOf(reader, readNumber(reader, part.count.encoding), end, () => {
        const value = readNumber(reader, part.element.encoding);
        return reader.exact ?? value;
      });
    case 'properties':
      return listOf(reader, reader.u8(), end, () => ({ property: reader.u8(), ...readTyped(reader) }));
  }
}

/** Elements take at least a byte, so that a damaged count ends with the record. */
function listOf<Element>(
  reader: ChunkedReader,
  count: number,
  end: number,
  read: () => Element,
): readonly Element[] {
  const elements: Element[] = [];
  for (let left = count; left > 0; left--) {
    if (reader.position >= end)
      throw reader.error(
        'invalid-otf2',
        `A list of ${count} elements was expected; the record ends after ${elements.length}.`,
      );
    elements.push(read());
  }
  return elements;
}
