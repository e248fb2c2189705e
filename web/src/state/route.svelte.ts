/** Which page is shown, and going to another. */
import { parse, type Route } from './address';

export * from './address';

class Router {
  current = $state<Route>(parse(location.hash));

  constructor() {
    addEventListener('hashchange', () => (this.current = parse(location.hash)));
  }

  /** Goes there; `replace` leaves no trace in the history. */
  go(address: string, replace = false): void {
    if (!replace) location.hash = address;
    else {
      history.replaceState(null, '', address);
      this.current = parse(address);
    }
  }
}

export const router = new Router();
