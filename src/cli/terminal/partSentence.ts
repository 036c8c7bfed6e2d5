import { recordedPartWords, type RecordedPart } from '../../core/profile/recordedPart';
import { printable, shortened } from './table';

/** `solve was recorded from 12.3 s on, for 41 % of the run.` */
export function partSentence(name: string, part: RecordedPart): string {
  return `${shortened(printable(name))} was ${recordedPartWords(part)}.`;
}
