import { KymoError } from '../../core/errors';

/**
 * - `bad-sample`: a sample whose numbers cannot be those of a measurement
 * - `bad-classes`: lists of classes that do not belong together
 * - `bad-time`: a time stamp or a width that is no number, or out of range
 * - `unknown-child`: data of a process that is no child of this one in the stream
 * - `no-estimate`: the clock of a child is asked for before it was measured
 */
type ServiceFault = 'bad-sample' | 'bad-classes' | 'bad-time' | 'unknown-child' | 'no-estimate';

/** Data that a service refuses; its state is as before. */
export class ServiceError extends KymoError<ServiceFault> {
  override readonly name = 'ServiceError';
}

/** The state of a child. @throws ServiceError `unknown-child` */
export function stateOf<State>(states: ReadonlyMap<number, State>, child: number): State {
  const state = states.get(child);
  if (state === undefined)
    throw new ServiceError('unknown-child', `Rank ${child} is not a child of this process in the stream.`);
  return state;
}
