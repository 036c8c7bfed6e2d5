import { KymoError } from './errors';

/**
 * The reason of an abort when the user did not ask for it: the terminal or the editor was closed. Programs on this machine end, jobs of
 * a batch system go on, and the same command finds them again.
 */
export class UserLeft extends KymoError<'cancelled'> {
  constructor() {
    super('cancelled', 'The terminal or the editor was closed.');
  }
}
