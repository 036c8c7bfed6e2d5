import { button } from '../ui/controls/button';
import { checkbox } from '../ui/controls/checkbox';
import { type Control, element } from '../ui/base/dom';
import { dropdown } from '../ui/controls/dropdown';
import { toolbar } from '../ui/controls/toolbar';
import { type Moment, unwritten } from './model';

export interface HeaderActions {
  readonly chooseTarget: (name: string) => void;
  readonly use: (setBackend: boolean) => void;
  readonly openConfiguration: () => void;
  readonly revert: () => void;
  readonly useDefaults: () => void;
}

export interface Header extends Control {
  show(moment: Moment): void;
}

/** The Score-P installation, the target, and the actions on the choice. */
export function header(actions: HeaderActions, search: Control): Header {
  const installation = element('p', { class: 'summary installation muted' });
  const state = element('p', { class: 'summary state', role: 'status' });
  const otherBackend = element('p', { class: 'summary other-backend' });
  const targets = dropdown<string>({
    label: 'Target',
    onChange: actions.chooseTarget,
  });
  const backend = checkbox({
    label: 'Measure it with Score-P',
    checked: true,
    onChange: () => {
      if (last !== undefined) show(last);
    },
  });
  const use = button({
    label: 'Use for Target',
    icon: 'accept',
    appearance: 'primary',
    onClick: () => actions.use(backend.checked && !backend.element.hidden),
  });
  const configuration = button({
    label: 'Open kymo.json',
    icon: 'source',
    onClick: actions.openConfiguration,
  });
  const revert = button({
    label: 'Revert',
    onClick: actions.revert,
    tooltip: 'Restore the values of kymo.json',
  });
  const defaults = button({
    label: 'Defaults',
    onClick: actions.useDefaults,
    tooltip: "Score-P's defaults everywhere",
  });
  const tools = toolbar('Score-P options', use, backend, configuration, revert, defaults);
  let last: Moment | undefined;
  let listed = '';

  function show(moment: Moment): void {
    last = moment;
    const { shown, target } = moment;
    installation.textContent = installationSentence(moment);
    state.textContent = stateSentence(moment);
    otherBackend.textContent = backendSentence(moment);
    otherBackend.hidden = otherBackend.textContent === '';
    const names = shown.targets.map(({ name }) => ({ value: name, label: name }));
    targets.element.hidden = names.length === 0;
    const wanted = JSON.stringify([names, target?.name]);
    if (wanted !== listed) {
      listed = wanted;
      targets.setChoices(names, target?.name ?? '');
    }
    backend.element.hidden = target === undefined || target.backend === 'scorep';
    use.setLabel(target === undefined ? 'Use for Target' : `Use for ${target.name}`);
    use.setDisabled(whyNotUse(moment, backend.checked && !backend.element.hidden));
    configuration.setLabel(shown.targets.length > 0 ? 'Open kymo.json' : 'Create kymo.json');
    configuration.element.hidden = shown.folder === '';
    revert.setDisabled(moment.changed.length === 0 ? 'Nothing is changed.' : undefined);
    defaults.setDisabled(Object.keys(moment.values).length === 0 ? 'Everything has its default.' : undefined);
  }

  return {
    element: element(
      'header',
      { class: 'flags-header' },
      element(
        'div',
        { class: 'title-row row' },
        element('h1', { class: 'title ellipsis', text: 'Score-P Flags' }),
        targets.element,
      ),
      installation,
      state,
      otherBackend,
      element('div', { class: 'tool-row row' }, tools.element, search.element),
    ),
    show,
  };
}

function installationSentence({ shown, target, offered }: Moment): string {
  if (offered !== undefined) return `Score-P ${offered.version}, ${offered.path}`;
  const installation = shown.installations[target?.instrumenter ?? 'scorep'];
  return installation !== undefined && 'problem' in installation ? installation.problem : '';
}

function stateSentence(moment: Moment): string {
  const { shown, target } = moment;
  if (target === undefined) return `${shown.problem ?? 'There is no target.'} Everything can be copied.`;
  const count = unwritten(moment).length;
  const other =
    moment.base.otherFlags.length + Object.keys(moment.base.otherEnvironment).length > 0
      ? ` Its other settings stay: ${[...moment.base.otherFlags, ...Object.keys(moment.base.otherEnvironment)].join(' ')}.`
      : '';
  if (count === 0) return `As in kymo.json for ${target.name}.${other}`;
  return `${count} ${count === 1 ? 'option differs' : 'options differ'} from kymo.json for ${target.name}.${other}`;
}

/** Options that the target does not use are no problem as long as people know. `auto` is Kymo's own back-end. */
function backendSentence({ target }: Moment): string {
  if (target === undefined || target.backend === 'scorep') return '';
  return `${target.name} is measured with Kymo’s own back-end (“backend”: “${target.backend}”). These options apply only when it is measured with Score-P.`;
}

function whyNotUse(moment: Moment, setsBackend: boolean): string | undefined {
  const { shown, target, problems } = moment;
  if (target === undefined) return shown.problem ?? 'There is no target to use it for.';
  const [wrong] = Object.entries(problems);
  if (wrong !== undefined) {
    const [id, problem] = wrong;
    const label = shown.catalogue.options.find((option) => option.id === id)?.label ?? id;
    return `${label}: ${problem}`;
  }
  return unwritten(moment).length === 0 && !setsBackend ? 'kymo.json has these values already.' : undefined;
}
