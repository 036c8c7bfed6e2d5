import type { Hypothesis } from '../../src/core/diagnosis/hypotheses/hypothesis';
import type { Focus } from '../../src/core/diagnosis/resources/focus';
import type { SearchNode } from '../../src/core/diagnosis/search/searchRecord';
import { visibleControls } from '../../src/core/names/visibleControls';
import type { DiagnosisHeader } from '../../src/core/views/diagnosis/diagnosisPieces';
import {
  maximumExperiments,
  type DiagnosisEvents,
  type DiagnosisRequests,
} from '../../src/protocol/diagnosis';
import type { Channel } from '../ui/page/channel';
import { inPieces } from '../ui/page/pieces';

export type DiagnosisChannel = Channel<DiagnosisRequests, DiagnosisEvents>;

/** Fetches all experiments of a search in pieces. @throws RequestError */
export async function loadNodes(
  channel: DiagnosisChannel,
  { id, count }: DiagnosisHeader,
  signal: AbortSignal,
): Promise<readonly SearchNode[]> {
  const nodes = await inPieces(count, maximumExperiments, (first, many) =>
    channel.request('nodes', { id, first, count: many }, { signal }),
  );
  return nodes.map((node) => ({
    ...node,
    focus: visibleFocus(node.focus),
    ...(node.problem !== undefined && { problem: visibleControls(node.problem) }),
  }));
}

function visibleFocus({ Code, Machine, SyncObject }: Focus): Focus {
  const [code, machine, objects] = [Code, Machine, SyncObject].map((path) => path.map(visibleControls));
  return { Code: code ?? [], Machine: machine ?? [], SyncObject: objects ?? [] };
}

/** Escapes invisible and bidirectional characters in texts, which come from programs and files. */
export function visibleHeader(header: DiagnosisHeader): DiagnosisHeader {
  return {
    ...header,
    run: visibleControls(header.run),
    hypotheses: header.hypotheses.map(visibleHypothesis),
    notices: header.notices.map(({ time, message }) => ({ time, message: visibleControls(message) })),
    notes: header.notes.map(visibleControls),
  };
}

/** Ids stay as they are: requests name them. */
function visibleHypothesis(hypothesis: Hypothesis): Hypothesis {
  const { label, advice } = hypothesis;
  return { ...hypothesis, label: visibleControls(label), advice: visibleControls(advice) };
}
