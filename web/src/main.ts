/** The page starts here: styles, then the one component that holds the others. */
import '@lichess-org/chessground/assets/chessground.base.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/pieces.css';
import './theme/cburnett.css';
import './theme/board.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { follow } from './text/catalogue.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('the document has no element #app to put the page in');
// The first view is in the reader's language.
void follow().then(() => mount(App, { target }));

// Kept by the browser, so that the page opens though the server is away. Without it the page works all the same.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register('/worker.js').catch(() => undefined));
}
