//! A server to test against, and a client for it.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use shakmaty::Move;
use tabia_arena::driver::{Launcher, entries};
use tabia_core::{Agent, AgentEntry, AgentError, Catalogue, ChessGame, Limits, SearchInfo, Stop};
use tabia_search::agents::AgentFiles;
use tabia_server::app_state::AppState;
use tabia_server::config::Config;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Nothing takes this long unless it hangs; nothing is asserted about speed.
pub const GUARD: Duration = Duration::from_mins(1);

/// A running server; it closes when it is dropped, or politely with [`Server::close`].
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// What it is made of.
    pub app: Arc<AppState>,
    client: reqwest::Client,
    closing: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
}

/// An agent that never moves.
struct Moveless(fn() -> Result<Move, AgentError>);

impl Agent<ChessGame> for Moveless {
    fn choose(
        &mut self,
        _: &ChessGame,
        _: &Limits,
        _: &Stop,
        _: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, AgentError> {
        self.0()
    }
}

/// Everyone of the searching crates, engines in processes of their own, and two that never move.
pub fn catalogue() -> Catalogue<ChessGame> {
    catalogue_with(AgentFiles::new(|path| std::fs::read_to_string(path)))
}

/// The same with access to files.
pub fn catalogue_with(files: AgentFiles) -> Catalogue<ChessGame> {
    let mut catalogue = Catalogue::default();
    catalogue.add(tabia_search::agents::entries_with(files));
    catalogue.add(entries::entries(&Launcher::plain()));
    let moveless = |name, summary, answer| AgentEntry {
        name,
        summary,
        options: Vec::new(),
        build: Box::new(move |_| Ok(Box::new(Moveless(answer)))),
    };
    catalogue.add([
        moveless("broken", "panics", || panic!("a fault on purpose")),
        moveless("quitter", "gives up", || Err(AgentError::Resigned)),
    ]);
    catalogue
}

/// A client to be. Where other crates of the workspace want encryption, one must be chosen even if it is not used.
pub fn client() -> reqwest::ClientBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}

impl Server {
    /// One that keeps nothing.
    pub async fn start() -> Server {
        Server::with(Config::in_memory()).await
    }

    /// One that keeps its games in a folder.
    pub async fn in_folder(path: &Path) -> Server {
        Server::with(Config { data: Some(path.to_owned()), ..Config::in_memory() }).await
    }

    /// One that is told.
    pub async fn with(config: Config) -> Server {
        Server::with_agents(config, catalogue()).await
    }

    /// One with these agents.
    pub async fn with_agents(config: Config, catalogue: Catalogue<ChessGame>) -> Server {
        let app = AppState::open(config, catalogue).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (closing, closed) = oneshot::channel::<()>();
        let serving = tokio::spawn({
            let app = app.clone();
            async move {
                let told = async move {
                    let _ = closed.await;
                };
                tabia_server::serve::serve(listener, app, told).await.unwrap();
            }
        });
        let client = client().timeout(GUARD).build().unwrap();
        Server { address, app, client, closing: Some(closing), serving }
    }

    /// Closes it, and waits until nothing of it is left: a thread that has thought for it may end later, and holds its data folder
    /// until then.
    pub async fn close(self) {
        let Server { app, closing, serving, .. } = self;
        let left = Arc::downgrade(&app);
        drop((app, closing));
        let closed = async {
            serving.await.unwrap();
            while left.strong_count() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(GUARD, closed).await.expect("it closes");
    }

    /// A request to be filled in.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, format!("http://{}{path}", self.address))
    }

    /// What comes back for a request without a body.
    pub async fn send(&self, method: Method, path: &str) -> Response {
        self.request(method, path).send().await.unwrap()
    }

    /// The JSON at a path.
    pub async fn get(&self, path: &str) -> Value {
        expect(StatusCode::OK, self.send(Method::GET, path).await).await
    }

    /// The JSON that comes back for a JSON, with the status that is expected.
    pub async fn post(&self, path: &str, body: &Value, status: StatusCode) -> Value {
        expect(status, self.request(Method::POST, path).json(body).send().await.unwrap()).await
    }

