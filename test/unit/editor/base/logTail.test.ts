import { describe, expect, it } from 'vitest';
import type { LogOutputChannel } from 'vscode';
import { LogTail } from '../../../../src/editor/base/logTail';

describe('the last lines of the log', () => {
  it('are kept with level and time, and still reach the channel', () => {
    const written: string[] = [];
    const write = (what: string | Error): void => void written.push(String(what));
    const tail = new LogTail();
    const log = tail.watch({ info: write, warn: write, error: write } as LogOutputChannel);
    for (let line = 0; line < 1000; line += 1) log.info(`line ${line}`);
    log.error(new Error('broken'));
    expect(written).toHaveLength(1001);
    expect(tail.lines).toHaveLength(200);
    expect(tail.lines.at(-2)).toMatch(/^20\d\d-.*Z \[info\] line 999$/);
    expect(tail.lines.at(-1)).toMatch(/\[error\] Error: broken\n +at /);
  });
});
