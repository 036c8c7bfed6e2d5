import { type FilterTable, isFilterName } from '../filters/filterTable';
import { OverlayError } from '../packets/overlayError';
import type { Surroundings } from './surroundings';

/** Ranks where a filter could not be loaded, and why. */
export type LoadFailures = readonly (readonly [rank: number, message: string])[];

interface Request {
  /** Children whose answers are missing. */
  readonly missing: Set<number>;
  failures: LoadFailures;
  isLoaded: boolean;
}

/** Loading of a filter in this process and those below: one answer for all of them. Asked again, it answers again. */
export class FilterLoading {
  private readonly requests = new Map<number, Request>();

  constructor(
    private readonly rank: number,
    private readonly filters: FilterTable,
    private readonly load: Surroundings['load'],
    private readonly done: (request: number, failures: LoadFailures) => void,
  ) {}

  begin(
    message: {
      readonly request: number;
      readonly module: string;
      readonly name: string;
      readonly filter: string;
    },
    children: readonly number[],
  ): void {
    const request: Request = { missing: new Set(children), failures: [], isLoaded: false };
    this.requests.set(message.request, request);
    const finish = (failures: LoadFailures): void => {
      // After the loss of a process the front end asks again: the later request counts.
      if (this.requests.get(message.request) !== request) return;
      request.isLoaded = true;
      this.add(message.request, request, failures);
    };
    this.loadHere(message).then(
      () => finish([]),
      (error: unknown) =>
        finish([[this.rank, (error instanceof Error ? error.message : String(error)).slice(0, 2048)]]),
    );
  }

  answered(child: number, number: number, failures: LoadFailures): void {
    const request = this.requests.get(number);
    if (request?.missing.delete(child) === true) this.add(number, request, failures);
  }

  private async loadHere({
    module,
    name,
    filter,
  }: {
    module: string;
    name: string;
    filter: string;
  }): Promise<void> {
    if (!isFilterName(filter))
      throw new OverlayError('filter', 'The name of a loaded filter begins with “custom”.');
    if (this.filters.find(filter) === undefined) this.filters.add(filter, await this.load(module, name));
  }

  private add(number: number, request: Request, failures: LoadFailures): void {
    request.failures = [...request.failures, ...failures];
    if (!request.isLoaded || request.missing.size > 0) return;
    this.requests.delete(number);
    this.done(number, request.failures);
  }
}
