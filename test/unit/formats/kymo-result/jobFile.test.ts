import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { namedBytes } from '../../../../src/formats/byteSource';
import { readJobPlaces, readPart, readPartners } from '../../../../src/formats/kymo-result/jobFile';
import { buildJob, buildPartners } from './jobBuilder';

const count = fc.nat(1e9);
const partner = fc.record({
  peer: fc.nat(100_000),
  tag: fc.integer({ min: -1, max: 32_767 }),
  received: fc.boolean(),
  comm: fc.nat(0xffff_ffff),
  messages: count,
  bytes: count,
  waitedTicks: count,
});
const bytes = fc.uint8Array({ maxLength: 60 }).map((values) => Buffer.from(values));
const parts = fc.array(
  fc.record({ result: bytes, partners: fc.array(partner, { maxLength: 3 }), iterations: bytes }),
  { minLength: 1, maxLength: 5 },
);

function job(of: Parameters<Parameters<typeof parts.map>[0]>[0]): Buffer {
  return buildJob(of.map(({ partners, ...part }) => ({ ...part, partners: buildPartners(partners) })));
}

describe('the result of a job', () => {
  it('has of each rank what its process wrote', () => {
    fc.assert(
      fc.property(parts, (written) => {
        const source = namedBytes('a.job', job(written));
        const read = readJobPlaces(source).map(({ result, partners, iterations }) => ({
          result: Buffer.from(readPart(source, result)),
          partners: readPartners(source, partners),
          iterations: Buffer.from(readPart(source, iterations)),
        }));
        expect(read).toEqual(written);
      }),
    );
  });

  it('with any damage is read, or refused by its name', () => {
    const damage = fc.record({ at: fc.nat(), value: fc.nat(255), cut: fc.option(fc.nat(), { freq: 3 }) });
    fc.assert(
      fc.property(parts, fc.array(damage, { minLength: 1, maxLength: 4 }), (written, damages) => {
        let file = job(written);
        for (const { at, value, cut } of damages) {
          if (file.length > 0) file[at % file.length] = value;
          if (cut !== null) file = file.subarray(0, cut % (file.length + 1));
        }
        const source = namedBytes('a.job', file);
        try {
          for (const { result, partners, iterations } of readJobPlaces(source))
            for (const range of [result, partners, iterations])
              (range === partners ? readPartners : readPart)(source, range);
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
          expect(String(error)).toContain('a.job');
        }
      }),
      { numRuns: 2000 },
    );
  });
});
