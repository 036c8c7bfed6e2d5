import { startView } from '../ui/page/shell';
import './dynamics.css';
import { DynamicsView, type DynamicsShell } from './dynamicsView';
import { readViewState } from './viewState';

startView('dynamics', readViewState, (shell: DynamicsShell) => new DynamicsView(shell));
