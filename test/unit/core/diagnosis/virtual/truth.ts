import { discoveryLimits } from '../../../../../src/core/diagnosis/resources/discoveryControl';
import { Search } from '../../../../../src/core/diagnosis/search/search';
import type { SearchCommand } from '../../../../../src/core/diagnosis/search/messages';
import type { SearchNode, SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { published } from './hypotheses';
import { VirtualProgram, type VirtualSpec } from './program';

const nothing = (): void => undefined;

/**
 * All bottlenecks of the synthetic program as it is from `time` on that a search can find ([D 6.2], specification 11.1): what one finds with exact values, without limits, and
 * with each true function as a deep starter wherever it comes to functions, so that also those are there that no true experiment leads to. Objects that appear too fast to be
 * searched are none.
 */
export function truthOf(spec: VirtualSpec, hypotheses = published, time = 0): SearchRecord {
  const program = new VirtualProgram(spec);
  const { searched } = program;
  const isFlooded = (spec.tagsPerSecond ?? 0) > discoveryLimits.perSecond;
  const search = new Search({
    hypotheses,
    program: {
      ...searched,
      callees: (of) => [...searched.callees(of), ...program.indirectCalls(of)],
      children: (tree, of) => (isFlooded && of[0] === 'Message' ? [] : searched.children(tree, of)),
    },
    budget: { admit: () => 'admitted', visible: nothing, release: nothing, observe: nothing },
    about: {
      strategy: 'centralised',
      run: spec.executable ?? 'app',
      clock: 'virtual',
      deepStart: true,
      costLimit: Infinity,
    },
    rules: {
      hysteresis: 0,
      minTimeToTrue: 1,
      minTimeToFalse: 1,
      minObservation: 0,
      maxActive: Infinity,
      maxPending: Infinity,
    },
  });
  const valueAt = ({ hypothesis, focus }: Pick<SearchNode, 'hypothesis' | 'focus'>): number => {
    const { metric = '' } = hypotheses.find(({ id }) => id === hypothesis)!;
    return program.gauge(metric, focus)(time, time + 1);
  };
  const starters = (now: number, trigger: SearchNode): readonly SearchCommand[] =>
    spec.functions.flatMap((_, fn) => {
      const Code = program.pathOf(fn);
      const { holds, threshold } = hypotheses.find(({ id }) => id === trigger.hypothesis)!;
      const value = valueAt({ ...trigger, focus: { ...trigger.focus, Code } });
      if (holds === 'above' ? value <= threshold : value >= threshold) return [];
      return search.addStarter({ time: now, trigger: trigger.id, function: Code, connecting: [] });
    });
  let commands = search.start();
  for (let now = 1; commands.length > 0; now++) {
    const told = commands.flatMap((command) => {
      if (command.type === 'disable') return [];
      const { experiment } = command;
      const value = valueAt(command);
      return search.handle({ type: 'sample', time: now, experiment, value, start: now - 1, end: now });
    });
    const triggers = search
      .takeNews()
      .refined.filter(({ experiment }) => search.node(experiment).focus.Code.length === 0);
    commands = [
      ...told,
      ...triggers.flatMap(({ functions }) => functions.flatMap((id) => starters(now, search.node(id)))),
    ];
  }
  return search.record();
}
