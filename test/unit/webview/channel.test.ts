import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, PanelChannel } from '../../../src/editor/surfaces/panels/panelChannel';
import type { ToWebview } from '../../../src/protocol/channel';
import { record, wholeNumber } from '../../../src/protocol/guards';
import { Channel } from '../../../webview/ui/page/channel';

interface Requests {
  readonly double: { readonly parameters: { readonly value: number }; readonly result: number };
  readonly wait: { readonly parameters: { readonly value: number }; readonly result: string };
}
interface Events {
  readonly news: string;
}

/** Both ends of the wire in memory. Messages are cloned and arrive later, as between the extension and its webview. */
class Wire {
  readonly refused: string[] = [];
  readonly readyStates: unknown[] = [];
  readonly aborted: number[] = [];
  readonly sentToWebview: ToWebview[] = [];
  readonly sentToExtension: unknown[] = [];
  readonly panel: PanelChannel<Requests, Events>;
  readonly channel: Channel<Requests, Events>;
  private toWebview: (data: unknown) => void = () => undefined;
  private toExtension: (message: unknown) => void = () => undefined;
  state: unknown = undefined;

  constructor(answers: Partial<Answers<Requests>> = {}) {
    this.panel = new PanelChannel<Requests, Events>(
      {
        postMessage: (message) => {
          this.sentToWebview.push(message);
          setTimeout(() => this.deliverToWebview(structuredClone(message)));
        },
        onDidReceiveMessage: (listener) => {
          this.toExtension = listener;
          return { dispose: () => (this.toExtension = () => undefined) };
        },
      },
      {
        double: { guard: record({ value: wholeNumber }), answer: ({ value }) => 2 * value },
        wait: {
          guard: record({ value: wholeNumber }),
          answer: ({ value }, signal) =>
            new Promise<string>((resolve) => {
              signal.addEventListener('abort', () => {
                this.aborted.push(value);
                resolve('too late');
              });
            }),
        },
        ...answers,
      },
      (state) => this.readyStates.push(state),
      (why) => this.refused.push(why),
    );
    const source = {
      addEventListener: (_type: string, listener: (event: { readonly data: unknown }) => void) => {
        this.toWebview = (data) => listener({ data });
      },
    };
    this.channel = new Channel<Requests, Events>(
      {
        postMessage: (message) => {
          this.sentToExtension.push(message);
          setTimeout(() => this.deliverToExtension(structuredClone(message)));
        },
        getState: () => this.state,
        setState: (state) => (this.state = state),
      },
      source as unknown as Window,
    );
  }

  deliverToExtension(message: unknown): void {
    this.toExtension(message);
  }