    /// A new game.
    pub async fn new_game(&self, body: Value) -> Game<'_> {
        let game = self.post("/api/v1/games", &body, StatusCode::CREATED).await;
        Game { server: self, path: format!("/api/v1/games/{}", text(&game["id"])) }
    }

    /// A game that is known by its path.
    pub fn game(&self, path: &str) -> Game<'_> {
        Game { server: self, path: path.to_owned() }
    }
}

/// The text of a JSON string.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// The JSON of a response, whose status is as expected.
pub async fn expect(status: StatusCode, response: Response) -> Value {
    let found = response.status();
    let body = response.text().await.unwrap();
    assert_eq!(found, status, "{body}");
    serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error} in {body}"))
}

/// A game on a server.
pub struct Game<'a> {
    server: &'a Server,
    /// Where it is.
    pub path: String,
}

impl Game<'_> {
    /// As it is.
    pub async fn state(&self) -> Value {
        self.server.get(&self.path).await
    }

    /// Does something that should succeed.
    pub async fn post(&self, action: &str, body: Value) -> Value {
        self.server.post(&format!("{}/{action}", self.path), &body, StatusCode::OK).await
    }

    /// Does something that should not.
    pub async fn refused(&self, action: &str, body: Value, status: StatusCode) -> Value {
        self.server.post(&format!("{}/{action}", self.path), &body, status).await
    }

    /// Plays a move.
    pub async fn play(&self, text: &str) -> Value {
        self.post("moves", json!({"move": text})).await
    }

    /// Watches from an event on.
    pub async fn watch(&self, since: Option<u64>) -> Events {
        let query = since.map(|since| format!("?since={since}")).unwrap_or_default();
        Events::open(self.server.request(Method::GET, &format!("{}/events{query}", self.path))).await
    }

    /// The game when it waits for a person, or is over.
    pub async fn settled(&self) -> Value {
        let mut events = self.watch(None).await;
        let mut state = self.state().await;
        while state["awaits"] == "agent" {
            events.next().await.expect("the stream goes on");
            state = self.state().await;
        }
        state
    }
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its number.
    pub id: Option<u64>,
    /// What it says.
    pub data: Value,
}

/// A stream of Server-Sent Events.
pub struct Events {
    bytes: futures_util::stream::BoxStream<'static, reqwest::Result<Vec<u8>>>,
    buffer: String,
}

impl Events {
    /// Opens a stream.
    pub async fn open(request: reqwest::RequestBuilder) -> Events {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        assert!(kind.starts_with("text/event-stream"), "{kind}");
        let bytes = response.bytes_stream().map(|chunk| chunk.map(|bytes| bytes.to_vec())).boxed();
        Events { bytes, buffer: String::new() }
    }

    /// The next event; none when the stream has ended.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.buffer.find("\n\n") {
                let block: String = self.buffer.drain(..end + 2).collect();
                match read(&block) {
                    Some(event) => return Some(event),
                    None => continue,
                }
            }
            let chunk = tokio::time::timeout(GUARD, self.bytes.next()).await.expect("something happens");
            match chunk {
                Some(Ok(bytes)) => self.buffer.push_str(&String::from_utf8(bytes).unwrap()),
                Some(Err(_)) | None => return None,
            }
        }
    }

    /// The next event of a name; others are passed over.
    pub async fn next_named(&mut self, name: &str) -> Event {
        loop {
            let event = self.next().await.unwrap_or_else(|| panic!("the stream ended before {name}"));
            if event.name == name {
                return event;
            }
        }
    }
}

fn read(block: &str) -> Option<Event> {
    let field = |name: &str| {
        block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim_start)
    };
    let data = field("data")?;
    Some(Event {
        name: field("event").unwrap_or("message").to_owned(),
        id: field("id").map(|id| id.parse().unwrap()),
        data: serde_json::from_str(data).unwrap_or_else(|error| panic!("{error} in {data}")),
    })
}
