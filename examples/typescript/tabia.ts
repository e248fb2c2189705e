/** A client of Tabia's API. The types come from the server's own description: `npm run types`. */

import type { components } from "./schema.d.ts";

type Schemas = components["schemas"];
export type Game = Schemas["GameDocument"];
export type GameEvent = Schemas["GameEvent"];
export type NewGame = Schemas["NewGame"];
export type Evaluation = Schemas["EvaluationDocument"];

/** What the server has against a request (RFC 9457). */
export class Problem extends Error {
  readonly document: Schemas["Problem"];

  constructor(document: Schemas["Problem"]) {
    super(`${document.status} ${document.title}: ${document.detail}`);
    this.document = document;
  }
}

export interface StreamEvent {
  name: string;
  id: number | undefined;
  data: unknown;
}

export class Tabia {
  private readonly address: string;
  private readonly token: string | undefined;

  constructor(address: string, token?: string) {
    this.address = address.replace(/\/$/, "");
    this.token = token;
  }

  private async open(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const authorization: Record<string, string> = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    const kind: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
    const response = await fetch(`${this.address}/api/v1${path}`, {
      method,
      headers: { ...authorization, ...kind, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Problem((await response.json()) as Schemas["Problem"]);
    return response;
  }

  private async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await (await this.open(method, path, body)).json()) as T;
  }

  newGame(setup: Partial<NewGame>): Promise<Game> {
    return this.ask("POST", "/games", setup);
  }

  game(id: string): Promise<Game> {
    return this.ask("GET", `/games/${id}`);
  }

  play(id: string, move: string, ply?: number): Promise<Game> {
    return this.ask("POST", `/games/${id}/moves`, { move, ply });
  }

  evaluate(fen: string, evaluation = "axiomx"): Promise<Evaluation> {
    return this.ask("GET", `/analysis/evaluate?${new URLSearchParams({ fen, eval: evaluation })}`);
  }

  /** The events of a game after one that is known, until the stream ends or is left. */
  async *events(id: string, since: number): AsyncGenerator<StreamEvent> {
    const response = await this.open("GET", `/games/${id}/events`, undefined, { "Last-Event-ID": String(since) });
    if (response.body === null) return;
    let buffer = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      buffer += chunk;
      for (let end = buffer.indexOf("\n\n"); end >= 0; end = buffer.indexOf("\n\n")) {
        const fields = new Map(
          buffer
            .slice(0, end)
            .split("\n")
            .map((line) => line.split(/: ?(.*)/s, 2) as [string, string]),
        );
        buffer = buffer.slice(end + 2);
        const data = fields.get("data");
        const number = fields.get("id");
        if (data !== undefined) {
          const id = number === undefined ? undefined : Number(number);
          yield { name: fields.get("event") ?? "message", id, data: JSON.parse(data) };
        }
      }
    }
  }

  /** The game when it waits for a person, or is over. */
  async settled(id: string): Promise<Game> {
    let game = await this.game(id);
    while (game.awaits === "agent") {
      for await (const event of this.events(id, game.version)) if (event.id !== undefined) break;
      game = await this.game(id);
    }
    return game;
  }
}
