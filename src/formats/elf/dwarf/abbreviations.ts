import type { Cursor } from '../cursor';
import { layoutOf, type Encoding } from './forms';
import { form, wantedAttributes } from './names';

/** Layout of the `.debug_info` entries with the same code. */
export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  /** Bytes of an entry's values if all entries have the same number, else -1. */
  readonly fixedSize: number;
  readonly attributes: readonly AttributeLayout[];
}

export interface AttributeLayout {
  readonly name: number;
  readonly form: number;
  /** See `layout` in `forms.ts`. */
  readonly size: number;
  /** Value of an `implicit_const`. */
  readonly constant: number;
  readonly wanted: boolean;
}

/** Abbreviations by code. All compilers use small, dense codes; the standard does not require them. */
export type Abbreviations = ReadonlyMap<number, Abbreviation>;

/** Reads one table, at whose begin the cursor is. Every iteration consumes bytes, so a damaged table ends. */
export function readAbbreviations(cursor: Cursor, encoding: Encoding): Abbreviations {
  const table = new Map<number, Abbreviation>();
  for (;;) {
    const code = cursor.uleb();
    if (code === 0) return table;
    const tag = cursor.uleb();
    const hasChildren = cursor.u8() !== 0;
    const attributes = readAttributes(cursor, encoding);
    const fixedSize = attributes.some((a) => a.size < 0)
      ? -1
      : attributes.reduce((sum, a) => sum + a.size, 0);
    table.set(code, { tag, hasChildren, fixedSize, attributes });
  }
}

function readAttributes(cursor: Cursor, encoding: Encoding): readonly AttributeLayout[] {
  const attributes: AttributeLayout[] = [];
  for (;;) {
    const name = cursor.uleb();
    const code = cursor.uleb();
    if (name === 0 && code === 0) return attributes;
    const size = layoutOf(code, encoding);
    if (size === undefined) return cursor.fail(`form 0x${code.toString(16)} is not known`);
    const constant = code === form.implicitConst ? cursor.sleb() : 0;
    attributes.push({ name, form: code, size, constant, wanted: wantedAttributes.has(name) });
  }
}
