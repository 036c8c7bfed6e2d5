/**
 * The envelope of every message between the extension and a webview. A view's protocol is two maps of types: requests (the webview
 * asks, the extension answers) and events (the extension reports). Bulk data are typed arrays in the answers.
 */

/** The shape of a view's requests: name → question and answer. `postMessage` can clone both. */
export type RequestShape<Requests> = {
  readonly [Name in keyof Requests]: { readonly parameters: unknown; readonly result: unknown };
};

/** Webview → extension. */
export type ToExtension =
  /** The webview's script runs and listens; the extension sends nothing before. `state` is the view's state before a reload. */
  | { readonly kind: 'ready'; readonly state?: unknown }
  | { readonly kind: 'request'; readonly id: number; readonly name: string; readonly parameters: unknown }
  | { readonly kind: 'cancel'; readonly id: number };

/** Extension → webview. */
export type ToWebview =
  | { readonly kind: 'response'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly reason: string; readonly message: string }
  | { readonly kind: 'event'; readonly name: string; readonly value: unknown };

/** Checks a message from a webview; undefined if it does not have the shape of the envelope. */
export function readToExtension(value: unknown): ToExtension | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.kind) {
    case 'ready':
      return { kind: 'ready', ...(value.state === undefined ? {} : { state: value.state }) };
    case 'request':
      return isId(value.id) && typeof value.name === 'string'
        ? { kind: 'request', id: value.id, name: value.name, parameters: value.parameters }
        : undefined;
    case 'cancel':
      return isId(value.id) ? { kind: 'cancel', id: value.id } : undefined;
    default:
      return undefined;
  }
}

/** Checks a message from the extension. Other parties (browser extensions, VS Code itself) post to the same window. */
export function readToWebview(value: unknown): ToWebview | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.kind) {
    case 'response':
      return isId(value.id) ? { kind: 'response', id: value.id, result: value.result } : undefined;
    case 'failure':
      return isId(value.id) && typeof value.reason === 'string' && typeof value.message === 'string'
        ? { kind: 'failure', id: value.id, reason: value.reason, message: value.message }
        : undefined;
    case 'event':
      return typeof value.name === 'string'
        ? { kind: 'event', name: value.name, value: value.value }
        : undefined;
    default:
      return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
