import { baseText, togetherWords } from '../../../core/functions/base';
import { counted } from '../../../core/format';
import { profileFunctions } from '../../../core/problems/profileFunctions';
import { hotRows } from '../../terminal/profileText';
import { tableBlock, texts, type Section } from '../base/document';
import type { Reported } from '../base/reported';

const mostFunctions = 30;

/** The functions that take longest; undefined for a profile without time. @param folder that places are relative to */
export function hotSpotsSection({ run }: Reported, folder: string): Section | undefined {
  if (run?.context === undefined) return undefined;
  const { context, profile } = run;
  const functions = profileFunctions(context);
  const rows = hotRows(context, { rows: mostFunctions, folder, perLocation: false });
  const more = functions.length - rows.cells.length;
  const { locations } = profile;
  const ranks = new Set(locations.map(({ rank }) => rank)).size;
  return {
    id: 'hot-spots',
    title: 'Hot spots',
    blocks: [
      ...texts([`Shares of ${baseText(context.base, togetherWords(ranks, locations.length))}.`]),
      ...tableBlock(
        more > 0
          ? `The ${mostFunctions} regions with the most exclusive time, of ${functions.length}`
          : 'Regions by exclusive time',
        rows,
        functions.map(({ exclusiveShare }) => exclusiveShare),
      ),
      ...texts(more > 0 ? [`“kymo profile show” prints ${counted(more, 'more region')}.`] : []),
    ],
  };
}
