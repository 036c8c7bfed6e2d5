import {
  openTimeline,
  timelineFind,
  timelineFunction,
  timelineMessages,
  timelineProfile,
  timelineSpans,
  timelineStack,
} from '../../workflows/views/timelineView';
import { query } from './request';

const home = 'document';

/** The timeline of a trace. A process keeps the last trace open; its index stays beside the trace. */
export const timelineRequests = {
  openTimeline: query(openTimeline, { home }),
  timelineSpans: query(timelineSpans, { home }),
  timelineStack: query(timelineStack, { home }),
  timelineMessages: query(timelineMessages, { home }),
  timelineProfile: query(timelineProfile, { home }),
  timelineFind: query(timelineFind, { home }),
  /** Where a function is in the source. */
  timelineFunction: query(timelineFunction, { home }),
};
