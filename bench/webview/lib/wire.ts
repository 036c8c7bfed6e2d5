import { type Answers, PanelChannel } from '../../../src/editor/surfaces/panels/panelChannel';
import type { RequestShape, ToWebview } from '../../../src/protocol/channel';

/**
 * Gives the page the `acquireVsCodeApi` of a webview, with the extension's own end of the wire behind it. What crosses is cloned and
 * arrives later, as in VS Code. Nobody tells it events. To be called before the view's own script runs.
 */
export function connect<Requests extends RequestShape<Requests>>(answers: Answers<Requests>): void {
  let listener: (message: unknown) => void = () => undefined;
  new PanelChannel<Requests, object>(
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
    answers,
    () => undefined,
    (why) => console.error(why),
  );
  let state: unknown;
  const api = {
    postMessage: (message: unknown) => {
      const data: unknown = structuredClone(message);
      setTimeout(() => listener(data));
    },
    getState: () => state,
    setState: (value: unknown) => {
      state = JSON.parse(JSON.stringify(value)) as unknown;
    },
  };
  Object.assign(globalThis, { acquireVsCodeApi: () => api });
}
