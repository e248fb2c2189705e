/** The games of a match, read again while it is played. */
import * as api from '../api/client';
import { readJournal, type JournalGame } from '../notation/journal';

/** How often a match that goes on is looked at, in milliseconds. */
const pace = 3000;

export const journalName = 'games.jsonl';

export class Journal {
  games = $state.raw<JournalGame[]>([]);
  problem = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `goesOn` is asked after every look. */
  constructor(id: string, goesOn: () => boolean) {
    void this.#look(id, goesOn);
  }

  async #look(id: string, goesOn: () => boolean): Promise<void> {
    try {
      this.games = readJournal(await api.artefactText(id, journalName));
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    if (!this.#closed && goesOn()) this.#timer = setTimeout(() => void this.#look(id, goesOn), pace);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
