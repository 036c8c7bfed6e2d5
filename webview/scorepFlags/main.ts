import { startView } from '../ui/page/shell';
import './scorepFlags.css';
import { FlagsView, type FlagsShell } from './flagsView';
import { readViewState } from './viewState';

startView('flags', readViewState, (shell: FlagsShell) => new FlagsView(shell));
