import fc from 'fast-check';
import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';

/** Text that XML can hold, with everything in it that needs escaping. */
const text = fc
  .string({ unit: fc.constantFrom(...Array.from('ab<>&"\' :;()[]*~,é漢😀\n\t')), maxLength: 12 })
  .filter((value) => value === value.trim());
const word = fc
  .string({ unit: fc.constantFrom(...Array.from('abc<>&"\'é漢 ')), maxLength: 12 })
  .map((value) => value.trim());
const seconds = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0);
const visits = fc.oneof(fc.nat(1000), fc.constantFrom(2 ** 40, 2 ** 52));

/** Random profiles of one or more locations, with recursion, gaps, parameters and odd names. */
export const arbitraryProfile: fc.Arbitrary<Profile> = fc
  .record({
    regions: fc.array(
      fc.record({ name: text, file: word, line: fc.option(fc.nat(9999), { nil: undefined }) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    callPaths: fc.array(fc.record({ parent: fc.nat(), region: fc.nat(), parameter: fc.option(word) }), {
      maxLength: 25,
    }),
    locations: fc.integer({ min: 1, max: 4 }),
    values: fc.array(
      fc.record({ at: fc.nat(), location: fc.nat(), visits, time: seconds, least: seconds, most: seconds }),
      { maxLength: 40 },
    ),
    attribute: word,
  })
  .map(({ regions, callPaths, locations, values, attribute }) => {
    const builder = new ProfileBuilder().attribute('Creator', attribute);
    for (const metric of Object.values(standardMetrics)) builder.metric(metric);
    for (const { name, file, line } of regions)
      builder.region({
        name,
        paradigm: 'compiler',
        role: 'function',
        ...(file === '' ? {} : { file }),
        ...(line === undefined ? {} : { firstLine: line }),
      });
    callPaths.forEach(({ parent, region, parameter }, i) => {
      const above = parent % (i + 1);
      builder.callPath(
        above === i ? undefined : above,
        region % regions.length,
        parameter === null ? [] : [{ kind: 'string', name: 'instance', value: parameter }],
      );
    });
    const machine = builder.systemNode({ name: 'here', kind: 'machine' });
    for (let rank = 0; rank < locations; rank++) {
      const process = builder.systemNode({ name: `rank ${rank}`, kind: 'process', parent: machine, rank });
      builder.location({ name: 'main', rank, thread: 0, process, kind: 'thread' });
    }
    for (const { at, location, ...value } of values) {
      if (callPaths.length === 0) break;
      const cell = [at % callPaths.length, location % locations] as const;
      builder.set('visits', ...cell, value.visits);
      builder.set('time', ...cell, value.time);
      builder.set('min_time', ...cell, value.least);
      builder.set('max_time', ...cell, value.most);
    }
    return builder.build();
  });
