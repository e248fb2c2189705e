/** Which agents and evaluations there are: asked once, when first needed, and again until there is an answer. */
import * as api from '../api/client';

/** How long to wait before asking again, in milliseconds. */
const patience = 2000;

class Known<Entry> {
  list = $state.raw<Entry[]>([]);
  problem = $state('');
  #asked = false;

  constructor(private readonly request: () => Promise<Entry[]>) {}

  load(): void {
    if (this.#asked) return;
    this.#asked = true;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    try {
      this.list = await this.request();
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      setTimeout(() => void this.#ask(), patience);
    }
  }
}

export const agents = new Known(api.agents);
export const evaluations = new Known(api.evaluations);
