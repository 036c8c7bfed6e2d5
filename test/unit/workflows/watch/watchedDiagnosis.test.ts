import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { usualWish, writeDiagnosisWish } from '../../../../src/workflows/diagnosing/live/diagnosisWish';
import { WatchedDiagnosis } from '../../../../src/workflows/watch/watchedDiagnosis';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-watched-'));
afterEach(() => rmSync(folder, { recursive: true }));

const graph = { functions: [], edges: [] };
const nothing = (): Promise<void> => Promise.resolve();

test('a mistake in the hypotheses ends the search with its place, and not the watching', async () => {
  const notes: string[] = [];
  const diagnosis = new WatchedDiagnosis({
    ...{ folder, workspace: folder, run: 'i0.r1', sockets: folder, isFromBegin: false },
    plan: { program: { slots: [], graph, executable: 'program', selectionId: '' }, phases: [] },
    ...{ job: { known: [] }, sites: new Map(), recorded: () => new Set<string>(), switch: nothing },
    ...{ switchedElsewhere: nothing, agents: () => undefined, whyNone: () => undefined },
    stacks: { begin: nothing, take: () => [], whyNot: undefined },
    note: (sentence) => void notes.push(sentence),
  });
  writeFileSync(
    path.join(folder, 'kymo.hypotheses.json'),
    '{\n  "kymoHypotheses": 1,\n  "hypotheses": [{ "id": 3 }]\n}\n',
  );
  await writeDiagnosisWish(folder, usualWish);
  await diagnosis.look();
  await diagnosis.look();
  await diagnosis.end();
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(/runs on, and is not searched any more\. .*kymo\.hypotheses\.json:3:\d+/);
});
