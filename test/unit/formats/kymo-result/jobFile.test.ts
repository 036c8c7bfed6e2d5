import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { bytesSource, namedBytes } from '../../../../src/formats/byteSource';
import { readJobPlaces, readPart, readPartners } from '../../../../src/formats/kymo-result/jobFile';
import { ProcessWaits, type ProcessWait } from '../../../../src/formats/kymo-result/processWaits';
import { counterNames } from '../../../../src/formats/kymo-result/slots';
import { buildJob, buildPartners, buildWaits } from './jobBuilder';

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

const wait = fc.tuple(fc.nat(8000), fc.nat(0xffff_ffff), fc.nat(counterNames.length - 1), count);
/** What the records say of one iteration. */
const ofIteration = (records: readonly (readonly number[])[], iteration: number): readonly ProcessWait[] =>
  records.flatMap(([of, node = 0, counter = 0, ticks = 0]) =>
    of === iteration ? [{ node, counter: counterNames[counter] ?? 'idle', ticks }] : [],
  );

describe('the result of a job', () => {
  it('has the waits of iterations behind these, from the second version on', () => {
    const lists = fc.array(fc.array(wait, { maxLength: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lists, (ranks) => {
        const [result, iterations] = [Buffer.from('result'), Buffer.from('iterations')];
        const written = ranks.map((records) => ({ result, iterations, waits: buildWaits(records) }));
        const source = namedBytes('a.job', buildJob(written));
        const read = readJobPlaces(source).map((place) => ({
          result: Buffer.from(readPart(source, place.result)),
          iterations: Buffer.from(readPart(source, place.iterations)),
          waits: Buffer.from(readPart(source, place.waits)),
        }));
        expect(read).toEqual(written);
      }),
    );
  });

  it('the waits of any iterations, in order, are found among many', () => {
    const lists = fc.array(wait, { maxLength: 6000, size: 'max' });
    fc.assert(
      fc.property(lists, fc.array(fc.nat(8000), { maxLength: 20 }), (records, asked) => {
        const sorted = [...records].sort(([a], [b]) => a - b);
        const waits = new ProcessWaits(bytesSource(buildWaits(sorted)));
        for (const iteration of [...new Set(asked)].sort((a, b) => a - b))
          expect(waits.of(iteration)).toEqual(ofIteration(sorted, iteration));
      }),
      { numRuns: 30 },
    );
    const unknown = new ProcessWaits(
      bytesSource(
        buildWaits([
          [0, 1, 99, 5],
          [0, 2, 4, 6],
        ]),
      ),
    );
    expect(unknown.of(0)).toEqual([{ node: 2, counter: 'lateSender', ticks: 6 }]);
  });

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
          for (const { result, partners, iterations, waits } of readJobPlaces(source))
            for (const range of [result, partners, iterations, waits])
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
