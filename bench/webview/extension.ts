// The extension's end of the wire, in the page itself: the real checks and answers of the tests, on a profile of `callPaths` call
// paths. What crosses is cloned as VS Code clones it. Runs before the view's own script.
import { PanelChannel } from '../../src/editor/panels/panelChannel';
import type { ToWebview } from '../../src/protocol/channel';
import type { HotSpotsEvents, HotSpotsRequests } from '../../src/protocol/hotSpots';
import * as kymoBench from './measure';
import { answersOf, large } from '../../test/webview/hotSpots/profiles';

const callPaths = Number(new URLSearchParams(location.search).get('callPaths') ?? '100000');
const profile = large(callPaths);
let listener: (message: unknown) => void = () => undefined;
new PanelChannel<HotSpotsRequests, HotSpotsEvents>(
  {
    postMessage: (message: ToWebview) => {
      const data = structuredClone(message);
      setTimeout(() => window.dispatchEvent(new MessageEvent('message', { data })));
    },
    onDidReceiveMessage: (one) => {
      listener = one;
      return { dispose: () => undefined };
    },
  },
  answersOf(() => profile, []).answers,
  () => undefined,
  (why) => console.error(why),
);
let state: unknown;
Object.assign(globalThis, {
  kymoBench,
  acquireVsCodeApi: () => ({
    postMessage: (message: unknown) => {
      const data: unknown = structuredClone(message);
      setTimeout(() => listener(data));
    },
    getState: () => state,
    setState: (value: unknown) => {
      state = JSON.parse(JSON.stringify(value)) as unknown;
    },
  }),
});
// From here on the time is the view's own: its script, the wire, and the first rows.
const begin = performance.now();
new MutationObserver((_, observer) => {
  if (document.querySelector('.grid-row') === null) return;
  observer.disconnect();
  requestAnimationFrame(() =>
    setTimeout(() => Object.assign(globalThis, { kymoFirstPaint: performance.now() - begin })),
  );
}).observe(document, { subtree: true, childList: true });
