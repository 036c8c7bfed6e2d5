import { expect, it } from 'vitest';
import { forwardOnly } from '../../../src/core/progress';

it('progress never runs backwards: a later part is without numbers until it is further', () => {
  const seen: unknown[] = [];
  const sink = forwardOnly({ report: (step) => void seen.push(step), log: (line) => void seen.push(line) });
  for (const fraction of [0, 0.5, 0.2, undefined, 0.5, 1])
    sink.report({ message: 'm', ...(fraction === undefined ? {} : { fraction }) });
  sink.log('line');
  expect(seen).toEqual([
    { message: 'm', fraction: 0 },
    { message: 'm', fraction: 0.5 },
    { message: 'm' },
    { message: 'm' },
    { message: 'm', fraction: 0.5 },
    { message: 'm', fraction: 1 },
    'line',
  ]);
});
