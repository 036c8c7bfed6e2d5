import { expect, test } from 'vitest';
import { Agent } from '../../../../../src/core/diagnosis/strategies/agent';
import { FrontEnd } from '../../../../../src/core/diagnosis/strategies/frontEnd';
import type {
  MeasurementCommand,
  SearchStart,
  ToAgent,
  ToFrontEnd,
} from '../../../../../src/core/diagnosis/strategies/messages';
import { wholeProgram } from '../../../../../src/core/diagnosis/resources/focus';
import { published } from '../virtual/hypotheses';
import { VirtualProgram } from '../virtual/program';
import { smallProgram } from '../virtual/smallProgram';

const start: SearchStart = {
  strategy: 'centralised',
  run: 'app',
  clock: 'virtual',
  hypotheses: published,
  costLimit: 1.5,
  isBorrowing: true,
  margin: 0.02,
  reportsInUse: 4,
  samplingInterval: 1,
  storedBytes: 0,
};
const { searched } = new VirtualProgram(smallProgram(1));
const place = { host: 'node0001', processes: ['app{1000}'], hostNumber: 0, firstProcess: 0 };

test('what could not be measured is tried again when it is asked for again', () => {
  const [sent, commands]: [ToFrontEnd[], MeasurementCommand[]] = [[], []];
  const agent = new Agent(start, place, searched, {
    up: (message) => void sent.push(message),
    measure: (command) => void commands.push(command),
  });
  for (const request of [1, 2]) {
    agent.receive(request, {
      type: 'enable',
      request,
      metric: 'cpu',
      focus: wholeProgram,
      cost: 0.01,
      isGlobal: true,
    });
    expect(commands.filter(({ type }) => type === 'measure')).toHaveLength(request);
    agent.measured(request, { type: 'failed', data: commands.at(-1)?.data ?? '', message: 'not now' });
    expect(sent.at(-1)).toMatchObject({ type: 'reply', request, accepted: 0 });
  }
});

test('a centralised search asks for nothing more while what agents report is above the limit', () => {
  const enabled: ToAgent[] = [];
  const frontEnd = new FrontEnd(start, [place], searched, {
    down: (message) => {
      if (message.type === 'enable') enabled.push(message);
    },
  });
  frontEnd.begin();
  const roots = enabled.length;
  const report = (time: number, total: number): void => {
    frontEnd.receive(time, { type: 'cost', cost: { local: 0, global: total, total, isLocalWaiting: false } });
    frontEnd.tick(time);
  };
  const cost = { local: 0, global: 0.5, total: 0.5, isLocalWaiting: false };
  for (let time = 1; time <= 30; time++) {
    report(time, 0.5);
    frontEnd.receive(time, {
      type: 'sample',
      request: 0,
      isGlobal: true,
      value: 1,
      start: time - 1,
      end: time,
      processes: 1,
      cost,
    });
  }
  expect(frontEnd.record?.nodes[0]?.truth).toBe('true');
  expect(enabled).toHaveLength(roots);
  report(31, 0.01);
  frontEnd.tick(31);
  expect(enabled.length).toBeGreaterThan(roots);
});
