/** An event source that the test speaks through, in place of the browser's. */
export class Source extends EventTarget {
  static all: Source[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;

  constructor(readonly url: string) {
    super();
    Source.all.push(this);
  }

  static get latest(): Source {
    const source = Source.all.at(-1);
    if (!source) throw new Error('no stream was opened');
    return source;
  }

  say(name: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  close(): void {
    this.closed = true;
  }
}