  deliverToWebview(message: unknown): void {
    this.toWebview(message);
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets all messages arrive that are under way. */
const settle = (milliseconds = 10): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

describe('requests', () => {
  it('are answered, each with its own answer', async () => {
    const { channel, sentToWebview } = new Wire();
    const answers = Promise.all([1, 2, 3].map((value) => channel.request('double', { value })));
    await settle();
    expect(await answers).toEqual([2, 4, 6]);
    expect(sentToWebview).toHaveLength(3);
  });

  it('fail with the reason that the extension gives', async () => {
    const { channel } = new Wire({
      double: {
        guard: record({ value: wholeNumber }),
        answer: () => Promise.reject(Object.assign(new Error('The file is gone.'), { reason: 'gone' })),
      },
    });
    const answer = expect(channel.request('double', { value: 1 })).rejects.toMatchObject({
      reason: 'gone',
      message: 'The file is gone.',
    });
    await settle();
    await answer;
  });

  it('time out when nobody answers, and cancel the work', async () => {
    const wire = new Wire();
    const answer = expect(
      wire.channel.request('wait', { value: 7 }, { patienceMilliseconds: 500 }),
    ).rejects.toMatchObject({ reason: 'timeout' });
    await settle(1000);
    await answer;
    expect(wire.aborted).toEqual([7]);
    expect(wire.sentToWebview).toEqual([]);
  });

  it('can be cancelled; a late answer is not sent and would not be taken', async () => {
    const wire = new Wire();
    const abort = new AbortController();
    const answer = expect(
      wire.channel.request('wait', { value: 8 }, { signal: abort.signal }),
    ).rejects.toMatchObject({
      reason: 'cancelled',
    });
    await settle();
    abort.abort();
    await settle();
    await answer;
    expect(wire.aborted).toEqual([8]);
    wire.deliverToWebview({ kind: 'response', id: 1, result: 'forged' });
    expect(wire.sentToWebview).toEqual([]);
  });

  it('with parameters that do not fit are refused', async () => {
    const wire = new Wire();
    const answer = expect(wire.channel.request('double', { value: -1 })).rejects.toMatchObject({
      reason: 'refused',
    });
    await settle();
    await answer;
    expect(wire.refused).toEqual(['request "double" with parameters that do not fit']);
  });

  it('that nobody offers are refused, also those that every object has', async () => {
    const wire = new Wire();
    for (const [index, name] of ['toString', '__proto__', 'constructor', 'x'.repeat(10_000)].entries())
      wire.deliverToExtension({ kind: 'request', id: index + 1, name, parameters: {} });
    await settle();
    expect(wire.refused).toHaveLength(4);
    expect(Math.max(...wire.refused.map(({ length }) => length))).toBeLessThan(100);
  });

  it('in a flood are refused beyond a bound, and the extension goes on', async () => {
    const wire = new Wire();
    for (let id = 1; id <= 1000; id++)
      wire.deliverToExtension({ kind: 'request', id, name: 'wait', parameters: { value: id } });
    await settle();
    expect(wire.refused).toHaveLength(1000 - 64);
    for (let id = 1; id <= 64; id++) wire.deliverToExtension({ kind: 'cancel', id });
    await settle();
    expect(wire.aborted).toHaveLength(64);
    const answer = wire.channel.request('double', { value: 4 });
    await settle();
    expect(await answer).toBe(8);
  });

  it('with the id of one that runs are refused', async () => {
    const wire = new Wire();
    wire.deliverToExtension({ kind: 'request', id: 5, name: 'wait', parameters: { value: 1 } });
    wire.deliverToExtension({ kind: 'request', id: 5, name: 'double', parameters: { value: 1 } });
    await settle();
    expect(wire.sentToWebview).toMatchObject([{ kind: 'failure', id: 5, reason: 'refused' }]);
  });
});

describe('what arrives', () => {
  it('may be anything: the extension refuses it, and answers what follows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.anything(), { maxLength: 20 }), async (messages) => {
        const wire = new Wire();
        for (const message of messages) wire.deliverToExtension(message);
        const answer = wire.channel.request('double', { value: 21 });
        await settle();
        expect(await answer).toBe(42);
        expect(wire.refused).toHaveLength(messages.length);
      }),
      { numRuns: 200 },
    );
  });

  it('may be anything: the webview ignores it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.anything(), { maxLength: 20 }), async (messages) => {
        const wire = new Wire();
        const heard: string[] = [];
        wire.channel.on('news', (text) => heard.push(text));
        const answer = wire.channel.request('double', { value: 21 });
        for (const message of messages) wire.deliverToWebview(message);
        await settle();
        expect(await answer).toBe(42);
        expect(heard).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('as an answer to nothing is ignored', async () => {
    const wire = new Wire();
    wire.deliverToWebview({ kind: 'response', id: 77, result: 1 });
    wire.deliverToWebview({ kind: 'event', name: 'constructor', value: 1 });
    const answer = wire.channel.request('double', { value: 1 });
    await settle();
    expect(await answer).toBe(2);
  });
});

describe('events', () => {
  it('reach the view once it is ready, and no longer while it is hidden', async () => {
    const wire = new Wire();
    const heard: string[] = [];
    const stop = wire.channel.on('news', (text) => heard.push(text));
    wire.panel.tell('news', 'too early');
    wire.state = { tab: 'flat' };
    wire.channel.ready();
    await settle();
    expect(wire.readyStates).toEqual([{ tab: 'flat' }]);
    wire.panel.tell('news', 'one');
    wire.panel.pause();
    wire.panel.tell('news', 'hidden');
    wire.channel.ready();
    await settle();
    wire.panel.tell('news', 'two');
    await settle();
    stop();
    wire.panel.tell('news', 'nobody listens');
    await settle();
    expect(heard).toEqual(['one', 'two']);
  });

  it('end with the panel, and so does its work', async () => {
    const wire = new Wire();
    wire.channel.ready();
    void wire.channel.request('wait', { value: 3 }).catch(() => undefined);
    await settle();
    wire.panel.dispose();
    wire.panel.tell('news', 'after the end');
    await settle();
    expect(wire.aborted).toEqual([3]);
    expect(wire.sentToWebview).toEqual([]);
  });
});
