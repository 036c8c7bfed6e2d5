import { startView } from '../ui/page/shell';
import './timeline.css';
import { TimelineView, type TimelineShell } from './timelineView';
import { readViewState } from './viewState';

startView('timeline', readViewState, (shell: TimelineShell) => new TimelineView(shell));
