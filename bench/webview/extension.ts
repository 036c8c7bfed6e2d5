// The extension's end of the wire, in the page itself: the real checks and answers of the tests, on a profile of `callPaths` call
// paths. Runs before the view's own script.
import type { HotSpotsRequests } from '../../src/protocol/hotSpots';
import { connect } from './lib/wire';
import * as kymoBench from './measure';
import { answersOf, large } from '../../test/webview/hotSpots/profiles';

const callPaths = Number(new URLSearchParams(location.search).get('callPaths') ?? '100000');
const profile = large(callPaths);
connect<HotSpotsRequests>(answersOf(() => profile, []).answers);
Object.assign(globalThis, { kymoBench });
// From here on the time is the view's own: its script, the wire, and the first rows.
const begin = performance.now();
new MutationObserver((_, observer) => {
  if (document.querySelector('.grid-row') === null) return;
  observer.disconnect();
  requestAnimationFrame(() =>
    setTimeout(() => Object.assign(globalThis, { kymoFirstPaint: performance.now() - begin })),
  );
}).observe(document, { subtree: true, childList: true });
