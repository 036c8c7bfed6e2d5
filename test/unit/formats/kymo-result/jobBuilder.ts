/** The file of a job as the MPI layer writes it (src/formats/kymo-result/jobFile.ts). */

const headerBytes = 24;

interface Lengths {
  readonly result: number;
  readonly partners?: number;
  readonly iterations: number;
}

/** @param parts of each rank: its result, and its partners and iterations if it has some */
export function buildJob(
  parts: readonly { readonly result: Buffer; readonly partners?: Buffer; readonly iterations?: Buffer }[],
): Buffer {
  const none = Buffer.alloc(0);
  const bodies = parts.flatMap(({ result, partners = none, iterations = none }) => [
    result,
    partners,
    iterations,
  ]);
  const frame = jobFrame(
    parts.map(({ result, partners = none, iterations = none }) => ({
      result: result.length,
      partners: partners.length,
      iterations: iterations.length,
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

/** What stands before and after the parts, from the bytes of each. */
export function jobFrame(lengths: readonly Lengths[]): {
  readonly header: Buffer;
  readonly directory: Buffer;
} {
  const directory = Buffer.alloc(32 * lengths.length);
  let offset = headerBytes;
  lengths.forEach(({ result, partners = 0, iterations }, rank) => {
    [offset, result, partners, iterations].forEach((value, field) =>
      directory.writeBigUInt64LE(BigInt(value), rank * 32 + field * 8),
    );
    offset += result + partners + iterations;
  });
  const header = Buffer.alloc(headerBytes);
  header.write('KYMOJOB1', 'latin1');
  header.writeUInt32LE(lengths.length, 8);
  header.writeBigUInt64LE(BigInt(offset), 16);
  return { header, directory };
}
