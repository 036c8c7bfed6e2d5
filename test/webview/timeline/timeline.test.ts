import { describe, expect, it } from 'vitest';
import type { TimelineEvents, TimelineRequests, TimelineShown } from '../../../src/protocol/timeline';
import { themeNames } from '../lib/themes';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, done, solver, type Asked, type Served, type TestTrace } from './traces';

const views = useViews();
let view: View<TimelineRequests, TimelineEvents>;
let asked: Asked[] = [];
let served: Served;

async function open(
  options: {
    readonly trace?: TestTrace;
    readonly shown?: TimelineShown;
    readonly state?: unknown;
    readonly size?: { readonly width: number; readonly height: number };
  } = {},
): Promise<void> {
  const { trace = solver(), shown, ...rest } = options;
  served = { trace, shown: shown ?? done(trace) };
  asked = [];
  view = await views.open<TimelineRequests, TimelineEvents>({
    entry: 'webview/timeline/main.ts',
    answers: answersOf(served, asked),
    size: { width: 1280, height: 760 },
    ...rest,
  });
}

const frame = (): Promise<void> =>
  view.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
const rows = () => view.page.locator('.profile-pane .grid-row:visible');
const ready = async (): Promise<void> => {
  await rows().first().waitFor();
  await frame();
};

describe('the timeline', () => {
  it.each(themeNames)('can be read in %s', async (theme) => {
    await open();
    await ready();
    await view.setTheme(theme);
    expect(await view.lowContrast()).toEqual([]);
    await frame();
    await view.screenshot(`timeline-${theme}`);
  });
  it('is usable in a narrow panel', async () => {
    await open({ size: { width: 420, height: 900 } });
    await ready();
    await view.screenshot('timeline-narrow');
  });
});
