import { shareOf } from '../../core/functions/share';
import { mayBeRegression } from '../../core/gate/gate';
import type { GateReport, ReportedEntry } from '../../core/gate/report';
import { missed } from '../../core/gate/verdict';
import { subjectOf } from '../../core/gate/words';
import { present } from '../../core/present';
import type { PropertyKind } from '../../core/properties/kinds';
import type { Property } from '../../core/properties/property';

/** What a gate found, as properties at their lines; what did not change is none. */
export function gateProperties({
  entries,
  incomparable,
  target,
  sentence,
  sides,
}: GateReport): readonly Property[] {
  const origin = { run: sides[1].name, analysis: 'gate' };
  const refused = incomparable.map((reason, index): Property => ({
    id: `cannot-tell:${target}:${index}`,
    kind: 'cannot-tell',
    title: `${sentence} ${reason}`,
    confidence: 1,
    evidence: {},
    origin,
  }));
  const whole = entries.find(({ criterion }) => criterion === 'total')?.values[1] ?? 0;
  return [
    ...refused,
    ...entries.flatMap((entry): readonly Property[] => {
      const kind = kindOf(entry);
      if (kind === undefined) return [];
      const { criterion, place, ratio, interval, values, unit, verdict, matters } = entry;
      const changed = Math.abs(values[1] - values[0]);
      return [
        {
          id: `${kind}:${criterion}:${place === undefined ? subjectOf(entry) : `${place.name}@${place.file ?? ''}`}`,
          ...{ kind, title: entry.sentence.replace(/\.$/, ''), evidence: evidence(entry) },
          ...(unit === 'sec' && criterion !== 'budget'
            ? { severity: shareOf(changed, { seconds: whole }) }
            : {}),
          confidence: verdict === 'cannot-tell' ? 0 : 1 - missed,
          ...present({ region: place }),
          origin,
        },
      ];

      function evidence({ repetitions }: ReportedEntry): Record<string, number> {
        const [least, most] = interval ?? [];
        return {
          baseline: values[0],
          candidate: values[1],
          ratio,
          matters,
          ...present({ least, most, repetitions }),
        };
      }
    }),
  ];
}

function kindOf(entry: ReportedEntry): PropertyKind | undefined {
  switch (entry.verdict) {
    case 'regression':
      return entry.criterion === 'budget' ? 'over-budget' : 'regression';
    case 'cannot-tell':
      return mayBeRegression(entry) ? 'cannot-tell' : undefined;
    case 'improvement':
      return entry.name === undefined ? undefined : 'faster';
    case 'no-change':
      return undefined;
  }
}
