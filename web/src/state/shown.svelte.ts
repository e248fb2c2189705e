/** The game that a page's address names: opened when it is named, closed when another is. */
import { untrack } from 'svelte';
import { browse, type Browsable } from './keys';
import { href, router, type Page } from './route.svelte';
import { server } from './server.svelte';

interface Game {
  id: string;
  white: { human: boolean };
  black: { human: boolean };
}

interface Session extends Browsable {
  readonly game: { id: string };
  close(): void;
}

interface Kind<Named extends Game, Open extends Session> {
  page: Page;
  /** Asks for the game of this name. */
  ask: (id: string) => Promise<Named>;
  begin: (game: Named) => Open;
  /** Names in the address that are no games. */
  except?: string;
}

/** To be made where a page is. */
export class Shown<Named extends Game, Open extends Session> {
  session = $state.raw<Open>();
  /** Seen from Black's side. */
  flipped = $state(false);
  /** A new game is being set up. */
  setting = $state(false);
  /** Why it cannot be shown. */
  problem = $state('');

  constructor(private readonly kind: Kind<Named, Open>) {
    $effect(() => {
      const id = router.current.id;
      untrack(() => void this.#open(id));
    });
    // What could not be asked for while the server was away is asked for when it is back.
    $effect(() => {
      const { away } = server;
      untrack(() => {
        if (!away && this.problem) void this.#open(router.current.id);
      });
    });
    $effect(() => () => this.session?.close());
  }

  async #open(id: string | undefined): Promise<void> {
    if (this.session && this.session.game.id === id) return;
    this.session?.close();
    this.session = undefined;
    this.problem = '';
    if (id === undefined || id === this.kind.except) return;
    // Whoever has gone elsewhere meanwhile is not called back.
    const wanted = () => router.current.page === this.kind.page && router.current.id === id;
    try {
      const game = await this.kind.ask(id);
      if (wanted()) this.show(game);
    } catch (error) {
      if (wanted()) this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  show = (game: Named): void => {
    this.session?.close();
    this.session = this.kind.begin(game);
    this.setting = false;
    // A person looks from their own side.
    this.flipped = game.black.human && !game.white.human;
    // On a phone the form was longer than the screen; the board is on top.
    scrollTo(0, 0);
    // Whoever came by the game's address stays there, as a watcher perhaps.
    if (router.current.id !== game.id) router.go(href(this.kind.page, game.id));
  };

  /** What the keyboard does wherever it is pressed. */
  press = (event: KeyboardEvent): void => {
    if (browse(event, this.session)) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key === 'f' && plain && !typing) this.flipped = !this.flipped;
  };
}
