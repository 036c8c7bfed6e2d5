import { startView } from '../ui/page/shell';
import './hotSpots.css';
import { App, type HotSpotsShell } from './app';
import { readViewState } from './viewState';

startView('hotSpots', readViewState, (shell: HotSpotsShell) => new App(shell));
