import type { ScorepTargetSettings } from '../../../../core/scorepOptions/option';
import { targetEdit, type TextChange } from '../../../words/settings/targetEdit';

/**
 * The edit of `kymo.json` that gives a target these settings. Text of unchanged settings stays, comments included; settings equal to the
 * default are removed. Undefined when the text has no such target.
 * @param backend written beside the settings if given
 */
export function scorepEdit(
  text: string,
  target: string,
  settings: ScorepTargetSettings,
  backend?: 'scorep',
): TextChange | undefined {
  const { flags, filtering, environment } = settings;
  return targetEdit(text, target, (edited) => {
    if (backend !== undefined) edited.set(['backend'], backend);
    edited.set(['scorep', 'flags'], flags.length === 0 ? undefined : flags);
    edited.set(['scorep', 'filtering'], filtering === 'hybrid' ? undefined : filtering);
    for (const name of edited.keys(['scorep', 'environment']))
      if (!Object.hasOwn(environment, name)) edited.set(['scorep', 'environment', name], undefined);
    for (const [name, value] of Object.entries(environment))
      edited.set(['scorep', 'environment', name], value);
    edited.removeEmpty(['scorep', 'environment']);
    edited.removeEmpty(['scorep']);
  });
}
