/** What a screen reader says next: the page's one polite live region reads it. */

class Announcer {
  text = $state('');

  say(text: string): void {
    // The same words twice are said twice: a trailing space makes the change.
    this.text = text === this.text ? `${text} ` : text;
  }
}

export const announcer = new Announcer();
