import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import { severityOf } from '../../../../src/core/properties/property';
import { readCube } from '../../../../src/formats/cube4/read';
import { sharedData } from '../../../shared';
import { fn, graphOf } from '../selection/graphs';
import {
  costs,
  measure,
  sitesOf,
  graphOfProgram,
  truthOf,
  type SimulatedProgram,
} from '../selection/simulatedProgram';

const plain = { statements: 20, loopDepth: 0, site: 'probe' as const };

/** `kernel` is hot on two ways; `tiny` is called a million times and takes almost nothing; `cold` is cold. */
const program: SimulatedProgram = {
  functions: [
    {
      ...plain,
      name: 'main',
      ownSeconds: 0.001,
      calls: [
        { callee: 1, times: 1 },
        { callee: 2, times: 1 },
        { callee: 4, times: 1_000_000 },
        { callee: 5, times: 1 },
      ],
    },
    { ...plain, name: 'first', ownSeconds: 0.011, calls: [{ callee: 3, times: 2 }] },
    { ...plain, name: 'second', ownSeconds: 0.01, calls: [{ callee: 3, times: 1 }] },
    { ...plain, name: 'kernel', ownSeconds: 0.05, calls: [] },
    { ...plain, name: 'tiny', ownSeconds: 1e-9, calls: [] },
    { ...plain, name: 'cold', ownSeconds: 0.0001, calls: [] },
  ],
};
const all = new Set(program.functions.map((f) => f.name));
const profile = measure(program, all);
const input = { profile, graph: graphOfProgram(program), calibration: costs, sites: sitesOf(program) };
const truth = truthOf(program);

