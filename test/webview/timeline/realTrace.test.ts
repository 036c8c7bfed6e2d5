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
import { useViews } from '../lib/useViews';

const shared = process.env.KYMO_SHARED;
const views = useViews();

/** A trace that Score-P wrote: LULESH on 8 ranks. */
describe.skipIf(shared === undefined)('a real trace', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kymo-timeline-'));
    cpSync(path.join(shared ?? '', 'data/scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace'), folder, {
      recursive: true,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is shown with what the engine says of it, at any zoom', async () => {
    const file = path.join(folder, 'traces.otf2');
    const context = {
      progress: { report: () => undefined, log: () => undefined },
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
    await page.waitForTimeout(500);
    await view.screenshot('timeline-real');
    const search = page.getByRole('textbox', { name: 'Search functions' });
    await search.fill('CalcEnergyForElems');
    await search.press('Enter');
    const announced = page.locator('[role=status][aria-live]');
    await expect.poll(() => announced.innerText()).toMatch(/: .*CalcEnergyForElems/);
    await page.waitForTimeout(500);
    await view.screenshot('timeline-real-call');
    await search.press('Escape');
    await page.locator('.timeline-rows canvas').focus();
    for (let press = 0; press < 4; press++) await page.keyboard.press('-');
    await page.waitForTimeout(500);
    await view.screenshot('timeline-real-zoomed');
  });
});
