/** Files of processes' iterations as the measurement library writes them (docs/formats.md, "Iterations of a process"). */
export type StreamRecord =
  | { readonly node: { readonly thread: number; readonly parent: number; readonly slot: number } }
  | { readonly phase: { readonly thread: number; readonly slot: number; readonly above: readonly number[] } }
  | { readonly values: readonly [node: number, visits: number, ticks: number, childEvents: number] }
  | { readonly preempted: number }
  | { readonly end: 'whole' | 'cut short' };

export function buildStream(records: readonly StreamRecord[], selectionId = 'ab'): Buffer {
  const header = Buffer.alloc(16);
  header.write('KYMOITP2', 'latin1');
  header.writeBigUInt64LE(BigInt(`0x${selectionId}`), 8);
  return Buffer.concat([header, Buffer.from(records.flatMap(numbers).flatMap(varint))]);
}

function numbers(record: StreamRecord): readonly number[] {
  if ('node' in record) return [1, record.node.thread, record.node.parent, record.node.slot];
  if ('phase' in record) {
    const { thread, slot, above } = record.phase;
    return [2, thread, slot, above.length, ...[...above].reverse()];
  }
  if ('values' in record) return [record.values[0] + 5, ...record.values.slice(1)];
  if ('preempted' in record) return [4, record.preempted];
  return [record.end === 'whole' ? 0 : 3];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return [...bytes, rest];
}
