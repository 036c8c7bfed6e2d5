import { expect, test } from 'vitest';
import { KeyTable } from '../../../../src/core/trace/keyTable';
import { tagNames, typeNames, typesIn } from '../../../../src/core/trace/messageMarks';

test('types and tags are sets beside each other, with names for the first fifteen of each', () => {
  const table = new KeyTable();
  const types = Array.from({ length: 20 }, (_, number) => table.typeSet(`type ${number}`));
  const tags = Array.from({ length: 20 }, (_, number) => table.tagSet(100 + number));
  const union = (...marks: (number | undefined)[]): number =>
    marks.reduce<number>((all, mark = 0) => (all | mark) >>> 0, 0);
  expect(typeNames(0, table)).toBe('bytes');
  expect(tagNames(union(types[3]), table)).toBeUndefined();
  const both = union(types[0], types[14], tags[0], tags[14]);
  expect([typeNames(both, table), tagNames(both, table)]).toEqual(['type 0, type 14', '100, 114']);
  // What is beyond is one, for each half.
  for (const beyond of [15, 16, 19]) {
    const marks = union(types[1], types[beyond], tags[beyond]);
    expect([typeNames(marks, table), tagNames(marks, table)]).toEqual(['type 1 and others', 'others']);
  }
  expect(typesIn(both)).toBe(union(types[0], types[14]));
  expect(table.tags).toHaveLength(15);
  expect(table.tagSet(100)).toBe(tags[0]);
});
