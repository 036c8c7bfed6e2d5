import { describe, expect, test } from 'vitest';
import { generateShape } from '../../../../src/overlay/layout/generate';
import { startUpActivities } from '../../../../src/overlay/services/startUp/activities';
import { simulateStartUp } from '../../../../src/overlay/services/startUp/simulateStartUp';
import { startUpCost } from './startUpCost';

const tree = (spec: string) => ({ root: 0, nodes: generateShape(spec) });
const simulate = (spec: string, cost = startUpCost) => simulateStartUp(tree(spec), cost);
const endOf = (spec: string, cost = startUpCost) => simulate(spec, cost).at(-1)!.end;
const activity = (spec: string, name: string, cost = startUpCost) =>
  simulate(spec, cost).find((of) => of.name === name)!;

describe('the start-up pipeline', () => {
  test('S1: nine activities in order, each after those that it depends on, with durations', () => {
    const times = simulate('b:8^3');
    expect(times.map(({ name }) => name)).toEqual([
      ...['report-self', 'report-metrics', 'clock-skew', 'parse-executable', 'report-process'],
      ...['report-machine', 'report-code', 'report-call-graph', 'report-done'],
    ]);
    for (const { name, after } of startUpActivities) {
      const own = times.find((of) => of.name === name)!;
      expect(own.end).toBeGreaterThan(own.start);
      for (const before of after)
        expect(times.findIndex((of) => of.name === before)).toBeLessThan(times.indexOf(own));
      const starts = after.map((before) => times.find((of) => of.name === before)!.end);
      expect(own.start).toBe(Math.max(0, ...starts));
    }
  });

  test('S1: 512 virtual back ends start at least 3.4 times faster with an eight-way tree than without', () => {
    expect(endOf('b:512') / endOf('b:8^3')).toBeGreaterThan(3.4);
  });

  test('S1: clock skew gains most from the tree, and parsing executables nothing', () => {
    const [flat, deep] = [simulate('b:512'), simulate('b:8^3')];
    const gains = flat.map(({ start, end, name }, i) => ({
      name,
      gain: end - start - (deep[i]!.end - deep[i]!.start),
    }));
    const best = gains.reduce((most, of) => (of.gain > most.gain ? of : most));
    expect(best.name).toBe('clock-skew');
    expect(gains.find(({ name }) => name === 'parse-executable')!.gain).toBe(0);
  });

  test('S1: without a tree the time grows with the back ends, with one by its depth', () => {
    const quick = { ...startUpCost, parseSeconds: 0 };
    expect(endOf('b:512', quick) / endOf('b:64', quick)).toBeGreaterThan(6);
    expect(endOf('b:8^3', quick) / endOf('b:8^2', quick)).toBeLessThan(3);
  });

  test('S1: a message takes its processor time at both ends and the latency between them', () => {
    const cost = {
      ...startUpCost,
      perMessage: 1,
      perByte: 0,
      latency: 10,
      useSeconds: { ...startUpCost.useSeconds, 'report-self': 0 },
    };
    // One child: send, latency, receive. Three: they send at once, and the front end receives one after the other.
    expect(activity('b:1', 'report-self', cost).end).toBe(12);
    expect(activity('b:3', 'report-self', cost).end).toBe(14);
    expect(activity('b:3^2', 'report-self', cost).end).toBe(28);
  });

  test('S3: the front end gets one message from each of its children for each report, not one from each daemon', () => {
    for (const { name, mechanism } of startUpActivities)
      if (mechanism === 'concatenation' || mechanism === 'wait-for-all') {
        expect(activity('b:8^3', name).messagesAtRoot).toBe(8);
        expect(activity('b:512', name).messagesAtRoot).toBe(512);
      }
  });

  test('S2: classes bring the full data once each, and hash values in one message for each child', () => {
    expect(activity('b:8^3', 'report-code').messagesAtRoot).toBe(9);
    expect(activity('b:8^3', 'report-code', { ...startUpCost, classes: 5 }).messagesAtRoot).toBe(13);
    const duration = (classes: number) => {
      const { start, end } = activity('b:8^3', 'report-code', { ...startUpCost, classes });
      return end - start;
    };
    // Without classes, each of 512 daemons would send all its functions.
    expect(duration(512) / duration(1)).toBeGreaterThan(100);
  });
});
