// Made by `npm run types` from /api/v1/openapi.json: not to be changed by hand.

export interface paths {
  '/api/v1/agents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the agents.
     * @description With their options and defaults, as `tabia agents --json` has them.
     */
    get: {
      parameters: {
        query?: {
          /** @description Those that play this game. */
          variant?: 'chess' | 'quantum';
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The agents */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['AgentList'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/evaluate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Evaluate a position.
     * @description The score, the terms that sum to it, the fields behind them, and a summary in words. This is a static evaluation
     *     without a search.
     */
    get: {
      parameters: {
        query?: {
          /**
           * @description The position; without one, the start of a game.
           * @example r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
           */
          fen?: string;
          /**
           * @description The evaluation; `axiomx` without one.
           * @example axon
           */
          eval?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The evaluation */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['EvaluationDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/evaluations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the evaluations and their fields. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The evaluations */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['EvaluationList'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/games': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Review a game.
     * @description Starts a job. It continues without the client, and reports its progress as events. It is bounded by nodes, so that
     *     the same game gets the same marks.
     */
    post: {
      parameters: {
        query?: {
          /** @description The language of the texts: `en` (English, without it) or `de` (German). Names in documents are the same in all. */
          language?: 'en' | 'de';
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['GameReviewRequest'];
        };
      };
      responses: {
        /** @description The job */
        201: {
          headers: {
            /** @description Where it is */
            location?: string;
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['JobDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/games/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the progress of a review. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The job */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The job */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['JobDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    /** Cancel the review of a game, and delete it. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The job */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is gone */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/games/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Cancel the review of a game; what was done is kept. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The job */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The job */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['JobDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/games/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Watch the review of a game.
     * @description Server-Sent Events, each with its number, from the first one or from what is known: `position` after each search,
     *     `move` when a move is judged, `review` after a marked one, `exercise` where they were asked for, and at the end `done`,
     *     `cancelled` or `failed`.
     */
    get: {
      parameters: {
        query?: {
          /**
           * @description The number of the last event that is known already. Without it, and without `Last-Event-ID`, the stream begins
           *     with the first event.
           */
          since?: number;
        };
        header?: {
          /** @description The number of the last event that is known already */
          'Last-Event-ID'?: number | null;
        };
        path: {
          /** @description The job */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The stream; `data` is JSON: `position` has Positions, `move` an AnalysedMove, `review` a ReviewedMove, `exercise` an ExerciseDocument, `done` and `cancelled` a Summary, `failed` a FailedDocument */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'text/event-stream': components['schemas']['AnalysedMove'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/games/{id}/exercises': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the exercises of a reviewed game, as far as they are.
     * @description An exercise is the position of a mistake. Every move solves it that is within three points of winning chances of the
     *     best one.
     */
    get: {
      parameters: {
        query?: {
          /** @description Only this player's. */
          player?: 'white' | 'black';
        };
        header?: never;
        path: {
          /** @description The job */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The exercises */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Exercises'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/games/{id}/pgn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the annotated game as PGN.
     * @description With the variations and comments that were there, and as far as the review is with scores, marks, the coach's texts,
     *     arrows and better lines.
     */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The job */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/x-chess-pgn': string;
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/lines': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Stream the lines that an agent finds.
     * @description Server-Sent Events: `line` for every line found, then `best`, or `failed`. Closing the stream stops the search;
     *     without a limit it stops at the server's limit (a minute).
     */
    get: {
      parameters: {
        query?: {
          /**
           * @description The position; without one, the start of a game.
           * @example r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
           */
          fen?: string;
          /** @description Which game; without it, Chess960 is recognised by its castling rights. */
          variant?: 'chess' | 'chess960';
          /**
           * @description The agent; `engine` by default.
           * @example engine(eval=axon)
           */
          agent?: string;
          /**
           * @description How many lines, 1 to 10; more than one needs an agent with the option `lines`.
           * @example 3
           */
          multipv?: number;
          /**
           * @description Stop at this depth.
           * @example 12
           */
          depth?: number;
          /** @description Stop after this many nodes. */
          nodes?: number;
          /**
           * @description Stop after this many milliseconds.
           * @example 2000
           */
          movetime_ms?: number;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The stream; `data` is JSON: `line` has a EngineLine, `best` a BestDocument, `failed` a FailedDocument */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'text/event-stream': components['schemas']['LineDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/position': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check a position.
     * @description A position that cannot be played is refused with what is wrong with it.
     */
    get: {
      parameters: {
        query: {
          /**
           * @description The position.
           * @example 8/5pk1/p3p1p1/1pPpP2p/1P1P1P1P/P3K1P1/8/8 w - - 0 40
           */
          fen: string;
          /** @description The game; without it, Chess960 is recognised by its castling rights. */
          variant?: 'chess' | 'chess960';
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The position */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['CheckedPosition'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/review': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Explain a move.
     * @description The document of `tabia explain --json`: verdict, both lines, every reason with its proof, and a text. The same nodes
     *     give the same document. The search ends when the client goes away.
     */
    post: {
      parameters: {
        query?: {
          /** @description The language of the texts: `en` (English, without it) or `de` (German). Names in documents are the same in all. */
          language?: 'en' | 'de';
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['ReviewRequest'];
        };
      };
      responses: {
        /** @description The review */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['ReviewDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/analysis/square': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the contributions of the pieces to a square.
     * @description For every field of the evaluation, by how much its value on the square would be less without each piece. Kings
     *     stay where they are: no position is without them.
     */
    get: {
      parameters: {
        query: {
          /** @description The position; without one, the start of a game. */
          fen?: string;
          /** @description The evaluation; `axiomx` without one. */
          eval?: string;
          /**
           * @description The square.
           * @example e4
           */
          square: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The shares */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SquareDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/explorer': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the state of the explorer's index.
     * @description Those of the files that the server was started with (`tabia serve --games FILE.pgn`), and how far they are read.
     */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The collection */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['CollectionDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/explorer/games/{number}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a game of the collection as PGN, as it stands in its file. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description Its number */
          number: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/x-chess-pgn': string;
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/explorer/players': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Find players of the collection by a part of their name. */
    get: {
      parameters: {
        query: {
          /**
           * @description A part of the name.
           * @example carl
           */
          name: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The players */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['ExplorerPlayers'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/explorer/position': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the moves and games of a position.
     * @description All games of the collection count, or those that meet every condition that is given. Without a collection of games, only
     *     the name of the opening is known.
     */
    get: {
      parameters: {
        query?: {
          /**
           * @description The position; without one, the start of a game.
           * @example r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
           */
          fen?: string;
          /**
           * @description The least average rating of both players; games in which a rating is missing do not count then.
           * @example 2500
           */
          min_rating?: number;
          /** @description The greatest average rating of both players. */
          max_rating?: number;
          /**
           * @description Played in this year, month or on this day (`2019`, `2019-03`, `2019-03-14`) or later.
           * @example 2019
           */
          since?: string;
          /** @description Played in this year, month or on this day or earlier. */
          until?: string;
          /** @description How the game ended. */
          result?: 'white' | 'draw' | 'black';
          /**
           * @description A part of the name of one of the players.
           * @example Carlsen
           */
          player?: string;
          /** @description The colour that this player had; without it, either. */
          color?: 'white' | 'black';
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The position */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['ExploredPosition'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the client's games.
     * @description Those that were set up with the same cookie, latest first.
     */
    get: {
      parameters: {
        query?: {
          /** @description The games of all clients; requires the server's token in `Authorization`. */
          all?: boolean;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The games */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameList'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    /**
     * Set up a game.
     * @description An agent with White begins to think at once. The cookie that comes with the answer lets `GET /games` list it.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['NewGame'];
        };
      };
      responses: {
        /** @description The game */
        201: {
          headers: {
            /** @description Where it is */
            location?: string;
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set up a game from a file.
     * @description A PGN of one game, or a JSON replay. People sit on both sides, under the names of the file: it can be looked
     *     through, analysed and, if it is not over, played on.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description PGN, or a JSON replay */
      requestBody: {
        content: {
          'application/json': unknown;
          'application/x-chess-pgn': string;
        };
      };
      responses: {
        /** @description The game */
        201: {
          headers: {
            /** @description Where it is */
            location?: string;
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a game. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    /** Delete a game. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is gone */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/draw': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Offer a draw, or answer an offer. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: {
          'application/json': components['schemas']['DrawRequest'] | null;
        };
      };
      responses: {
        /** @description The game, drawn or not */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Watch a game.
     * @description Server-Sent Events. First `state` with the whole game, unless `Last-Event-ID` or `since` is given; then `created`,
     *     `moved`, `undone`, `draw_offered`, `draw_declined` and `ended`, each with its number as id; in between `thinking`,
     *     without a number, while an agent thinks. A client that missed too many events gets `state` again.
     */
    get: {
      parameters: {
        query?: {
          /**
           * @description The number of the last event that the client has. Without it, and without `Last-Event-ID`, the stream starts
           *     with the whole game.
           */
          since?: number;
        };
        header?: {
          /** @description The number of the last event that is known already */
          'Last-Event-ID'?: number | null;
        };
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The stream; `data` is one of these as JSON, by the name of the event: `state` has a GameDocument, `thinking` a ThinkingDocument, all others a GameEvent */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'text/event-stream': components['schemas']['GameEvent'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/legal': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the legal moves. */
    get: {
      parameters: {
        query?: {
          /**
           * @description Only those from this square.
           * @example e2
           */
          from?: string;
        };
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The moves */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['LegalMoves'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/move-now': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let the agent move now.
     * @description The agent stops its search and plays the best move found so far.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It was told */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['MoveNow'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/moves': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a move.
     * @description The answer is the game after this move; the agent's reply comes as an event.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['NewMove'];
        };
      };
      responses: {
        /** @description The game after the move */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/pgn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a game as PGN.
     * @description With what its agents thought (`[%eval]`) and what was on the clocks (`[%clk]`).
     */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/x-chess-pgn': string;
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a game as a JSON replay.
     * @description In the form of seed 001.
     */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': Record<string, never>;
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/resign': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Resign. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: {
          'application/json': components['schemas']['Resignation'] | null;
        };
      };
      responses: {
        /** @description The game, over */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/undo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take back a move.
     * @description The person's last move, and the agent's reply to it if there was one. Between two people: the last move.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game as it was before */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/games/{id}/watch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get a link for watchers.
     * @description The same each time. It can be given to anybody: it shows the game and gives no right to move.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The name for watchers */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['WatchLink'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/analysis': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Analyse a state of quantum chess.
     * @description The document of `tabia quantum analyze --json`: the legal moves best first, each with what it is worth, the expected line, and
     *     what each result of its measurement would show. The search ends when the client goes away.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['QuantumAnalysisRequest'];
        };
      };
      responses: {
        /** @description The analysis */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumAnalysis'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the client's games of quantum chess. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The games of the same cookie */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumGameList'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    /**
     * Set up a game of quantum chess.
     * @description An agent with White begins to think at once. The cookie that comes with the answer lets `GET /quantum/games` list it.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['NewQuantumGame'];
        };
      };
      responses: {
        /** @description The game */
        201: {
          headers: {
            /** @description Where it is */
            location?: string;
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumGameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set up a game of quantum chess from a JSON replay.
     * @description As `quantum play`, `quantum match` and `quantum games` write them, and `GET /quantum/games/{id}/replay`. People sit on both sides,
     *     under the names of the file: it can be looked through and, if it is not over, played on. A record that cannot have been played is
     *     refused with the ply.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description A JSON replay */
      requestBody: {
        content: {
          'application/json': Record<string, never>;
        };
      };
      responses: {
        /** @description The game */
        201: {
          headers: {
            /** @description Where it is */
            location?: string;
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumGameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a game of quantum chess. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumGameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    /** Delete a game of quantum chess. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is gone */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}/draw': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Offer a draw in a game of quantum chess, or answer an offer. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: {
          'application/json': components['schemas']['DrawRequest'] | null;
        };
      };
      responses: {
        /** @description The game, drawn or not */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumGameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Watch a game of quantum chess.
     * @description Server-Sent Events, as for a game of chess: `state` with the whole game, unless `Last-Event-ID` or `since` is
     *     given; then `created`, `moved`, `undone`, `draw_offered`, `draw_declined` and `ended` with their numbers, and
     *     `thinking` without one. Events do not contain the branches; get them from the game.
     */
    get: {
      parameters: {
        query?: {
          /**
           * @description The number of the last event that the client has. Without it, and without `Last-Event-ID`, the stream starts
           *     with the whole game.
           */
          since?: number;
        };
        header?: {
          /** @description The number of the last event that is known already */
          'Last-Event-ID'?: number | null;
        };
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The stream; `state` has a QuantumGameDocument, `thinking` a QuantumLine, all others a QuantumEvent */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'text/event-stream': components['schemas']['QuantumEvent'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}/move-now': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Let the agent of a game of quantum chess move now. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It was told */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['MoveNow'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}/moves': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a move of quantum chess.
     * @description The answer is the game after this move and all that it measured; the agent's reply comes as an event.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['NewQuantumMove'];
        };
      };
      responses: {
        /** @description The game after the move */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumGameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}/positions/{ply}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get an earlier state of a game. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
          /** @description After so many half-moves */
          ply: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The state, with what was legal in it */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumPosition'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a game of quantum chess as a JSON replay.
     * @description With its seed, and what every measurement showed.
     */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': Record<string, never>;
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}/resign': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Resign a game of quantum chess. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: {
          'application/json': components['schemas']['Resignation'] | null;
        };
      };
      responses: {
        /** @description The game, over */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumGameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/games/{id}/undo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take back a move of quantum chess.
     * @description The person's last move, and the agent's reply to it if there was one. Repeated measurements may have other
     *     results.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The game */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game as it was before */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumGameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/quantum/position': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Describe any state.
     * @description Errors name the branch they are in.
     */
    get: {
      parameters: {
        query?: {
          /** @description A FEN, or `turn clock number: weight*board castling en-passant + …`; without one, the usual start. */
          position?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The state */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['QuantumPosition'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the runs.
     * @description Those of the data folder, whoever made them.
     */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The runs */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['RunList'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    /**
     * Start a run.
     * @description A match, in a process of its own. It is watched and read as any other run.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/json': components['schemas']['NewRun'];
        };
      };
      responses: {
        /** @description It was started */
        202: {
          headers: {
            /** @description Where it is */
            location?: string;
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['StartedRun'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/runs/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Look at a run. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The run */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The run */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['RunDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/runs/{id}/artefacts/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a file of a run. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The run */
          id: string;
          /** @description The file */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The file */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/octet-stream': number[];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/runs/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Watch a run.
     * @description Server-Sent Events: `metrics` for every step, numbered, so that `Last-Event-ID` or `since` resumes; `run` with the
     *     whole run at the start and whenever its state, result or workers change; of a match also `live`, not numbered, whenever a
     *     move was made: the games being played, the result so far, and the curve of its sequential test. It ends when the run is
     *     no longer running.
     */
    get: {
      parameters: {
        query?: {
          /** @description The number of the last line that is known already. */
          since?: number;
        };
        header?: {
          /** @description The number of the last step that is known already */
          'Last-Event-ID'?: number | null;
        };
        path: {
          /** @description The run */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The stream; `data` is JSON: `metrics` has a MetricsLine, `run` a RunDocument, `live` what `live.json` says */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'text/event-stream': components['schemas']['MetricsLine'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/runs/{id}/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read how a run went. */
    get: {
      parameters: {
        query?: {
          /** @description The number of the last line that is known already. */
          since?: number;
        };
        header?: never;
        path: {
          /** @description The run */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The steps */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['MetricsList'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/runs/{id}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume a run.
     * @description A match that was stopped goes on as if nothing had happened.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The run */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It goes on */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['StartedRun'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/runs/{id}/stop': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Stop a run.
     * @description One that this server started. It keeps what was done, and can be resumed.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The run */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It was told */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['StartedRun'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/watch/{watch}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look at a game as a watcher.
     * @description Its `id` is the watcher's.
     */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The watcher's name of the game */
          watch: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GameDocument'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/watch/{watch}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Watch a game as it is played.
     * @description The events of `/games/{id}/events`.
     */
    get: {
      parameters: {
        query?: {
          /**
           * @description The number of the last event that the client has. Without it, and without `Last-Event-ID`, the stream starts
           *     with the whole game.
           */
          since?: number;
        };
        header?: {
          /** @description The number of the last event that is known already */
          'Last-Event-ID'?: number | null;
        };
        path: {
          /** @description The watcher's name of the game */
          watch: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The stream */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'text/event-stream': components['schemas']['GameEvent'];
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/watch/{watch}/pgn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a watched game as PGN. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description The watcher's name of the game */
          watch: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The game */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/x-chess-pgn': string;
          };
        };
        /** @description Malformed request */
        400: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Authentication required */
        401: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Forbidden, or a cross-site request */
        403: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Not found */
        404: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Conflict with the current state */
        409: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Request too large */
        413: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Unsupported media type */
        415: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Well-formed but not possible */
        422: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Too many requests; see `Retry-After` */
        429: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
        /** @description Server busy; see `Retry-After` */
        503: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/problem+json': components['schemas']['Problem'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description A move that solves an exercise, with its score in White's view. */
    AcceptedMove: {
      /**
       * Format: int32
       * @description Moves to mate, positive when White mates.
       */
      mate?: number | null;
      san: string;
      /**
       * Format: int32
       * @description Centipawns; absent when it is a mate.
       */
      score_cp?: number | null;
      uci: string;
    };
    /** @description A move that may be made. */
    ActionDocument: {
      /**
       * Format: double
       * @description How likely it captures.
       */
      capture: number;
      /**
       * Format: double
       * @description How likely it succeeds: the share of the branches in which it can be made, halved for a split.
       */
      chance: number;
      /** @description From where. */
      from: string;
      /** @description Whether the move causes a measurement. */
      measured: boolean;
      /**
       * @description As it is written: `b1c3`, `b1~c3` to split, `e7e8q`.
       * @example b1~c3
       */
      move: string;
      /** @description Promotion piece, if any: `q`, `r`, `b` or `n`. */
      promotion?: string | null;
      /** @description Whether it splits. */
      split: boolean;
      /** @description To where. */
      to: string;
      /**
       * Format: double
       * @description How likely it captures the king and wins.
       */
      win: number;
    };
    /** @description One kind of agent. */
    AgentDocument: {
      elo?: components['schemas']['EloRange'] | null;
      /**
       * @description The game it plays.
       * @example chess
       */
      game: string;
      /**
       * @description Its name in specs.
       * @example engine
       */
      name: string;
      /** @description Its options: `name(key=value,…)`. */
      options: components['schemas']['OptionDocument'][];
      /** @description Description in one line. */
      summary: string;
    };
    /** @description All agents. */
    AgentList: {
      /** @description All of them. */
      agents: components['schemas']['AgentDocument'][];
    };
    /** @description The best move. */
    AnalysedBest: {
      san: string;
      uci: string;
    };
    /** @description A move judged. The score is that of the position after it. */
    AnalysedMove: {
      best?: components['schemas']['AnalysedBest'] | null;
      /** Format: int32 */
      cp_loss: number;
      /** Format: int32 */
      depth: number;
      /** @description The best line instead, in standard notation. */
      line: string[];
      /** @description The same as UCI writes it. */
      line_uci: string[];
      /** @description `inaccuracy`, `mistake` or `blunder`. */
      mark?: string | null;
      /**
       * Format: int32
       * @description Moves to mate, positive when White mates; 0 is mate on the board.
       */
      mate?: number | null;
      /** Format: int64 */
      nodes: number;
      /** @description Its number, from 1. */
      ply: number;
      review?: components['schemas']['ReviewDocument'] | null;
      san: string;
      /**
       * Format: int32
       * @description Centipawns; absent when it is a mate.
       */
      score_cp?: number | null;
      uci: string;
      /**
       * Format: double
       * @description White's chances of winning in per cent.
       */
      win_percent: number;
      /**
       * Format: double
       * @description Points of winning chances that the move lost.
       */
      win_percent_loss: number;
    };
    /** @description The name of an opening. */
    AnalysedOpening: {
      eco: string;
      name: string;
      /** @description Half-moves after which it was reached. */
      ply: number;
    };
    /** @description A file of a run. */
    Artefact: {
      /**
       * Format: int64
       * @description Its length.
       */
      bytes: number;
      /**
       * @description Its name.
       * @example games.pgn
       */
      name: string;
      /** @description When it was last written to. */
      updated_at: components['schemas']['Timestamp'];
    };
    /**
     * @description Which player the game waits for.
     * @enum {string}
     */
    Awaits: 'human' | 'agent' | 'nobody';
    /** @description The result of an analysis. */
    BestDocument: {
      /** @description The best move in standard notation. */
      san: string;
      /** @description The best move, as UCI writes it. */
      uci: string;
    };
    /**
     * @description Whether a score is exact.
     * @enum {string}
     */
    BoundDocument: 'exact' | 'lower' | 'upper';
    /** @description One classical board of the superposition. */
    BranchDocument: {
      /**
       * @description The placement of the pieces, as in FEN.
       * @example rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR
       */
      board: string;
      /**
       * @description Castling rights, as FEN writes them.
       * @example KQkq
       */
      castling: string;
      /** @description The en-passant square. */
      en_passant?: string | null;
      /**
       * Format: double
       * @description Its share of all weights.
       * @example 0.5
       */
      probability: number;
      /**
       * @description Its integer weight, as text, because it may exceed what JavaScript represents exactly.
       * @example 1
       */
      weight: string;
    };
    /** @description Captured pieces by side: FEN letters, in the order of the captures. */
    Captured: {
      /**
       * Format: int32
       * @description White's material minus Black's, in pawns (1, 3, 3, 5, 9).
       */
      balance: number;
      /** @description White's pieces captured by Black. */
      by_black: string[];
      /**
       * @description Black's pieces captured by White.
       * @example [
       *       "p",
       *       "n"
       *     ]
       */
      by_white: string[];
    };
    /** @description A position that can be played. */
    CheckedPosition: {
      /** @description Whether that side is in check. */
      check: boolean;
      /** @description As FEN. */
      fen: string;
      /** @description The legal destinations of its pieces. */
      legal: {
        [key: string]: string[];
      };
      outcome?: components['schemas']['OutcomeDocument'] | null;
      /** @description The side to move. */
      turn: components['schemas']['Side'];
      /** @description Its variant. */
      variant: components['schemas']['Variant'];
    };
    /** @description The clock. */
    ClockDocument: {
      /**
       * Format: int64
       * @description Black's time.
       */
      black_ms: number;
      /**
       * Format: int64
       * @description Increment per move.
       */
      increment_ms: number;
      running?: components['schemas']['Side'] | null;
      /**
       * Format: int64
       * @description White's time in milliseconds, at the time of the response.
       */
      white_ms: number;
    };
    /** @description How a clock is set. */
    ClockSetting: {
      /**
       * Format: int64
       * @description What each move gives back, in milliseconds: up to ten minutes.
       * @example 3000
       */
      increment_ms?: number;
      /**
       * Format: int64
       * @description What each side has at the start, in milliseconds: a second to three hours.
       * @example 300000
       */
      initial_ms: number;
    };
    /** @description The games of the explorer. */
    CollectionDocument: {
      /**
       * Format: int64
       * @description Bytes read so far.
       */
      bytes: number;
      /** @description Why it failed, if it did. */
      detail?: string | null;
      /**
       * Format: int64
       * @description Games that could not be read.
       */
      faults: number;
      /** @description Names of the files. */
      files: string[];
      /** @description The first of them, each with its file and line. */
      first_faults: string[];
      /**
       * Format: int64
       * @description Games read so far.
       */
      games: number;
      /**
       * Format: int64
       * @description Bytes of all files.
       */
      of_bytes: number;
      ratings?: components['schemas']['SpanDocument'] | null;
      state: components['schemas']['CollectionState'];
      years?: components['schemas']['SpanDocument'] | null;
    };
    /**
     * @description State of the index of games.
     * @enum {string}
     */
    CollectionState: 'none' | 'indexing' | 'ready' | 'failed';
    /**
     * @description What to do about a draw.
     * @enum {string}
     */
    DrawAction: 'offer' | 'accept' | 'decline';
    /** @description An offer of a draw, or an answer to one. */
    DrawRequest: {
      action?: components['schemas']['DrawAction'];
      side?: components['schemas']['Side'] | null;
    };
    /** @description Ratings from and to. */
    EloRange: {
      /**
       * Format: int32
       * @description The strongest; without a rating it plays as well as it can.
       */
      max: number;
      /**
       * Format: int32
       * @description The weakest.
       */
      min: number;
    };
    /** @description An evaluation of a position: the document of `tabia eval --json`, with a summary in words. */
    EvaluationDocument: {
      /** @description The evaluation. */
      eval: string;
      /** @description The position. */
      fen: string;
      /** @description Its fields. */
      fields: components['schemas']['FieldDocument'][];
      outcome?: components['schemas']['OutcomeDocument'] | null;
      /**
       * Format: int32
       * @description The score in White's view; the terms sum to it.
       */
      score_cp: number;
      /** @description The terms of the score. */
      terms: components['schemas']['TermDocument'][];
      /**
       * @description The same in a paragraph.
       * @example White is slightly better (+0.30), mainly because of space. Black's mobility is worth 0.10 in return.
       */
      words: string;
    };
    /** @description An evaluation that can be asked. */
    EvaluationEntry: {
      /** @description Its fields. */
      fields: components['schemas']['FieldEntry'][];
      /**
       * @description Its name.
       * @example axiomx
       */
      name: string;
      /** @description The options it takes, written as `axiomx(kernels=code,multiscale=on)`. */
      options: components['schemas']['OptionDocument'][];
      /** @description Whether it is the strongest one with the engine's search. */
      strongest: boolean;
    };
    /** @description All evaluations. */
    EvaluationList: {
      /** @description The one that is asked when none is named. */
      default: string;
      /** @description All of them. */
      evaluations: components['schemas']['EvaluationEntry'][];
    };
    /**
     * @description Kind of event.
     * @enum {string}
     */
    EventKind: 'created' | 'moved' | 'undone' | 'draw_offered' | 'draw_declined' | 'ended';
    /** @description An exercise as JSON; the same for the command line and for HTTP. */
    ExerciseDocument: {
      /** @description Every move that solves it, the best first. */
      accepted: components['schemas']['AcceptedMove'][];
      /** @description The position. */
      fen: string;
      /** @description What to look for. */
      hint: string;
      /** @description `inaccuracy`, `mistake` or `blunder`. */
      mark?: string | null;
      /** @description The motif that makes the best move work, if one was proved. */
      motif?: string | null;
      /** @description What was played. */
      played: components['schemas']['ExerciseMove'];
      /** @description The number of the half-move that was a mistake, from 1. */
      ply: number;
      /** @description Why the played move was worse. */
      reason: string;
      /** @description Who is to move: `white` or `black`. */
      turn: string;
      /** @description As a review has it: `missed win`. */
      verdict: string;
      /**
       * Format: double
       * @description Points of winning chances that the played move lost.
       */
      win_percent_loss: number;
    };
    /** @description A move in both notations. */
    ExerciseMove: {
      san: string;
      uci: string;
    };
    /** @description The exercises of a game. */
    Exercises: {
      /** @description In the order of the game. */
      exercises: components['schemas']['ExerciseDocument'][];
    };
    /** @description A game without its moves. */
    ExploredGame: {
      black: string;
      /** Format: int32 */
      black_elo?: number | null;
      /**
       * @description As the file writes it.
       * @example 2019.03.14
       */
      date: string;
      event: string;
      /**
       * Format: int64
       * @description Its number, for `/explorer/games/{number}`.
       */
      number: number;
      /** @example 1/2-1/2 */
      result: string;
      white: string;
      /** Format: int32 */
      white_elo?: number | null;
    };
    /** @description A move that was played. */
    ExploredMove: {
      opening?: components['schemas']['ExploredOpening'] | null;
      results: components['schemas']['ResultsDocument'];
      san: string;
      uci: string;
    };
    /** @description The name of an opening. */
    ExploredOpening: {
      /** @example C50 */
      eco: string;
      /** @example Italian Game */
      name: string;
    };
    /** @description What games made of a position. */
    ExploredPosition: {
      /** @description Some of the games, the highest rated first. */
      games: components['schemas']['ExploredGame'][];
      /** @description The moves played in it, most frequent first. */
      moves: components['schemas']['ExploredMove'][];
      opening?: components['schemas']['ExploredOpening'] | null;
      /** @description All games that reached it. */
      results: components['schemas']['ResultsDocument'];
    };
    /** @description A player of the collection. */
    ExplorerPlayer: {
      /**
       * Format: int32
       * @description Games with this name.
       */
      games: number;
      /**
       * @description As the files write it.
       * @example Carlsen,M
       */
      name: string;
    };
    /** @description Players of the collection. */
    ExplorerPlayers: {
      /** @description Those with the most games first; at most ten. */
      players: components['schemas']['ExplorerPlayer'][];
    };
    /** @description Why an analysis ended without a move. */
    FailedDocument: {
      /** @description Why. */
      detail: string;
    };
    /** @description Numbers on the 64 squares. */
    FieldDocument: {
      /** @description What it shows. */
      name: string;
      /** @description Its unit. */
      unit: string;
      /** @description Eight ranks, the eighth first; eight numbers each, file a first. */
      values: number[][];
    };
    /** @description A field that can be drawn. */
    FieldEntry: {
      /** @description What it shows. */
      name: string;
      /** @description Its unit. */
      unit: string;
    };
    /** @description A figure for each player. */
    Figures: {
      /** Format: double */
      black?: number | null;
      /** Format: double */
      white?: number | null;
    };
    /** @description A complete game. */
    GameDocument: components['schemas']['PositionDocument'] & {
      /** @description Who has Black. */
      black: components['schemas']['PlayerDocument'];
      /** @description When it was set up. */
      created_at: components['schemas']['Timestamp'];
      evaluation?: components['schemas']['LineDocument'] | null;
      /**
       * @description Its id. Whoever knows it can see and play the game.
       * @example 0123456789abcdef0123456789abcdef
       */
      id: string;
      /** @description Every move. */
      moves: components['schemas']['PlayedMove'][];
      opening?: components['schemas']['Opening'] | null;
      /** @description The position it started from. */
      start_fen: string;
      /** @description When it last changed. */
      updated_at: components['schemas']['Timestamp'];
      /** @description Which game. */
      variant: components['schemas']['Variant'];
      /**
       * Format: int64
       * @description The number of its last event.
       */
      version: number;
      /** @description Who has White. */
      white: components['schemas']['PlayerDocument'];
    };
    /** @description An event, and the position after it. */
    GameEvent: {
      at: components['schemas']['Timestamp'];
      by?: components['schemas']['Side'] | null;
      /** @description More about it, such as the last output of an engine that failed. */
      detail?: string | null;
      move?: components['schemas']['PlayedMove'] | null;
      /** @description Half-moves taken back, of `undone`. */
      plies?: number | null;
      /** @description The position after it. */
      position: components['schemas']['PositionDocument'];
      /** @description Kind of event. */
      type: components['schemas']['EventKind'];
      /**
       * Format: int64
       * @description Its number, which is the version of the game after it.
       */
      version: number;
    };
    /** @description A list of games. */
    GameList: {
      /** @description Latest first. */
      games: components['schemas']['GameSummary'][];
    };
    /** @description A game to be reviewed: as `pgn`, or as `moves`. */
    GameReviewRequest: {
      /**
       * @description The agent that analyses; `engine` by default.
       * @example engine
       */
      agent?: string | null;
      /** @description Whether to make exercises of the mistakes, which takes a few more searches for each. */
      exercises?: boolean;
      /** @description The position that `moves` start from; without one, the start of a game. */
      fen?: string | null;
      /**
       * @description The moves, in UCI or standard notation.
       * @example null
       */
      moves?: string[] | null;
      /**
       * Format: int64
       * @description Nodes for each position; 200000 without it.
       */
      nodes?: number | null;
      /**
       * @description A PGN of one game; its variations and comments are kept in the annotated game.
       * @example 1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 4. Qh5+ *
       */
      pgn?: string | null;
      variant?: components['schemas']['Variant'] | null;
    };
    /** @description A game in a list. */
    GameSummary: {
      /** @description Who has Black. */
      black: string;
      /** @description When it was set up. */
      created_at: components['schemas']['Timestamp'];
      /** @description The position now. */
      fen: string;
      /** @description Its name. */
      id: string;
      outcome?: components['schemas']['OutcomeDocument'] | null;
      /** @description Half-moves played. */
      ply: number;
      /** @description When it last changed. */
      updated_at: components['schemas']['Timestamp'];
      /** @description Which game. */
      variant: components['schemas']['Variant'];
      /** @description Who has White. */
      white: string;
    };
    /** @description The work of a run on many machines, as its `grid.json` has it. */
    GridDocument: {
      /**
       * @description Whether the NATS server is there.
       * @default false
       */
      connected: boolean;
      /**
       * Format: int64
       * @description Results counted.
       * @default 0
       */
      done: number;
      /**
       * Format: int64
       * @description Results that came more than once, and were counted once.
       * @default 0
       */
      duplicates: number;
      /**
       * Format: int64
       * @description Tasks that workers could not do.
       * @default 0
       */
      failures: number;
      /**
       * Format: double
       * @description Seconds that the rest will take as it goes now.
       * @default null
       */
      left_s: number | null;
      /**
       * Format: double
       * @description Results counted a second, lately.
       * @default 0
       */
      per_second: number;
      /**
       * Format: int64
       * @description Tasks that were handed out again, because whoever had them was gone.
       * @default 0
       */
      redeliveries: number;
      /**
       * Format: int64
       * @description Results that were not right, and were not counted.
       * @default 0
       */
      rejected: number;
      /**
       * @description Whether somebody coordinates it.
       * @default false
       */
      running: boolean;
      /**
       * @description The NATS server.
       * @default
       * @example nats://localhost:4222
       */
      server: string;
      /**
       * @description Tasks that were given up.
       * @default []
       */
      set_aside: components['schemas']['GridTask'][];
      /**
       * Format: int64
       * @description Tasks asked for: of a generation, or of a match.
       * @default 0
       */
      tasks: number;
      /**
       * Format: int64
       * @description Tasks handed out and not back.
       * @default 0
       */
      waiting: number;
      /**
       * @description Workers that were heard of in the last seconds.
       * @default []
       */
      workers: components['schemas']['GridWorker'][];
    };
    /** @description A task that was given up. */
    GridTask: {
      /**
       * @description What it is called in its run.
       * @default
       * @example game 5
       */
      id: string;
      /**
       * @description What happened the last time.
       * @default
       */
      why: string;
    };
    /** @description A worker. */
    GridWorker: {
      /**
       * Format: int64
       * @description Tasks it is doing.
       * @default 0
       */
      busy: number;
      /**
       * Format: int64
       * @description Tasks it does at once.
       * @default 0
       */
      cores: number;
      /**
       * Format: int64
       * @description Tasks it has done, of all runs.
       * @default 0
       */
      done: number;
      /**
       * @description Whether it takes no more tasks.
       * @default false
       */
      draining: boolean;
      /**
       * Format: int64
       * @description Tasks that it could not do.
       * @default 0
       */
      failed: number;
      /**
       * @description The machine it runs on.
       * @default
       */
      host: string;
      /**
       * @description Its own name.
       * @default
       */
      id: string;
      /**
       * @description Its version.
       * @default
       */
      version: string;
    };
    /** @description A game under review, as far as it is. */
    JobDocument: components['schemas']['Summary'] & {
      /**
       * @description Who analyses.
       * @example engine
       */
      agent: string;
      black: string;
      /** @description Why it failed, if it did. */
      detail?: string | null;
      /** @description Whether exercises are made of the mistakes. */
      exercises: boolean;
      /** @description What is wrong with variations of the PGN, each with its line; they are kept as far as they go. */
      faults?: string[];
      /** @description The position that the game starts from. */
      fen: string;
      /** @description Its name, which cannot be guessed. */
      id: string;
      /** @description The language of the texts. */
      language: components['schemas']['Locale'];
      /** @description The moves that were judged; marked ones with their review. */
      moves: components['schemas']['AnalysedMove'][];
      /**
       * Format: int64
       * @description Nodes for each position.
       */
      nodes: number;
      positions: components['schemas']['Positions'];
      /** @example 1-0 */
      result: string;
      state: components['schemas']['JobState'];
      variant: components['schemas']['Variant'];
      /**
       * Format: int64
       * @description The number of the last event.
       */
      version: number;
      white: string;
    };
    /**
     * @description How a job stands.
     * @enum {string}
     */
    JobState: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed';
    /** @description A move that may be played. */
    LegalMove: {
      /** @description Whether it captures. */
      capture: boolean;
      /** @description From where. */
      from: string;
      /** @description Promotion piece: `q`, `r`, `b` or `n`. */
      promotion?: string | null;
      /** @description In standard notation. */
      san: string;
      /** @description To where. */
      to: string;
      /** @description As UCI writes it. */
      uci: string;
    };
    /** @description Moves that may be played. */
    LegalMoves: {
      /** @description All of them. */
      moves: components['schemas']['LegalMove'][];
      /** @description The ply they are for. */
      ply: number;
    };
    /** @description A line of play and what it is worth. Score and chances are White's view. */
    LineDocument: {
      /** @description Whether the score is exact. */
      bound: components['schemas']['BoundDocument'];
      /**
       * Format: int32
       * @description Nominal depth in plies.
       */
      depth: number;
      /**
       * Format: int32
       * @description Full moves to mate; positive when White gives it.
       */
      mate?: number | null;
      /**
       * Format: int64
       * @description Positions visited.
       */
      nodes: number;
      /**
       * Format: int64
       * @description Positions a second.
       */
      nps: number;
      /** @description The line in standard notation. */
      pv_san: string[];
      /** @description The line as UCI writes it. */
      pv_uci: string[];
      /**
       * Format: int32
       * @description Its place among several, from 1.
       */
      rank: number;
      /**
       * Format: int32
       * @description Centipawns in White's view; absent when it is a mate.
       */
      score_cp?: number | null;
      /**
       * Format: int32
       * @description Deepest ply reached.
       */
      seldepth: number;
      /**
       * Format: int64
       * @description Milliseconds since the search began.
       */
      time_ms: number;
      /** @description White wins, draws and Black wins in a thousand, if the agent has a model of them. */
      wdl?: number[] | null;
    };
    /**
     * @description The languages there are.
     * @enum {string}
     */
    Locale: 'en' | 'de';
    /** @description A piece that may stand on a square. */
    MarginalDocument: {
      /**
       * @description Its letter, as FEN writes it.
       * @example N
       */
      piece: string;
      /**
       * Format: double
       * @description How likely it stands there.
       * @example 0.5
       */
      probability: number;
    };
    /** @description How many moves are marked. */
    Marks: {
      blunders: number;
      inaccuracies: number;
      mistakes: number;
    };
    /** @description The marks of each player. */
    MarksOfBoth: {
      black: components['schemas']['Marks'];
      white: components['schemas']['Marks'];
    };
    /** @description Something that was measured. */
    MeasurementDocument: {
      /** @description Whether it was about the king, rather than about a capture. */
      about_king: boolean;
      /**
       * Format: double
       * @description How likely that answer was.
       */
      probability: number;
      /**
       * @description What it showed, in words.
       * @example the knight was not on d5: 50%
       */
      words: string;
      /** @description The answer. */
      yes: boolean;
    };
    /** @description One step of a run. */
    MetricsLine: {
      /**
       * Format: int64
       * @description Its number, from 1.
       */
      line: number;
      /** @description What was measured. */
      values: Record<string, never>;
    };
    /** @description Steps of a run. */
    MetricsList: {
      /** @description In order. */
      lines: components['schemas']['MetricsLine'][];
    };
    /** @description The result of `move-now`. */
    MoveNow: {
      /** @description Whether an agent was thinking. */
      was_thinking: boolean;
    };
    /** @description A game to be set up. */
    NewGame: {
      /**
       * @description Who has Black: `human` or an agent spec.
       * @default axiomx
       * @example engine
       */
      black: string | null;
      black_limits?: components['schemas']['ThinkLimits'] | null;
      clock?: components['schemas']['ClockSetting'] | null;
      /**
       * @description The position to start from; without one, the usual start, or any of the 960.
       * @example rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
       */
      fen?: string | null;
      /**
       * @description Moves already played, in UCI or standard notation.
       * @example [
       *       "e4",
       *       "e5",
       *       "g1f3"
       *     ]
       */
      moves?: string[];
      /**
       * @description The same as movetext of a PGN (`1. e4 e5 2. Nf3`): instead of `moves`.
       * @example null
       */
      pgn?: string | null;
      /**
       * Format: int32
       * @description The number of the start, 0 to 959, of chess960; 518 is the usual one. Instead of `fen`.
       * @example null
       */
      start?: number | null;
      variant?: components['schemas']['Variant'] | null;
      /**
       * @description Who has White: `human` or an agent spec.
       * @default human
       * @example human
       */
      white: string | null;
      white_limits?: components['schemas']['ThinkLimits'] | null;
    };
    /** @description A move to be played. */
    NewMove: {
      /**
       * @description In UCI or standard notation.
       * @example e2e4
       */
      move: string;
      /**
       * @description The ply at which it is meant to be played: refused when the game is elsewhere.
       * @example 0
       */
      ply?: number | null;
    };
    /** @description A game of quantum chess to be set up. */
    NewQuantumGame: {
      /**
       * @description Who has Black: `human` or an agent spec.
       * @default mcts
       * @example mcts(simulations=200)
       */
      black: string | null;
      black_limits?: components['schemas']['ThinkLimits'] | null;
      /**
       * @description Plies already played, with what they measured.
       * @example [
       *       "f6~d5",
       *       "d1d5-"
       *     ]
       */
      moves?: string[];
      /**
       * @description The position to start from, as text; without one, the usual start.
       * @example 7k/8/5n2/8/8/8/8/3Q3K b - - 0 1
       */
      position?: string | null;
      /**
       * Format: int64
       * @description Seed of the measurements; a random one by default.
       * @example 7
       */
      seed?: number | null;
      /** @description Whether moves can be taken back. By default only if people play both sides. */
      takebacks?: boolean | null;
      /**
       * @description Who has White: `human` or an agent spec.
       * @default human
       * @example human
       */
      white: string | null;
      white_limits?: components['schemas']['ThinkLimits'] | null;
    };
    /** @description A move to be played. */
    NewQuantumMove: {
      /**
       * @description `b1c3`, `b1~c3` to split, `e7e8n`. Results of measurements are drawn by the server.
       * @example b1~c3
       */
      move: string;
      /**
       * @description The ply at which it is meant to be played: refused when the game is elsewhere.
       * @example 0
       */
      ply?: number | null;
    };
    /** @description A match to be played, as `tabia match` takes it. Without a limit: a clock of 8 seconds and 0.08 a move. */
    NewRun: {
      /**
       * @description Who plays: two or more agent specs, each with a name before it if you like (`new=engine(eval=pst)`).
       * @example [
       *       "axiomx-speed(depth=2)",
       *       "random"
       *     ]
       */
      agents: string[];
      /**
       * Format: int32
       * @description Games at the same time.
       */
      concurrency?: number | null;
      /**
       * Format: int32
       * @description Depth at each move.
       */
      depth?: number | null;
      /**
       * Format: int32
       * @description Games of each pairing.
       * @example 10
       */
      games?: number | null;
      /** @description The first meets every other; else everybody meets everybody. */
      gauntlet?: boolean;
      /** @description What kind of run. */
      kind: components['schemas']['RunKind'];
      /**
       * Format: int64
       * @description Milliseconds a move.
       */
      movetime_ms?: number | null;
      /**
       * @description What its directory is called; without a name it gets one.
       * @example axon-against-pst
       */
      name?: string | null;
      /**
       * Format: int64
       * @description Nodes a move.
       */
      nodes?: number | null;
      openings?: components['schemas']['OpeningSource'] | null;
      /**
       * Format: int32
       * @description Where everything random comes from.
       */
      seed?: number | null;
      /**
       * @description Stop when the first agent is known to be below the one or above the other, in Elo.
       * @example null
       */
      sprt?: number[] | null;
      /**
       * @description A clock in seconds for each side.
       * @example 8+0.08
       */
      tc?: string | null;
    };
    /** @description The name of an opening. */
    Opening: {
      /**
       * @description Its code in the Encyclopaedia of Chess Openings.
       * @example C65
       */
      eco: string;
      /**
       * @description Its name.
       * @example Ruy Lopez: Berlin Defense
       */
      name: string;
    };
    /**
     * @description Where the games of a match begin.
     * @enum {string}
     */
    OpeningSource: 'built-in' | 'startpos';
    /** @description An option of an agent or of an evaluation. */
    OptionDocument: {
      /** @description The value when it is not given. */
      default?: string | null;
      /** @description What it does. */
      help: string;
      /**
       * @description Its key; one ending in `.` takes any suffix.
       * @example depth
       */
      key: string;
      /** @description What kind of value it takes. */
      kind: components['schemas']['OptionType'];
      /**
       * Format: double
       * @description The greatest number; none is no bound.
       */
      max?: number | null;
      /**
       * Format: double
       * @description The least number.
       */
      min?: number | null;
      /** @description The values of a choice. */
      values?: string[] | null;
    };
    /**
     * @description What kind of value an option takes.
     * @enum {string}
     */
    OptionType: 'integer' | 'real' | 'switch' | 'choice' | 'text';
    /** @description How a game ended. */
    OutcomeDocument: {
      /**
       * @description The reason.
       * @example checkmate
       */
      reason: string;
      /**
       * @description As PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
       * @example 1-0
       */
      result: string;
      winner?: components['schemas']['Side'] | null;
      /**
       * @description The result as a sentence.
       * @example White wins by checkmate
       */
      words: string;
    };
    /** @description One piece's share. */
    PieceShare: {
      /**
       * @description Which piece, as FEN writes it.
       * @example N
       */
      piece: string;
      /**
       * Format: double
       * @description By how much the value would be smaller without it.
       */
      share: number;
      /**
       * @description Its square.
       * @example g1
       */
      square: string;
    };
    /** @description A move that was played. */
    PlayedMove: {
      /**
       * Format: int64
       * @description What was left on the player's clock after it, in milliseconds.
       */
      clock_ms?: number | null;
      /** @description Anything said of it in words. */
      comment?: string | null;
      /**
       * Format: int32
       * @description How deep the agent looked.
       */
      depth?: number | null;
      /** @description The position after it. */
      fen: string;
      /**
       * Format: int32
       * @description Full moves to mate, as the agent saw it; positive when White gives it.
       */
      mate?: number | null;
      /**
       * Format: int64
       * @description Positions the agent visited.
       */
      nodes?: number | null;
      /** @description Its number, from 1. */
      ply: number;
      /**
       * @description In standard notation.
       * @example Nf3
       */
      san: string;
      /**
       * Format: int32
       * @description What the agent that played it thought of it, in White's view; absent when it is a mate.
       */
      score_cp?: number | null;
      /** @description Who played it. */
      side: components['schemas']['Side'];
      /**
       * Format: int64
       * @description Milliseconds the move took.
       */
      time_ms?: number | null;
      /**
       * @description As UCI writes it.
       * @example g1f3
       */
      uci: string;
    };
    /** @description The player of a side. */
    PlayerDocument: {
      /** @description The agent's spec, if it is one. */
      agent?: string | null;
      /** @description Whether it is a person. */
      human: boolean;
      limits?: components['schemas']['ThinkLimits'] | null;
      /**
       * @description Name: a person's name or the agent's spec.
       * @example axiomx(depth=2)
       */
      name: string;
    };
    /** @description The current position. */
    PositionDocument: {
      /** @description Which player the game waits for. */
      awaits: components['schemas']['Awaits'];
      /** @description Captured pieces. */
      captured: components['schemas']['Captured'];
      /** @description Whether the side to move is in check. */
      check: boolean;
      clock?: components['schemas']['ClockDocument'] | null;
      draw_offer?: components['schemas']['Side'] | null;
      /**
       * @description As FEN.
       * @example rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
       */
      fen: string;
      /** @description The last move, as UCI writes it. */
      last_move?: string | null;
      /**
       * @description Legal destinations of each piece of the side to move; empty when the game is over. A promotion is listed once.
       * @example {
       *       "e2": [
       *         "e3",
       *         "e4"
       *       ]
       *     }
       */
      legal: {
        [key: string]: string[];
      };
      outcome?: components['schemas']['OutcomeDocument'] | null;
      /** @description Half-moves played since the start. */
      ply: number;
      /** @description The side to move. */
      turn: components['schemas']['Side'];
    };
    /** @description How many positions have been searched. */
    Positions: {
      /** @description So many. */
      done: number;
      /** @description Of so many: one more than the game has half-moves. */
      of: number;
    };
    /** @description RFC 9457's document. */
    Problem: {
      /**
       * @description What was wrong this time, and what would be right.
       * @example "e2e5" is not legal here
       */
      detail: string;
      /**
       * Format: int64
       * @description Seconds after which another attempt makes sense.
       */
      retry_after_s?: number | null;
      /**
       * Format: int32
       * @description The HTTP status.
       * @example 422
       */
      status: number;
      /**
       * @description The kind in words.
       * @example Not possible
       */
      title: string;
      /**
       * @description The kind of problem, as a relative reference: `/problems/conflict`.
       * @example /problems/unprocessable
       */
      type: string;
    };
    /** @description What a search found. */
    QuantumAnalysis: {
      /** @description The legal moves, best first. */
      moves: components['schemas']['QuantumMoveAnalysis'][];
      /** @description The state, as text. */
      position: string;
      /** @description Whether the value is proven. */
      proven: boolean;
      /**
       * Format: int32
       * @description The version of the rules.
       */
      rules: number;
      /** @description Who is to move. */
      side: components['schemas']['Side'];
      /**
       * Format: int32
       * @description Simulations made.
       */
      simulations: number;
      /**
       * Format: double
       * @description What the state is worth to the side to move, from -1 to 1.
       */
      value: number;
      /** @description Its chances to win, draw and lose. */
      wdl: number[];
    };
    /** @description A state to be analysed. */
    QuantumAnalysisRequest: {
      evaluator?: components['schemas']['QuantumEvaluator'] | null;
      /** @description Plies to play first, with what they measured. */
      moves?: string[];
      /**
       * @description The state as text; without one, the usual start.
       * @example w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -
       */
      position?: string | null;
      /**
       * Format: int32
       * @description Simulations; 800 without it.
       */
      simulations?: number | null;
    };
    /**
     * @description What values positions.
     * @enum {string}
     */
    QuantumEvaluator: 'net' | 'mcts';
    /** @description An event; the position after it is in the game. */
    QuantumEvent: {
      at: components['schemas']['Timestamp'];
      by?: components['schemas']['Side'] | null;
      /** @description More about it, such as the last output of an agent that failed. */
      detail?: string | null;
      move?: components['schemas']['QuantumPly'] | null;
      /** @description Half-moves taken back, of `undone`. */
      plies?: number | null;
      /** @description Kind of event. */
      type: components['schemas']['EventKind'];
      /**
       * Format: int64
       * @description Its number, which is the version of the game after it.
       */
      version: number;
    };
    /** @description A complete game of quantum chess. */
    QuantumGameDocument: components['schemas']['QuantumPosition'] & {
      /** @description Which player the game waits for. */
      awaits: components['schemas']['Awaits'];
      /** @description Who has Black. */
      black: components['schemas']['PlayerDocument'];
      /** @description When it was set up. */
      created_at: components['schemas']['Timestamp'];
      draw_offer?: components['schemas']['Side'] | null;
      /**
       * @description Its id. Whoever knows it can see and play the game.
       * @example 0123456789abcdef0123456789abcdef
       */
      id: string;
      /** @description Every move. */
      moves: components['schemas']['QuantumPly'][];
      /** @description Half-moves played since the start. */
      ply: number;
      /**
       * @description Seed of the measurements, as text; hidden until the game is over, because it predicts them.
       * @example 7
       */
      seed?: string | null;
      /** @description The position it started from, as text. */
      start: string;
      /** @description Whether moves can be taken back. */
      takebacks: boolean;
      /** @description When it last changed. */
      updated_at: components['schemas']['Timestamp'];
      /**
       * Format: int64
       * @description The number of its last event.
       */
      version: number;
      /** @description Who has White. */
      white: components['schemas']['PlayerDocument'];
    };
    /** @description A list of games of quantum chess. */
    QuantumGameList: {
      /** @description Latest first. */
      games: components['schemas']['QuantumSummary'][];
    };
    /** @description Search information of an agent. */
    QuantumLine: {
      /** @description The line, plies as a record writes them. */
      line: string[];
      /**
       * Format: int32
       * @description Full moves to the king's capture; positive when White takes it.
       */
      mate?: number | null;
      /**
       * Format: int64
       * @description Positions visited.
       */
      nodes: number;
      /**
       * Format: int32
       * @description Centipawns in White's view; absent when it is a win.
       */
      score_cp?: number | null;
      /**
       * Format: int64
       * @description Milliseconds since it began.
       */
      time_ms: number;
    };
    /** @description A move and what it is worth. */
    QuantumMoveAnalysis: {
      /**
       * Format: double
       * @description How likely it captures.
       */
      captures: number;
      /** @description The expected line, with the likeliest results of measurements. */
      line: string[];
      /**
       * @description As it is written.
       * @example b1~c3
       */
      move: string;
      /** @description What it measures, one for each result; missing where nothing is measured. */
      outcomes?: components['schemas']['QuantumOutcomeAnalysis'][];
      /**
       * Format: double
       * @description The evaluator's prior.
       */
      prior: number;
      /**
       * Format: double
       * @description How likely it succeeds.
       */
      succeeds: number;
      /**
       * Format: double
       * @description What it is worth to the side to move, from -1 to 1; null if it was not searched.
       */
      value?: number | null;
      /**
       * Format: int32
       * @description Visits of the search.
       */
      visits: number;
      /** @description Chances to win, draw and lose. */
      wdl?: number[] | null;
      /**
       * Format: double
       * @description How likely it takes the king.
       */
      wins: number;
    };
    /** @description A result of a move's measurements. */
    QuantumOutcomeAnalysis: {
      /** @description Branches that are left. */
      branches: number;
      /**
       * @description The ply as a record keeps it.
       * @example d1d5+
       */
      ply: string;
      /**
       * Format: double
       * @description Its probability.
       */
      probability: number;
      /** @description What the measurements show, in words. */
      told: string[];
      /**
       * Format: double
       * @description What the state is worth after it to the side that moved; null if it was not searched.
       */
      value?: number | null;
      /** @description Chances to win, draw and lose. */
      wdl?: number[] | null;
    };
    /** @description A move that was played. */
    QuantumPly: {
      /** @description Branches after it. */
      branches: number;
      /**
       * Format: double
       * @description How likely it was to succeed.
       */
      chance: number;
      /** @description From where. */
      from: string;
      /** @description What was measured, in order. */
      measured: components['schemas']['MeasurementDocument'][];
      /**
       * Format: int64
       * @description Positions the agent visited.
       */
      nodes?: number | null;
      /** @description Its number, from 1. */
      ply: number;
      /**
       * Format: int32
       * @description What the agent that played it thought of it, in centipawns as White sees it.
       */
      score_cp?: number | null;
      /** @description Who played it. */
      side: components['schemas']['Side'];
      /** @description Whether it split. */
      split: boolean;
      /**
       * @description As a record keeps it: with `+` or `-` for what each measurement showed.
       * @example d1d5-
       */
      text: string;
      /** @description To where. */
      to: string;
    };
    /** @description A state of quantum chess, and its legal moves. */
    QuantumPosition: {
      /** @description The branches, heaviest first. */
      branches: components['schemas']['BranchDocument'][];
      /** @description Every legal move with its chances; none when the game is over. */
      legal: components['schemas']['ActionDocument'][];
      /**
       * Format: int32
       * @description Plies without a capture or a pawn move.
       */
      no_progress: number;
      outcome?: components['schemas']['OutcomeDocument'] | null;
      /**
       * @description As text: a FEN, or `turn clock number: weight*board castling en-passant + …`.
       * @example rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
       */
      position: string;
      /** @description What may stand on each square that is not certainly empty, likeliest first. */
      squares: {
        [key: string]: components['schemas']['MarginalDocument'][];
      };
      /**
       * @description Sum of all weights, as text.
       * @example 2
       */
      total: string;
      /** @description Who moves next; when the game is won, who moved last. */
      turn: components['schemas']['Side'];
    };
    /** @description A game of quantum chess in a list. */
    QuantumSummary: {
      /** @description Who has Black. */
      black: string;
      /** @description Branches now. */
      branches: number;
      /** @description When it was set up. */
      created_at: components['schemas']['Timestamp'];
      /** @description Its name. */
      id: string;
      outcome?: components['schemas']['OutcomeDocument'] | null;
      /** @description Half-moves played. */
      ply: number;
      /** @description When it last changed. */
      updated_at: components['schemas']['Timestamp'];
      /** @description Who has White. */
      white: string;
    };
    /** @description A resignation. */
    Resignation: {
      side?: components['schemas']['Side'] | null;
    };
    /** @description How games ended. */
    ResultsDocument: {
      /** Format: int32 */
      black: number;
      /** Format: int32 */
      draws: number;
      /**
       * Format: int32
       * @description All of them, and those without a result.
       */
      games: number;
      /** Format: int32 */
      white: number;
    };
    /** @description An arrow on the board: `green` for the best move, `red` for what refutes the played one. */
    ReviewArrow: {
      color: string;
      from: string;
      to: string;
    };
    /** @description The best move and its line. */
    ReviewBest: {
      line: string[];
      /** Format: int32 */
      mate?: number | null;
      move: string;
      san: string;
      /** Format: int32 */
      score: number;
    };
    /** @description Why a move is good or bad. Scores are White's view in centipawns; moves are UCI. */
    ReviewDocument: {
      arrows: components['schemas']['ReviewArrow'][];
      best: components['schemas']['ReviewBest'];
      /** @description Moves of the given lines that are not legal; the lines were followed up to there. */
      faults?: string[];
      fen: string;
      /** Format: int32 */
      further_cp?: number | null;
      /** Format: int32 */
      mate?: number | null;
      move: string;
      reasons: components['schemas']['ReviewReason'][];
      refutation: components['schemas']['ReviewLine'];
      san: string;
      /** Format: int32 */
      score: number;
      squares: string[];
      terms: components['schemas']['ReviewTerm'][];
      text: string;
      verdict: string;
    };
    /**
     * @description How a reason was checked: its value in the actual position, and in the counterfactual one. Mates are beyond
     *     ±30000.
     */
    ReviewEvidence: {
      /** Format: int32 */
      actual_cp: number;
      check: string;
      /** Format: int32 */
      counterfactual_cp: number;
    };
    /** @description What follows a bad move; empty after a good one. */
    ReviewLine: {
      line: string[];
    };
    /** @description A proved reason. `kind` is outcome, motif, threat or positional; `of` is the line it is about: played, best or passed. */
    ReviewReason: {
      /** @description Of a threat: whether the move `parries`, `ignores` or `allows` it. */
      answer?: string | null;
      evidence: components['schemas']['ReviewEvidence'];
      kind: string;
      line: string[];
      /**
       * Format: int32
       * @description Where the worth is a mate: in how many moves.
       */
      mate?: number | null;
      motif?: string | null;
      of: string;
      pieces: string[];
      squares: string[];
      /** Format: int32 */
      worth_cp: number;
    };
    /** @description A move to be explained. */
    ReviewRequest: {
      /**
       * @description Who analyses; `engine` without one.
       * @example engine
       */
      agent?: string | null;
      /**
       * @description The position; without one, the start of a game.
       * @example r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6
       */
      fen?: string | null;
      /**
       * @description The move, in UCI or standard notation; without one, the best move is explained.
       * @example Bxd1
       */
      move?: string | null;
      /**
       * Format: int64
       * @description Nodes for each of the two searches; 400000 without it.
       */
      nodes?: number | null;
      variant?: components['schemas']['Variant'] | null;
    };
    /** @description A heading of a chess book and what changes under it. */
    ReviewTerm: {
      /** Format: int32 */
      cp: number;
      heading: string;
    };
    /** @description The review of a marked move. */
    ReviewedMove: {
      /** @description The half-move, from 1. */
      ply: number;
      /** @description Why it is marked. */
      review: components['schemas']['ReviewDocument'];
    };
    /** @description A run. */
    RunDocument: {
      /** @description Its files. */
      artefacts: components['schemas']['Artefact'][];
      /** @description The day it began, where days matter. */
      date?: string | null;
      grid?: components['schemas']['GridDocument'] | null;
      /** @description Whether this server started it and can stop it. */
      here: boolean;
      /**
       * @description Its name: that of its directory.
       * @example axon-against-pst
       */
      id: string;
      /**
       * @description `match`, `evolve`, `quantum train`, `tune` and so on; `unknown` for a moment after it was started.
       * @example match
       */
      kind: string;
      /**
       * @description Why it ended, where it could not go on.
       * @example null
       */
      problem?: string | null;
      /** @description What came of it; of a match as `tabia match --json` says it. */
      result?: Record<string, never> | null;
      /** @description What was asked. */
      settings?: Record<string, never> | null;
      /** @description Whether it goes on. */
      state: components['schemas']['RunState'];
      /** @description When it was last written to. */
      updated_at: components['schemas']['Timestamp'];
      /** @description The version of Tabia that made it. */
      version?: string | null;
    };
    /**
     * @description What kind of run.
     * @enum {string}
     */
    RunKind: 'match';
    /** @description All runs. */
    RunList: {
      /** @description Latest first. */
      runs: components['schemas']['RunDocument'][];
    };
    /**
     * @description Whether a run goes on.
     * @enum {string}
     */
    RunState: 'running' | 'finished' | 'stopped';
    /**
     * @description One of the two sides.
     * @enum {string}
     */
    Side: 'white' | 'black';
    /** @description From and to. */
    SpanDocument: {
      /** Format: int32 */
      max: number;
      /** Format: int32 */
      min: number;
    };
    /** @description The contributions of the pieces to a square. */
    SquareDocument: {
      /** @description The evaluation. */
      eval: string;
      /** @description Every field of it that is not the same without some piece. */
      fields: components['schemas']['SquareField'][];
      /** @description The square. */
      square: string;
    };
    /** @description The contributions of the pieces to a square in one field. */
    SquareField: {
      /** @description The field. */
      name: string;
      /** @description Which pieces make it so, the greatest share first. */
      pieces: components['schemas']['PieceShare'][];
      /** @description Its unit. */
      unit: string;
      /**
       * Format: double
       * @description Its value on the square.
       */
      value: number;
    };
    /** @description A run that was started. */
    StartedRun: {
      /** @description Its name. */
      id: string;
    };
    /** @description How both played. */
    Summary: {
      /** @description Accuracy in per cent; none for one who has not moved. */
      accuracy: components['schemas']['Figures'];
      /** @description Average centipawn loss. */
      average_cp_loss: components['schemas']['Figures'];
      /** @description Marked moves. */
      marks: components['schemas']['MarksOfBoth'];
      opening?: components['schemas']['AnalysedOpening'] | null;
    };
    /** @description A term of an evaluation: (White − Black) × weight. */
    TermDocument: {
      /**
       * Format: double
       * @description Black's amount.
       */
      black: number;
      /** @description What it measures. */
      name: string;
      /**
       * Format: int32
       * @description Its share of the score, in White's view.
       */
      score_cp: number;
      /**
       * Format: double
       * @description Centipawns a unit.
       */
      weight: number;
      /**
       * Format: double
       * @description White's amount.
       */
      white: number;
    };
    /**
     * @description Search limits of an agent; the first one reached ends the search. Without any, the agent's own options decide, or
     *     one second.
     */
    ThinkLimits: {
      /**
       * Format: int32
       * @description Plies to look ahead.
       */
      depth?: number | null;
      /**
       * Format: int32
       * @description A rating to play at, for agents that have the option `elo`.
       * @example 1400
       */
      elo?: number | null;
      /**
       * Format: int64
       * @description Milliseconds a move.
       * @example 500
       */
      movetime_ms?: number | null;
      /**
       * Format: int64
       * @description Nodes a move.
       */
      nodes?: number | null;
    };
    /** @description Search information of an agent that is thinking; not numbered, and not repeated. */
    ThinkingDocument: {
      /** @description Its line. */
      line: components['schemas']['LineDocument'];
      /** @description The ply it thinks about: this many half-moves have been played. */
      ply: number;
      /** @description The side of the agent. */
      side: components['schemas']['Side'];
    };
    /**
     * Format: date-time
     * @description A time, to the millisecond.
     * @example 2026-01-15T14:30:00.000Z
     */
    Timestamp: string;
    /**
     * @description The variant.
     * @enum {string}
     */
    Variant: 'chess' | 'chess960';
    /** @description The name under which a game can be watched. */
    WatchLink: {
      /** @description For `/watch/{watch}`; whoever knows it can see the game, not play it. */
      watch: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
