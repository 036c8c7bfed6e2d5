import { expect, it } from 'vitest';
import { selectedKeys, type Selection } from '../../../../src/core/selection/selection';
import { digest } from '../../../../src/workflows/refine/digest';
import {
  costs,
  measure,
  overheadPercent,
  truthOf,
  type SimulatedProgram,
} from '../../core/selection/simulatedProgram';
import { simulatedInput } from './simulatedBench';

const leaf = { statements: 20, loopDepth: 0, site: 'probe' as const, calls: [] };
const program: SimulatedProgram = {
  functions: [
    { ...leaf, name: 'main', ownSeconds: 0.5, calls: [{ callee: 1, times: 5_000_000 }] },
    { ...leaf, name: 'small', ownSeconds: 100e-9 },
  ],
};
const selection: Selection = {
  decisions: new Map(
    ['main', 'small'].map((key) => [key, { key, selected: true, reason: { rule: 'hot-spot' as const } }]),
  ),
};

it('takes off a run what the one that took turns with it says, however fast the machine was for the others', () => {
  const { seconds } = truthOf(program);
  const recorded = new Set(selectedKeys(selection));
  const added = 1 + overheadPercent(program, recorded) / 100;
  const run = { profile: measure(program, recorded), calibration: costs };
  const slowness = [1, 2, 2];
  const beside = slowness.map((slow) => ({ wallSeconds: slow * seconds }));
  const { iterations } = digest(
    simulatedInput(program),
    undefined,
    selection,
    {},
    {
      measured: beside.map(({ wallSeconds }) => ({ ...run, wallSeconds: wallSeconds * added })),
      beside,
      paired: true,
      baselines: beside,
    },
  );
  expect(iterations[0]?.costFactor ?? 1).toBeCloseTo(1, 3);
});
