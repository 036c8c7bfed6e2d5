import { startView } from '../ui/page/shell';
import './comparison.css';
import { ComparisonView, type ComparisonShell } from './comparisonView';
import { readViewState } from './viewState';

startView('comparison', readViewState, (shell: ComparisonShell) => new ComparisonView(shell));
