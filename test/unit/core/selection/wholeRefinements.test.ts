import { describe, expect, it } from 'vitest';
import { accumulateKnowledge, type Knowledge } from '../../../../src/core/knowledge/knowledge';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { hotPathSelection } from '../../../../src/core/strategies/hotPath';
import { nextStep } from '../../../../src/core/strategies/nextStep';
import {
  intervalsOf,
  sameFunctions,
  selectedKeys,
  type Selection,
} from '../../../../src/core/selection/selection';
import type { SelectionOptions } from '../../../../src/core/selection/selectionOptions';
import { resultLines } from '../../resultText';
import {
  costs,
  countedIn,
  graphOfProgram,
  measure,
  randomProgram,
  sampledCosts,
  sitesOf,
  truthOf,
  type SimulatedProgram,
} from './simulatedProgram';

const mostRuns = 5;

function sentences(selection: Selection): readonly string[] {
  return [...selection.decisions.values()].map(({ key, reason }) => `${key} ${explainReason(reason)}`);
}

/** The refinement of a program by simulation: each round's decisions in words, its prediction, and what it taught. */
function story(
  program: SimulatedProgram,
  options: Partial<SelectionOptions>,
  pairCosts: typeof costs,
): readonly unknown[] {
  const graph = graphOfProgram(program);
  const sites = sitesOf(program);
  const baselineSeconds = truthOf(program).seconds;
  const lines: unknown[] = [];
  let knowledge: Knowledge | undefined;
  let previous: Selection | undefined;
  for (let run = 0; run < mostRuns; run++) {
    const { selection, prediction, exhausted } = nextStep({
      graph,
      sites,
      pairCosts,
      baselineSeconds,
      remainingRuns: mostRuns - run,
      ...(knowledge === undefined ? {} : { knowledge }),
      ...(previous === undefined ? {} : { previous }),
      options,
    });
    lines.push(`--- round ${run}`, ...sentences(selection), { ...prediction, exhausted });
    if (previous !== undefined && sameFunctions(previous, selection)) break;
    previous = selection;
    const selected = selectedKeys(selection);
    const profile = measure(program, new Set(selected), intervalsOf(selection), countedIn(selection));
    knowledge = accumulateKnowledge(knowledge, profile, graph, pairCosts, selected, sites, {
      clock: 'cpu',
      seconds: baselineSeconds,
    });
    const { functions, ...whole } = knowledge;
    lines.push(whole, ...functions);
  }
  if (knowledge !== undefined) lines.push('--- hot path', ...sentences(hotPathSelection(graph, knowledge)));
  return lines;
}

const programs = [3, 8, 21, 34].map((seed) => randomProgram(seed));

/**
 * The files beside this one have each decision of each round in words. A change of the strategies that is wanted changes them
 * (`npx vitest run -u`): the difference of the files then shows which functions it concerns, and why.
 */
describe('whole refinements of simulated programs', () => {
  it.each<[string, Partial<SelectionOptions>, typeof costs]>([
    ['hotspot', {}, costs],
    ['sampled', {}, sampledCosts],
    ['strict', { overheadPercent: 0.5 }, sampledCosts],
    [
      'pinned',
      {
        pinnedIn: new Set(['f2', 'f5']),
        pinnedOut: new Set(['f1', 'f3']),
        phase: new Set(['f3']),
        mode: 'filter-only',
      },
      costs,
    ],
    ['tor', { strategy: 'tor' }, costs],
    ['por', { strategy: 'por', overheadPercent: 1 }, costs],
    ['agor', { strategy: 'agor', phase: new Set(['f2']) }, costs],
    ['agor-por', { strategy: 'agor', base: 'por', pinnedOut: new Set(['f4']) }, sampledCosts],
  ])('with the options %s', async (name, options, pairCosts) => {
    const lines = programs.flatMap((program, position) => [
      `=== program ${position}`,
      ...story(program, options, pairCosts),
    ]);
    await expect(resultLines(lines)).toMatchFileSnapshot(`results/${name}.txt`);
  });
});
