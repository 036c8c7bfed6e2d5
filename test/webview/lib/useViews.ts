import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { RequestShape } from '../../../src/protocol/channel';
import { type View, ViewBrowser, type ViewOptions } from './view';

/** Opens views; they are closed after the test. */
export interface Views {
  readonly open: <Requests extends RequestShape<Requests>, Events>(
    options: ViewOptions<Requests>,
  ) => Promise<View<Requests, Events>>;
}

/** A browser for the tests of a file, and after each that nothing went wrong behind the scenes of what it opened. */
export function useViews(): Views {
  let browser: ViewBrowser;
  const opened: Pick<View<object, object>, 'errors' | 'refused' | 'close'>[] = [];
  beforeAll(async () => {
    browser = await ViewBrowser.start();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const views = opened.splice(0);
    try {
      for (const { errors, refused } of views) {
        expect(
          errors.filter((error) => !error.startsWith('Applying inline style')),
          'exceptions',
        ).toEqual([]);
        expect(refused, 'messages that the extension refused').toEqual([]);
      }
    } finally {
      for (const view of views) await view.close();
    }
  });
  return {
    open: async <Requests extends RequestShape<Requests>, Events>(options: ViewOptions<Requests>) => {
      const view = await browser.open<Requests, Events>(options);
      opened.push(view);
      return view;
    },
  };
}
