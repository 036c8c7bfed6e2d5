import { startView } from '../ui/page/shell';
import './cube.css';
import { App, type CubeShell } from './app';
import { readViewState } from './viewState';

startView('cube', readViewState, (shell: CubeShell) => new App(shell));
