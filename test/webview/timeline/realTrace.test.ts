import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timelineGuards } from '../../../src/editor/surfaces/panels/timeline/requests';
import type { TimelineEvents, TimelineRequests } from '../../../src/protocol/timeline';
import {
  openTimeline,
  timelineFind,
  timelineMessages,
  timelineProfile,
  timelineSpans,
  timelineStack,
} from '../../../src/workflows/views/timelineView';
import { silent } from '../../../src/core/progress';
import { sharedData } from '../../shared';
import { useViews } from '../lib/useViews';

const trace = sharedData('scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace');
const views = useViews();

/** A trace that Score-P wrote: LULESH on 8 ranks. */
describe.skipIf(trace === undefined)('a real trace', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kymo-timeline-'));
    cpSync(trace ?? '', folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is shown with what the engine says of it, at any zoom', async () => {
    const file = path.join(folder, 'traces.otf2');
    const context = {
      progress: silent,
      signal: new AbortController().signal,
    };
    const { header, title } = await openTimeline({ file }, context);
    const ask = <Name extends 'spans' | 'stack' | 'messages' | 'profile' | 'find'>(
      name: Name,
      answer: (
        given: TimelineRequests[Name]['parameters'] & { readonly file: string },
        inside: typeof context,
      ) => Promise<TimelineRequests[Name]['result']>,
    ) => ({
      guard: timelineGuards[name],
      answer: (given: TimelineRequests[Name]['parameters']) => answer({ ...given, file }, context),
    });
    const nothing = { guard: timelineGuards.open, answer: () => ({}) };
    const view = await views.open<TimelineRequests, TimelineEvents>({
      entry: 'webview/timeline/main.ts',
      size: { width: 1280, height: 760 },
      answers: {
        open: { guard: timelineGuards.open, answer: () => ({ kind: 'done', header, panel: 'p', title }) },
        spans: ask('spans', timelineSpans),
        stack: ask('stack', timelineStack),
        messages: ask('messages', timelineMessages),
        profile: ask('profile', timelineProfile),
        find: ask('find', timelineFind),
        openSource: nothing,
        make: nothing,
        cancel: nothing,
        save: nothing,
      } as never,
    });
    const { page } = view;
    await page.locator('.profile-pane .grid-row:visible').first().waitFor();
    expect(await page.locator('.summary').innerText()).toMatch(/^8 rows over /);
    const facts = page.locator('.profile-facts');
    await expect.poll(() => facts.innerText()).toMatch(/2216 messages/);
    const rows = page.locator('.profile-pane .grid-row:visible');
    expect((await rows.first().innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^MPI_Init 87\.8 % /);
    await page.getByText('longest of 2216 in sight').waitFor();
    await view.screenshot('timeline-real');
    const search = page.getByRole('textbox', { name: 'Search functions' });
    await search.fill('CalcEnergyForElems');
    await search.press('Enter');
    const announced = page.locator('[role=status][aria-live]');
    await expect.poll(() => announced.innerText()).toMatch(/^rank 0: CalcEnergyForElems, /);
    // The profile follows the picture, which was zoomed to the call.
    await expect.poll(() => facts.innerText()).toMatch(/^470\.9\d+ – 470\.9\d+ ms, all 8 rows\./);
    await view.screenshot('timeline-real-call');
    await search.press('Escape');
    await page.locator('.timeline-rows canvas').focus();
    for (let press = 0; press < 4; press++) await page.keyboard.press('-');
    await page.getByText('6 in sight').waitFor();
    await view.screenshot('timeline-real-zoomed');
  });
});
