import { startView } from '../ui/page/shell';
import './refinement.css';
import { RefinementView, type RefinementShell } from './refinementView';
import { readViewState } from './viewState';

startView('refinement', readViewState, (shell: RefinementShell) => new RefinementView(shell));
