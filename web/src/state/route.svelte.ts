/** Which page is shown, and going to another. */
import { parse, redirect, type Route } from './address';

export * from './address';

class Router {
  current = $state<Route>(parse(location.hash));

  constructor() {
    this.#follow();
    addEventListener('hashchange', () => {
      this.#follow();
      this.current = parse(location.hash);
    });
  }

  /** An old address is replaced by the one that stands for it. */
  #follow(): void {
    const target = redirect(location.hash);
    if (target) history.replaceState(null, '', target);
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
