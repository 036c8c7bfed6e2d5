import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import type { ProcessEnd, ProcessUsage } from './process';

/** Reads the launcher's messages about a program, one per line (runtime/launcher/README.md). */
export class LauncherReport {
  /** Process id, which is also that of its session and group; undefined before the start. */
  pid: number | undefined;
  end: ProcessEnd | undefined;
  /** Wall time from the start to the end of the program. */
  seconds: number | undefined;
  usage: ProcessUsage | undefined;
  /** User and system time of the program and all its descendants; reported last. */
  cpuSeconds: number | undefined;
  /** Names of processes that were running after the program's end and that the launcher ended. */
  readonly remaining: string[] = [];
  /** Names of processes that the launcher could not end. */
  readonly stuck: string[] = [];
  private rest = '';

  constructor(private readonly program: string) {}

  add(piece: Buffer): void {
    const lines = `${this.rest}${piece.toString('utf8')}`.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.read(line);
  }

  private read(line: string): void {
    const [word = ''] = line.split(' ', 1);
    const value = line.slice(word.length + 1);
    const [number = NaN, second] = value.split(' ').map(Number);
    switch (word) {
      case 'started':
        this.pid = number;
        break;
      case 'failed':
        this.end = { kind: 'failed-to-start', error: startError(this.program, number) };
        break;
      case 'exit':
        this.end = { kind: 'exit', status: number };
        this.seconds = second;
        break;
      case 'signal':
        this.end = { kind: 'signal', signal: signalName(number) };
        this.seconds = second;
        break;
      case 'used':
        this.usage = { memoryBytes: number * 1024, writtenBytes: (second ?? NaN) * 512 };
        break;
      case 'cpu':
        this.cpuSeconds = number;
        break;
      case 'left':
        this.remaining.push(value);
        break;
      case 'stuck':
        this.stuck.push(value);
        break;
    }
  }
}

/** The error that Node.js would report. */
function startError(program: string, number: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(-number);
  return Object.assign(new Error(`spawn ${program} ${code}`), { code, errno: -number });
}

function signalName(number: number): NodeJS.Signals {
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  // Real-time signals have no name there.
  return names.find((name) => constants.signals[name] === number) ?? (`SIGRT${number}` as NodeJS.Signals);
}
