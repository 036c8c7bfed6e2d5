import { startView } from '../ui/page/shell';
import './diagnosis.css';
import { DiagnosisView, type DiagnosisShell } from './diagnosisView';
import { readViewState } from './viewState';

startView('diagnosis', readViewState, (shell: DiagnosisShell) => new DiagnosisView(shell));
