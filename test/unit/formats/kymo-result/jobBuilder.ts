/** The file of a job as the MPI layer writes it (src/formats/kymo-result/jobFile.ts). */

const headerBytes = 24;

interface Lengths {
  readonly result: number;
  readonly partners?: number;
  readonly iterations: number;
  /** Absent: a file of the first version. */
  readonly waits?: number;
}

/** @param parts of each rank: its result, and its partners, iterations and waits if it has some */
export function buildJob(
  parts: readonly {
    readonly result: Buffer;
    readonly partners?: Buffer;
    readonly iterations?: Buffer;
    readonly waits?: Buffer;
  }[],
): Buffer {
  const none = Buffer.alloc(0);
  const bodies = parts.flatMap(({ result, partners = none, iterations = none, waits = none }) => [
    result,
    partners,
    iterations,
    waits,
  ]);
  const frame = jobFrame(
    parts.map(({ result, partners = none, iterations = none, waits }) => ({
      result: result.length,
      partners: partners.length,
      iterations: iterations.length,
      ...(waits === undefined ? {} : { waits: waits.length }),
    })),
  );
  return Buffer.concat([frame.header, ...bodies, frame.directory]);
}

/** The messages that a process exchanged with another one. */
export interface TestPartner {
  readonly peer: number;
  readonly tag: number;
  readonly received: boolean;
  readonly comm: number;
  readonly messages: number;
  readonly bytes: number;
  readonly waitedTicks: number;
}

export function buildPartners(partners: readonly TestPartner[]): Buffer {
  return Buffer.concat(
    partners.map(({ peer, tag, received, comm, messages, bytes, waitedTicks }) => {
      const record = Buffer.alloc(40);
      record.writeInt32LE(peer, 0);
      record.writeInt32LE(tag, 4);
      record.writeUInt32LE(received ? 1 : 0, 8);
      record.writeUInt32LE(comm, 12);
      [messages, bytes, waitedTicks].forEach((value, field) =>
        record.writeBigUInt64LE(BigInt(value), 16 + 8 * field),
      );
      return record;
    }),
  );
}

/** What the iterations of a process waited. */
export function buildWaits(
  waits: readonly (readonly [iteration: number, node: number, counter: number, ticks: number])[],
): Buffer {
  return Buffer.concat(
    waits.map(([iteration, node, counter, ticks]) => {
      const record = Buffer.alloc(24);
      [iteration, node, counter].forEach((value, field) => record.writeUInt32LE(value, 4 * field));
      record.writeBigUInt64LE(BigInt(ticks), 16);
      return record;
    }),
  );
}

/** What stands before and after the parts, from the bytes of each. */
export function jobFrame(lengths: readonly Lengths[]): {
  readonly header: Buffer;
  readonly directory: Buffer;
} {
  const isFirst = lengths.every(({ waits }) => waits === undefined);
  const bytes = isFirst ? 32 : 40;
  const directory = Buffer.alloc(bytes * lengths.length);
  let offset = headerBytes;
  lengths.forEach(({ result, partners = 0, iterations, waits = 0 }, rank) => {
    [offset, result, partners, iterations, ...(isFirst ? [] : [waits])].forEach((value, field) =>
      directory.writeBigUInt64LE(BigInt(value), rank * bytes + field * 8),
    );
    offset += result + partners + iterations + waits;
  });
  const header = Buffer.alloc(headerBytes);
  header.write(isFirst ? 'KYMOJOB1' : 'KYMOJOB2', 'latin1');
  header.writeUInt32LE(lengths.length, 8);
  header.writeBigUInt64LE(BigInt(offset), 16);
  return { header, directory };
}
