/** The page starts here: styles, then the one component that holds the others. */
import '@lichess-org/chessground/assets/chessground.base.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/pieces.css';
import './theme/board.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('the document has no element #app to put the page in');
mount(App, { target });
