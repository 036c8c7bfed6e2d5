import type { AgentPlace } from '../../../core/diagnosis/strategies/agent';
import type { SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import type { SearchStart, ToAgent, ToFrontEnd } from '../../../core/diagnosis/strategies/messages';
import { isRecord } from '../../../core/present';

/** What the front end sends to agents on other hosts, as JSON. */
export type SearchOrder =
  | {
      readonly kind: 'begin';
      readonly start: SearchStart;
      readonly place: AgentPlace;
      /** Names below each resource of the machine, by `pathKey`. */
      readonly machine: readonly (readonly [string, readonly string[]])[];
      /** Seconds since the search began. */
      readonly time: number;
      /** Functions that are recorded now, and those of them that stay so; by key. */
      readonly recorded: readonly string[];
      readonly fixed: readonly string[];
    }
  | {
      readonly kind: 'order';
      /** Absent: all agents. */
      readonly host?: string;
      readonly message: ToAgent;
    };

/** What agents report, as JSON. */
export type SearchReport =
  | { readonly kind: 'answer'; readonly host: string; readonly message: ToFrontEnd }
  /** What the agent found out so far. */
  | { readonly kind: 'record'; readonly host: string; readonly record: SearchRecord }
  /** Functions that it switched in the processes of its host, by key. */
  | {
      readonly kind: 'switched';
      readonly host: string;
      readonly on: readonly string[];
      readonly off: readonly string[];
    }
  | { readonly kind: 'failed'; readonly host: string; readonly message: string };

/** Undefined for what is none. Both ends are of one installation, and have proved that they belong together. */
export function readOrder(text: string): SearchOrder | undefined {
  const value = message(text, ['begin', 'order']);
  return value as SearchOrder | undefined;
}

/** As `readOrder`. */
export function readReport(text: string): SearchReport | undefined {
  const value = message(text, ['answer', 'record', 'switched', 'failed']);
  return value as SearchReport | undefined;
}

function message(text: string, kinds: readonly string[]): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && kinds.some((kind) => kind === value.kind) ? value : undefined;
  } catch {
    return undefined;
  }
}
