import type { Hypothesis } from '../../src/core/diagnosis/hypotheses/hypothesis';
import type { Focus } from '../../src/core/diagnosis/resources/focus';
import type { SearchNode } from '../../src/core/diagnosis/search/searchRecord';
import { visibleControls } from '../../src/core/names/visibleControls';
import { present } from '../../src/core/present';
import type { DiagnosisHeader } from '../../src/core/views/diagnosis/diagnosisPieces';
import {
  maximumExperiments,
  type DiagnosisEvents,
  type DiagnosisRequests,
} from '../../src/protocol/diagnosis';
import type { Channel } from '../ui/page/channel';

export type DiagnosisChannel = Channel<DiagnosisRequests, DiagnosisEvents>;

/** Fetches all experiments of a search in pieces. @param before an earlier state of it, perhaps: what has not changed since is not sent. @throws RequestError */
export async function loadNodes(
  channel: DiagnosisChannel,
  { id, count }: DiagnosisHeader,
  signal: AbortSignal,
  before: { readonly id: string; readonly nodes: readonly SearchNode[] } | undefined,
): Promise<readonly SearchNode[]> {
  const nodes = before?.nodes.slice(0, count) ?? [];
  for (let first = 0; first < count; first += maximumExperiments) {
    const piece = { id, first, count: Math.min(maximumExperiments, count - first) };
    const since = present({ since: before?.id });
    for (const node of await channel.request('nodes', { ...piece, ...since }, { signal }))
      nodes[node.id] = visibleNode(node);
  }
  return nodes;
}

function visibleNode(node: SearchNode): SearchNode {
  return {
    ...node,
    focus: visibleFocus(node.focus),
    ...(node.problem !== undefined && { problem: visibleControls(node.problem) }),
  };
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
