import type { ProcessEnd } from './process';

/** How a process ended, as the part of a sentence after its name. */
export function endWords(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exit':
      return `ended with status ${end.status}`;
    case 'signal':
      return `was ended by ${end.signal}`;
    case 'timeout':
      return `took more than ${end.seconds} s`;
    case 'failed-to-start':
      return `could not be started (${end.error.message})`;
    case 'aborted':
      return 'was cancelled';
  }
}