describe('properties', () => {
  it('find hot spots by their time without the cost of measuring', () => {
    const hot = findProperties(input).filter((p) => p.kind === 'hot-spot' && p.refines === undefined);
    expect(hot.map((p) => p.region?.name)).toEqual(['kernel', 'first', 'second']);
    const share = truth.exclusiveSeconds[3]! / truth.seconds;
    expect(hot[0]!.severity).toBeCloseTo(share, 6);
    expect(hot[0]!.evidence).toMatchObject({ visits: 3, thresholdShare: 0.05 });
    // Nearly all that main and tiny show is the cost of 10⁶ pairs.
    expect(hot.some((p) => p.region?.name === 'main' || p.region?.name === 'tiny')).toBe(false);
  });

  it('say whose time it is: that of callees that are not recorded belongs to their caller', () => {
    const title = (recorded: ReadonlySet<string>, name: string): string | undefined =>
      findProperties({ ...input, profile: measure(program, recorded) }).find(
        (p) => p.id === `hot-spot:${name}`,
      )?.title;
    expect(title(all, 'first')).toMatch(/^first itself takes .* of the run time$/);
    const without = new Set([...all].filter((name) => name !== 'kernel'));
    expect(title(without, 'first')).toMatch(
      /^.*, with callees that are not recorded, takes .* of the run time$/,
    );
    // Another one's callee is not its own.
    expect(title(new Set([...all].filter((name) => name !== 'tiny')), 'kernel')).toMatch(
      /^kernel itself takes /,
    );
  });

  it('refine a hot spot by the call paths that are hot themselves', () => {
    const found = findProperties(input);
    const refined = found.filter((p) => p.refines === 'hot-spot:kernel');
    expect(refined.map((p) => p.callPath?.at(-2))).toEqual(['first', 'second']);
    expect(severityOf(refined[0]!)).toBeCloseTo(2 * severityOf(refined[1]!), 6);
    expect(severityOf(found.find((p) => p.id === 'hot-spot:kernel')!)).toBeCloseTo(
      3 * severityOf(refined[1]!),
      6,
    );
  });

  it('find functions that cost more to record than they are worth, and the sum', () => {
    const overheads = findProperties(input).filter((p) => p.kind === 'excessive-overhead');
    expect(overheads.map((p) => p.id)).toEqual(['excessive-overhead:run', 'excessive-overhead:tiny']);
    const cost = (1e6 * costs.probe.pairSeconds) / truth.seconds;
    expect(overheads[1]!.severity).toBeCloseTo(cost, 4);
    expect(overheads[1]).toMatchObject({ refines: 'excessive-overhead:run', confidence: 1 });
    expect(overheads[1]!.evidence.overheadRatio).toBeCloseTo(17, 2);
  });

  it('are sorted by severity, unique, and the same for the same input', () => {
    const found = findProperties(input);
    expect(found).toEqual(findProperties(input));
    expect(new Set(found.map((p) => p.id)).size).toBe(found.length);
    found.forEach((p, index) => expect(p.severity).toBeLessThanOrEqual(found[index - 1]?.severity ?? 1));
  });

  it('tell which wanted functions were inlined away, and where their time is seen', () => {
    const graph = graphOf(
      [
        fn('main'),
        fn('first'),
        fn('helper'),
        fn('kernel', { statements: 30, loops: 1, file: '/k.c', line: 7 }),
        fn('unused', { statements: 30 }),
        fn('small', { statements: 2 }),
      ],
      [
        ['main', 'first'],
        ['main', 'small'],
        ['first', 'helper'],
        ['helper', 'kernel'],
      ],
    );
    const sites = new Map([
      ['main', 'probe' as const],
      ['first', 'probe' as const],
      ['helper', 'probe' as const],
    ]);
    // `helper` could be recorded, and was not.
    const profile = measure(program, new Set(['main', 'first']));
    const found = findProperties({ profile, graph, sites, calibration: costs }).filter(
      (p) => p.kind === 'inlined-away',
    );
    expect(found.map((p) => p.id)).toEqual(['inlined-away:kernel']);
    expect(found[0]).toMatchObject({
      severity: 0,
      title: 'kernel was inlined and cannot be recorded; its time is seen in first',
      region: { name: 'kernel', file: '/k.c', line: 7 },
      evidence: { statements: 30, loops: 1, recordedCallers: 1 },
    });
    const leftOut = findProperties({
      profile,
      graph,
      sites,
      whyNotRecorded: (key) => (key === 'kernel' ? 'is left out' : undefined),
    });
    expect(leftOut.find((p) => p.id === 'not-recorded:kernel')).toMatchObject({
      kind: 'not-recorded',
      title: 'kernel is left out; its time is seen in first',
    });
    const wanted = findProperties({ profile, graph, sites, wanted: new Set(['small']) });
    expect(wanted.some((p) => p.id === 'inlined-away:small')).toBe(true);
  });

  const tiny = sharedData('scorep/tiny/tiny.256.unfiltered/profile.cubex');
  it.skipIf(tiny === undefined)('see that Score-P disturbed a program of tiny functions', () => {
    const found = findProperties({ profile: readCube(readFileSync(tiny!), tiny!) });
    const run = found.find((p) => p.id === 'excessive-overhead:run');
    expect(run?.severity).toBeGreaterThan(0.5);
    expect(run?.confidence).toBe(0.5);
    expect(found.some((p) => p.kind === 'excessive-overhead' && p.region?.name.includes('Heap::less'))).toBe(
      true,
    );
  });

  const lulesh = sharedData('scorep/lulesh-serial/lulesh.s30.r1/profile.cubex');
  it.skipIf(lulesh === undefined)("find LULESH's kernels and no overhead in a filtered run", () => {
    const found = findProperties({ profile: readCube(readFileSync(lulesh!), lulesh!) });
    expect(found.filter((p) => p.kind === 'excessive-overhead')).toEqual([]);
    const names = found.filter((p) => p.kind === 'hot-spot').map((p) => p.region?.name);
    expect(names.join('\n')).toMatch(/CalcFBHourglassForceForElems/);
  });
});
