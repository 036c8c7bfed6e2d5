/** What the result of a run says of functions that somebody switched while it was under way. */
import type { CallGraph } from '../../core/callgraph/callGraph';
import type { Experiment } from '../../core/profile/experiment';
import { recordedPartWords } from '../../core/profile/recordedPart';
import type { Selection } from '../../core/selection/selection';
import { shortName } from '../filters/notRecordable';
import type { RecordingHistory } from './recordingHistory';

/** The selection with what was switched on in the run; the same object if nothing was. */
export function withSwitchedOn(selection: Selection, history: RecordingHistory): Selection {
  const added = [...history.parts().keys()].filter((key) => selection.decisions.get(key)?.selected !== true);
  if (added.length === 0) return selection;
  const decisions = new Map(selection.decisions);
  for (const key of added) decisions.set(key, { key, selected: true, reason: { rule: 'switched-on' } });
  return { ...selection, decisions };
}

/** What the experiment says of it. */
export function switchedFacts(
  planned: number,
  history: RecordingHistory,
  { functions }: CallGraph,
): Pick<Experiment, 'instrumented' | 'partlyRecorded'> {
  const parts = history.parts();
  if (parts.size === 0) return { instrumented: planned };
  const names = new Map(functions.map(({ key, name }) => [key, name]));
  const later = [...parts.values()].filter(({ from }) => from > 0).length;
  return {
    instrumented: planned + later,
    partlyRecorded: [...parts].map(([key, part]) => ({ key, name: names.get(key) ?? key, ...part })),
  };
}

/** Functions that a note names. */
const mostNoted = 5;

/** Sentences for the user. */
export function switchedNotes(history: RecordingHistory, graph: CallGraph): readonly string[] {
  const { partlyRecorded = [] } = switchedFacts(0, history, graph);
  const more = partlyRecorded.length - mostNoted;
  return [
    ...partlyRecorded
      .slice(0, mostNoted)
      .map(
        (part) =>
          `${shortName(part.name)} was ${recordedPartWords(part)}: its numbers are of the visits that began then, and its callers have the time of the others.`,
      ),
    ...(more > 0
      ? [`${more} more functions were recorded in a part of the run only (experiment.json).`]
      : []),
  ];
}
