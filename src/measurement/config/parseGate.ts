import type { GateBudgets, TimeBudget } from '../../core/gate/gate';
import { present } from '../../core/present';
import type { GateSettings } from './config';
import type { ObjectReader } from './configReader';

/** Used where neither the command line nor `kymo.json` says otherwise. */
export const usualGate: GateSettings = {
  repetitions: 10,
  minimumChange: 0.03,
  budgets: { figures: {}, functions: {} },
};

const bytesPerMegabyte = 1_000_000;

/** `gate` of a target: with what the program is compared, and what must not be exceeded. */
export function parseGate(target: ObjectReader): GateSettings {
  const reader = target.object('gate', ['baseline', 'filter', 'repetitions', 'changePercent', 'budgets']);
  if (reader === undefined) return usualGate;
  return {
    ...present({ baseline: reader.text('baseline'), filter: reader.text('filter') }),
    repetitions: reader.count('repetitions', usualGate.repetitions),
    minimumChange: reader.positive('changePercent', 100 * usualGate.minimumChange) / 100,
    budgets: parseBudgets(reader),
  };
}

function parseBudgets(gate: ObjectReader): GateBudgets {
  const reader = gate.object('budgets', [
    ...['seconds', 'functions', 'memoryMegabytes'],
    ...['imbalancePercent', 'overheadPercent', 'growthPercent'],
  ]);
  const functions = reader?.object('functions');
  const scaled = (key: string, factor: number): number | undefined => {
    const value = reader === undefined ? undefined : positive(reader, key);
    return value === undefined ? undefined : value * factor;
  };
  return {
    ...present({ seconds: scaled('seconds', 1) }),
    figures: present({
      memory: scaled('memoryMegabytes', bytesPerMegabyte),
      imbalance: scaled('imbalancePercent', 1 / 100),
      overhead: scaled('overheadPercent', 1 / 100),
      dynamics: scaled('growthPercent', 1 / 100),
    }),
    functions: Object.fromEntries(
      (functions?.keys() ?? []).map((name) => [name, ofFunction(functions, name)]),
    ),
  };
}

function ofFunction(functions: ObjectReader | undefined, name: string): TimeBudget {
  const reader = functions?.object(name, ['seconds', 'changePercent']);
  if (reader === undefined) return {};
  const change = positive(reader, 'changePercent');
  return present({
    seconds: positive(reader, 'seconds'),
    change: change === undefined ? undefined : change / 100,
  });
}

function positive(reader: ObjectReader, key: string): number | undefined {
  return reader.nodeOf(key) === undefined ? undefined : reader.positive(key, 1);
}
