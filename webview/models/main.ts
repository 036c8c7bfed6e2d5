import { startView } from '../ui/page/shell';
import './models.css';
import { ModelsView, type ModelsShell } from './modelsView';
import { readViewState } from './viewState';

startView('models', readViewState, (shell: ModelsShell) => new ModelsView(shell));
