import { present } from '../../../../core/present';
import { drawnExperiments } from '../../../../core/views/diagnosis/diagnosisPieces';
import {
  absolutePath,
  bytes,
  finiteNumber,
  listOf,
  nothing,
  numberBelow,
  numberFrom,
  oneOf,
  optional,
  positions32,
  record,
  text,
  type Guard,
} from '../../../../protocol/guards';
import {
  diagnosisActions,
  maximumExperiments,
  maximumHypotheses,
  type DiagnosisExport,
  type DiagnosisRequests,
} from '../../../../protocol/diagnosis';
import { maximumPictureBytes } from '../../../../protocol/hotSpots';
import type { DiagnosisInput } from '../../../state/diagnosis/diagnosisSession';
import { inputBefore } from '../panelInput';

export { panelName } from '../panelInput';

type Parameters<Name extends keyof DiagnosisRequests> = DiagnosisRequests[Name]['parameters'];

const position = numberBelow(2 ** 32);
const id = text(200);
const mostBoxes = drawnExperiments + 1;
/** Every box can be reached from each other one. */
const mostEdges = mostBoxes * mostBoxes;

/** Boxes, and pairs of them. */
const layout: Guard<Parameters<'layout'>> = (value) => {
  const given = record({ count: numberFrom(1, mostBoxes), edges: positions32(2 * mostEdges) })(value);
  if (given === undefined) return undefined;
  const { count, edges } = given;
  return edges.length % 2 === 0 && edges.every((box) => box < count) ? given : undefined;
};

const thresholds = listOf(
  record({
    hypothesis: text(1000),
    threshold: (value: unknown) => {
      const given = finiteNumber(value);
      return given !== undefined && given >= 0 ? given : undefined;
    },
  }),
  maximumHypotheses,
);

const drawn = record({
  kind: oneOf('png', 'svg', 'table'),
  name: text(200),
  content: bytes(maximumPictureBytes),
});
const search = record({ kind: oneOf('search'), id });
const saved: Guard<DiagnosisExport> = (value) => drawn(value) ?? search(value);

const piece = record({
  id,
  first: position,
  count: numberBelow(maximumExperiments + 1),
  since: optional(id),
});
const nodes: Guard<Parameters<'nodes'>> = (value) => {
  const given = piece(value);
  if (given === undefined) return undefined;
  const { since, ...named } = given;
  return { ...named, ...present({ since: since.given }) };
};

/** Checks of the parameters of the webview's requests. */
export const diagnosisGuards: { readonly [Name in keyof DiagnosisRequests]: Guard<Parameters<Name>> } = {
  open: nothing,
  nodes,
  layout,
  openSource: record({ id, node: position }),
  setThresholds: record({ thresholds }),
  cancel: nothing,
  save: saved,
  act: record({ action: oneOf(...diagnosisActions) }),
};

const input = record({ path: absolutePath, thresholds: optional(thresholds) });

/** The input that a panel showed before a reload. */
export const shownBefore = inputBefore((value): DiagnosisInput | undefined => {
  const given = input(value);
  return given && { path: given.path, ...present({ thresholds: given.thresholds.given }) };
});
