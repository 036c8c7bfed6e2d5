import * as l10n from '@vscode/l10n';
import type { Event } from 'vscode';
import { present } from '../../../core/present';
import { isDynamic, kindRecord } from '../../../core/properties/kinds';
import { severityOf } from '../../../core/properties/property';
import type { Dynamics, FoundDynamics } from '../dynamics/dynamics';
import type { DynamicsArguments } from '../dynamics/panelArguments';
import { annotationSettings, dynamicsSettings, propertyThreshold } from '../settings/settings';
import type { FoundIn, PropertySource } from './propertySource';

/** Findings over the iterations of a run. */
export class DynamicsSource implements PropertySource {
  readonly name = 'dynamics';
  readonly onDidChange: Event<void>;

  constructor(private readonly dynamics: Dynamics) {
    this.onDidChange = dynamics.onDidChange;
  }

  async *find(): AsyncGenerator<readonly FoundIn[]> {
    yield (await this.dynamics.found()).map(foundIn);
  }
}

function foundIn({ folder, input, opened, isChosen, properties, missing }: FoundDynamics): FoundIn {
  const { title, studyDirectory, files } = opened;
  return {
    folder,
    title,
    target: title,
    properties,
    everywhere: isChosen,
    missingSources: missing,
    ...present({
      linesOf: studyDirectory ?? files[0],
      problemSource: studyDirectory === undefined ? title : undefined,
    }),
    levelOf: (property, file) => {
      const { problems, warningShare } = dynamicsSettings(file);
      const severity = severityOf(property);
      if (!problems || !annotationSettings(file).enabled || !isDynamic(property)) return undefined;
      if (severity < propertyThreshold(file)) return undefined;
      const { direction, level } = kindRecord(property.kind);
      return severity >= warningShare && direction === 'worse'
        ? 'warning'
        : level === 'note'
          ? undefined
          : level;
    },
    command: ({ id }) => {
      const shown: DynamicsArguments = { input, property: id };
      return { title: l10n.t('Show in Dynamics Panel'), command: 'kymo.showDynamics', arguments: [shown] };
    },
  };
}
