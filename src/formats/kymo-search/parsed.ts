import { isKymoError, type KymoError } from '../../core/errors';

/** The error of a file that is wrong at a place, which is a JSON pointer. */
export type Wrong = (place: string, rule: string) => KymoError;

/** What a text of the file says. */
export function parsed<Result>(parse: () => Result, place: string, wrong: Wrong): Result {
  try {
    return parse();
  } catch (error) {
    throw isKymoError(error) ? wrong(place, `is wrong: ${error.message.replace(/\.$/, '')}`) : error;
  }
}
