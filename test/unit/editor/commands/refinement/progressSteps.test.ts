import { expect, it } from 'vitest';
import { ProgressSteps } from '../../../../../src/editor/commands/refinement/progressSteps';

it('progress never goes backwards nor beyond the end', () => {
  const steps = new ProgressSteps();
  const increments = [0.25, 0.5, 0.25, undefined, 2, 1].map(
    (fraction) => steps.next({ message: 'run', ...(fraction === undefined ? {} : { fraction }) }).increment,
  );
  expect(increments).toEqual([25, 25, 0, 0, 50, 0]);
});

it('says how long it will take, rounded', () => {
  const steps = new ProgressSteps();
  expect(steps.next({ message: 'run', remainingSeconds: 12.3 }).message).toBe('run · 13 s left');
  expect(steps.next({ message: 'run', remainingSeconds: 125 }).message).toBe('run · 3 min left');
});

it('has what the build printed last, cut to the width of a notification', () => {
  const steps = new ProgressSteps();
  expect(steps.next({ message: 'Building', output: '  g++ -c a.cpp' }).message).toBe(
    'Building: g++ -c a.cpp',
  );
  expect(steps.next({ message: 'Building', output: 'x'.repeat(500) }).message.length).toBeLessThan(100);
});
