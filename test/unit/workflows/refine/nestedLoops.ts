import type { SimulatedFunction, SimulatedProgram } from '../../core/selection/simulatedProgram';

/** A pair of 200 ns of which 2 % fall into the function's own time. */
const pair = { pairSeconds: 200e-9, insideSeconds: 4e-9, outsideSeconds: 196e-9 };

/** The nested loops of performance-dynamics 16.1, with a second of run time: total overheads as in table 4.1. */
export const nestedLoops: SimulatedProgram = {
  costs: { probe: pair, entry: pair },
  functions: [
    program('main', 0.001, [{ callee: 1, times: 30 }]),
    program('phase22', 1e-5, [{ callee: 2, times: 1 }]),
    program('loop24', 2e-5, [
      { callee: 3, times: 1000 },
      { callee: 4, times: 1000 },
    ]),
    // 1085 % and 100 % of their own time.
    program('loop27', 200e-9 / 10.85, []),
    program('loop31', 200e-9 / 1, []),
  ],
};

function program(name: string, ownSeconds: number, calls: SimulatedFunction['calls']): SimulatedFunction {
  return { name, ownSeconds, statements: 30, loopDepth: 1, site: 'probe', calls };
}
