/** The file of a job as the MPI layer writes it (src/formats/kymo-result/jobFile.ts). */

const headerBytes = 24;

/** @param parts of each rank: its result, and its iterations if it has some */
export function buildJob(
  parts: readonly { readonly result: Buffer; readonly iterations?: Buffer }[],
): Buffer {
  const bodies = parts.flatMap(({ result, iterations = Buffer.alloc(0) }) => [result, iterations]);
  const frame = jobFrame(
    parts.map(({ result, iterations }) => ({ result: result.length, iterations: iterations?.length ?? 0 })),
  );
  return Buffer.concat([frame.header, ...bodies, frame.directory]);
}

/** What stands before and after the parts, from the bytes of each. */
export function jobFrame(lengths: readonly { readonly result: number; readonly iterations: number }[]): {
  readonly header: Buffer;
  readonly directory: Buffer;
} {
  const directory = Buffer.alloc(32 * lengths.length);
  let offset = headerBytes;
  lengths.forEach(({ result, iterations }, rank) => {
    [offset, result, 0, iterations].forEach((value, field) =>
      directory.writeBigUInt64LE(BigInt(value), rank * 32 + field * 8),
    );
    offset += result + iterations;
  });
  const header = Buffer.alloc(headerBytes);
  header.write('KYMOJOB1', 'latin1');
  header.writeUInt32LE(lengths.length, 8);
  header.writeBigUInt64LE(BigInt(offset), 16);
  return { header, directory };
}
