// The extension's end of the wire for the dynamics panel, in the page itself: 64 ranks × 2,048 iterations as the product analyses them, and
// as many properties as asked for. Runs before the view's own script.
import { AnalysisPieces } from '../../src/core/views/analysisPieces';
import type { DynamicsRequests } from '../../src/protocol/dynamics';
import { connect } from './lib/wire';
import * as kymoBench from './dynamicsMeasure';
import { analysed, answersOf, done, manyProperties } from '../../test/webview/dynamics/analyses';
import { gauss } from '../../test/fixtures/dynamics/signals';

const parameters = new URLSearchParams(location.search);
const number = (name: string): number => Number(parameters.get(name));
const ranks = number('ranks');
const iterations = number('iterations');
// Half of them are of the region that the map shows.
const properties = manyProperties(number('properties')).map((row, at) =>
  at % 2 === 0 ? row : { ...row, region: { name: 'MPI_Wait' } },
);
const noise = gauss(1);
const phase = { name: 'step', kind: 'phase' } as const;
const wait = { name: 'MPI_Wait', kind: 'mpi' } as const;
const series = Array.from({ length: ranks }, (_, rank) => [
  {
    context: { region: phase, metric: 'time', rank, thread: 0 },
    values: new Float64Array(iterations).fill(1),
  },
  {
    context: { region: wait, metric: 'time', rank, thread: 0 },
    values: Float64Array.from({ length: iterations }, (__, at) => {
      const spike = at % 317 === 0 && rank > 0 ? 0.4 : 0;
      return 0.2 + (0.2 * at * (rank % 5)) / iterations / 4 + spike + 0.02 * noise();
    }),
  },
]).flat();
const pieces = new AnalysisPieces('bench', analysed([{ first: 0, length: iterations, series }]));

connect<DynamicsRequests>(answersOf({ shown: done(pieces, properties), pieces, properties }, []));
Object.assign(globalThis, { kymoBench });
kymoBench.timeFrames();
// From here on the time is the view's own: its script, the wire, and the first picture of the map.
const begin = performance.now();
kymoBench.onFirstMap(() => Object.assign(globalThis, { kymoFirstMap: performance.now() - begin }));
