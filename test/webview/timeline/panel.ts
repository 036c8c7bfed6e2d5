import { expect } from 'vitest';
import type { TimelineWindow } from '../../../src/core/timeline/pieces';
import type { TimelineEvents, TimelineRequests, TimelineShown } from '../../../src/protocol/timeline';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, done, solver, type Asked, type Served, type TestTrace } from './traces';

type Name = keyof TimelineRequests;

/** The timeline in a browser, with what tests do to it and see of it. */
export class TimelinePanel {
  asked: Asked[] = [];
  served: Served = { trace: solver(1), shown: done(solver(1)) };
  private current: View<TimelineRequests, TimelineEvents> | undefined;
  private readonly views = useViews();

  get view(): View<TimelineRequests, TimelineEvents> {
    if (this.current === undefined) throw new Error('open the panel first');
    return this.current;
  }

  get page() {
    return this.view.page;
  }

  async open(
    options: {
      readonly trace?: TestTrace;
      readonly shown?: TimelineShown;
      readonly state?: unknown;
      readonly size?: { readonly width: number; readonly height: number };
    } = {},
  ): Promise<void> {
    const { trace = solver(), shown, ...rest } = options;
    this.served = { trace, shown: shown ?? done(trace) };
    this.asked = [];
    this.current = await this.views.open<TimelineRequests, TimelineEvents>({
      entry: 'webview/timeline/main.ts',
      answers: answersOf(this.served, this.asked),
      size: { width: 1280, height: 760 },
      ...rest,
    });
  }

  /** Opens it and waits for its picture. */
  async ready(options: Parameters<TimelinePanel['open']>[0] = {}): Promise<void> {
    await this.open(options);
    await this.settled();
  }

  async settled(): Promise<void> {
    await this.page.locator('.profile-pane .grid-row:visible').first().waitFor();
    await this.answered();
  }

  /** All questions that follow from what was done are answered. */
  async answered(): Promise<void> {
    await this.frame();
    await expect.poll(() => this.served.waiting ?? 0).toBe(0);
    await this.frame();
  }

  /** Shows this many rows, which are made in the page: sending them takes the tests' wire a minute, and VS Code's a moment. */
  async showRows(count: number): Promise<void> {
    await this.page.evaluate(
      ([header, many]) => {
        const rows = Array.from({ length: many }, (_, rank) => ({
          name: `rank ${rank}`,
          rank,
          thread: 0,
          events: 9,
        }));
        const value = { kind: 'done', panel: 'p', title: 'many', header: { ...header, rows } };
        const data = { kind: 'event', name: 'shown', value };
        window.dispatchEvent(new MessageEvent('message', { data }));
      },
      [this.served.trace.header, count] as const,
    );
    await this.page.getByText(/^[\d.]+ ?k? rows over/).waitFor();
    await this.settled();
  }

  async frame(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))),
    );
  }

  last<Of extends Name>(name: Of): TimelineRequests[Of]['parameters'] | undefined {
    return this.asked.findLast(([one]) => one === name)?.[1] as
      | TimelineRequests[Of]['parameters']
      | undefined;
  }

  count(name: Name): number {
    return this.asked.filter(([one]) => one === name).length;
  }

  /** The last picture that was asked for at the zoom of the screen, not the coarse one of everything. */
  get sight(): TimelineWindow | undefined {
    return this.last('stack');
  }

  announced(): Promise<string> {
    return this.page.locator('[role=status][aria-live]').innerText();
  }

  tip(): Promise<string> {
    return this.page.locator('.timeline-rows .flame-tip').innerText();
  }

  /** A point of the picture in pixels of the page: share of the time in sight, and row. */
  async point(
    share: number,
    row: number,
    rowHeight: number,
  ): Promise<{ readonly x: number; readonly y: number }> {
    const { left, right, top } = await this.box();
    return { x: left + share * (right - left), y: top + (row + 0.5) * rowHeight };
  }

  /** The part with spans, in pixels of the page; `left` is where the axis begins. */
  async box(): Promise<{ readonly left: number; readonly right: number; readonly top: number }> {
    const box = await this.page.locator('.timeline-rows canvas').boundingBox();
    if (box === null) throw new Error('the picture is not there');
    const axis = 24;
    return { left: box.x + this.gutter, right: box.x + box.width, top: box.y + axis };
  }

  /** Width of the names of `rank 7` in the test's font. */
  gutter = 76;

  /** Colours of the picture from left to right at the middle of a row. */
  async colors(
    row: number,
    rowHeight: number,
    shares: readonly number[],
    of = '.timeline-rows',
  ): Promise<readonly string[]> {
    await this.frame();
    return this.page.evaluate(
      ([selector, y, all, gutter]) => {
        const canvas = document.querySelector<HTMLCanvasElement>(`${selector} canvas`);
        const context = canvas?.getContext('2d');
        if (canvas === null || context === null || context === undefined) return [];
        const scale = window.devicePixelRatio;
        const width = canvas.width / scale - gutter;
        return all.map((share) =>
          [...context.getImageData((gutter + share * width) * scale, y * scale, 1, 1).data].join(),
        );
      },
      [of, (of === '.timeline-rows' ? 24 : 0) + row * rowHeight + 3, shares, this.gutter] as const,
    );
  }

  /** Presses a key while the picture has the focus. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.page.locator('.timeline-rows canvas').focus();
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async rows(): Promise<readonly string[]> {
    const texts = await this.page.locator('.profile-pane .grid-row:visible').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' '));
  }
}
