import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readScorepConfig } from '../../../../../../src/measurement/backends/scorep/run/scorepConfig';

const real = readFileSync(path.resolve(import.meta.dirname, '../../../../../data/scorep/scorep.cfg'), 'utf8');

describe('scorep.cfg', () => {
  it('of a real run is read, each line', () => {
    const config = readScorepConfig(real);
    expect(Object.keys(config)).toHaveLength(real.trim().split('\n').length);
    expect(config).toMatchObject({
      SCOREP_TOTAL_MEMORY: '16000K',
      SCOREP_EXPERIMENT_DIRECTORY: 'x3',
      SCOREP_TIMER: 'tsc',
      SCOREP_FILTERING_FILE: '',
      SCOREP_SAMPLING_EVENTS: 'perf_cycles@10000000',
    });
  });

  it('gives back any value that a shell would read', () => {
    const value = fc.string({ maxLength: 60 }).filter((text) => !/\p{Cc}/u.test(text));
    fc.assert(
      fc.property(value, (text) => {
        const line = `SCOREP_X='${text.replaceAll("'", "'\\''")}'\n`;
        expect(readScorepConfig(`${line}SCOREP_Y=1\n`)).toEqual({ SCOREP_X: text, SCOREP_Y: '1' });
      }),
    );
  });

  it('holds nothing but variables of Score-P, whatever is written there', () => {
    const hostile =
      "PATH=/x\nSCOREP_A=$(rm -rf /)\nSCOREP_B='open\n__proto__=1\nSCOREP_C=ok\nexport SCOREP_D=1\n";
    expect(readScorepConfig(hostile)).toEqual({ SCOREP_C: 'ok' });
    expect(readScorepConfig(`SCOREP_A='${"'\\''".repeat(400_000)}`)).toEqual({});
  });
});
