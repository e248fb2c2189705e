//! Seed 003's protocol: whole games over HTTP and over the WebSocket.

use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use tokio_tungstenite::tungstenite::Message;

use crate::support::{GUARD, Server};

/// The shortest mate: every move and the status after it.
const FOOLS_MATE: [(&str, &str); 4] =
    [("f2f3", "Black to move"), ("E7E5", "White to move"), ("g2G4", "Black to move"), ("d8h4", "Black wins")];
const START: &str = "/get/board/8\t|r|n|b|q|k|b|n|r|\n7\t|p|p|p|p|p|p|p|p|\n6\t|1|0|1|0|1|0|1|0|\n\
    5\t|0|1|0|1|0|1|0|1|\n4\t|1|0|1|0|1|0|1|0|\n3\t|0|1|0|1|0|1|0|1|\n2\t|P|P|P|P|P|P|P|P|\n\
    1\t|R|N|B|Q|K|B|N|R|\n\n\t A B C D E F G H \n";

/// Somebody who speaks the protocol, over whatever it goes.
trait Speaks {
    async fn ask(&mut self, path: &str) -> String;
}

struct OverHttp<'a>(&'a Server);

impl Speaks for OverHttp<'_> {
    async fn ask(&mut self, path: &str) -> String {
        let method = if path.starts_with("/post/") { Method::POST } else { Method::GET };
        let response = self.0.send(method, path).await;
        assert_eq!(response.status(), 200, "errors are empty, not other statuses");
        response.text().await.unwrap()
    }
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

struct OverWebSocket(Socket);

impl OverWebSocket {
    async fn open(server: &Server) -> OverWebSocket {
        let address = format!("ws://{}/ws/legacy", server.address);
        OverWebSocket(tokio_tungstenite::connect_async(address).await.unwrap().0)
    }
}

impl Speaks for OverWebSocket {
    async fn ask(&mut self, path: &str) -> String {
        self.0.send(Message::text(path)).await.unwrap();
        loop {
            let message = tokio::time::timeout(GUARD, self.0.next()).await.unwrap().unwrap().unwrap();
            if let Message::Text(text) = message {
                return text.as_str().to_owned();
            }
        }
    }
}

async fn plays_a_whole_game(client: &mut impl Speaks) {
    assert_eq!(client.ask("/post/new/").await, "/post/new/");
    assert_eq!(client.ask("/get/board/").await, START);
    assert_eq!(client.ask("/get/status/").await, "/get/status/White to move");
    assert_eq!(client.ask("/get/possible_moves/e2").await, "/get/possible_moves/E3E4");
    assert_eq!(client.ask("/get/possible_moves/G1").await, "/get/possible_moves/F3H3");
    assert_eq!(client.ask("/get/possible_moves/a1").await, "/get/possible_moves/");
    assert_eq!(client.ask("/get/possible_moves/e7").await, "/get/possible_moves/");
    for (m, status) in FOOLS_MATE {
        assert_eq!(client.ask(&format!("/post/move/{m}")).await, "/post/move/");
        assert_eq!(client.ask("/get/status/").await, format!("/get/status/{status}"));
    }
    assert_eq!(client.ask("/post/move/e2e4").await, "", "the game is over");
    assert_eq!(client.ask("/get/possible_moves/e2").await, "/get/possible_moves/");
    for wrong in
        ["/get/possible_moves/e9", "/get/possible_moves/", "/post/move/e2", "/post/move/", "/get/nothing/"]
    {
        assert_eq!(client.ask(wrong).await, "", "{wrong}");
    }
}

async fn knows_the_rules(client: &mut impl Speaks) {
    // En passant, a check, castling, underpromotion.
    client.ask("/post/new/").await;
    for m in ["e2e4", "a7a6", "e4e5", "d7d5"] {
        assert_eq!(client.ask(&format!("/post/move/{m}")).await, "/post/move/", "{m}");
    }
    assert_eq!(client.ask("/get/possible_moves/e5").await, "/get/possible_moves/D6E6");
    for m in ["e5d6", "a6a5", "d6c7", "a5a4", "c7b8n", "a4a3"] {
        assert_eq!(client.ask(&format!("/post/move/{m}")).await, "/post/move/", "{m}");
    }
    assert!(client.ask("/get/board/").await.contains("8\t|r|N|b|"));
    for m in ["g1f3", "a3b2", "f1b5"] {
        assert_eq!(client.ask(&format!("/post/move/{m}")).await, "/post/move/", "{m}");
    }
    assert_eq!(client.ask("/get/status/").await, "/get/status/Black is in check");
    assert_eq!(client.ask("/post/move/h7h6").await, "", "the check must be met");
    assert_eq!(client.ask("/post/move/c8d7").await, "/post/move/");
    assert_eq!(client.ask("/get/possible_moves/e1").await, "/get/possible_moves/F1G1E2");
    assert_eq!(client.ask("/post/move/e1g1").await, "/post/move/");
    // Without a letter a pawn becomes a queen.
    assert_eq!(client.ask("/post/move/b2a1").await, "/post/move/");
    assert!(client.ask("/get/board/").await.contains("1\t|q|"));
}

#[tokio::test]
async fn a_whole_game_over_http() {
    let server = Server::start().await;
    let mut client = OverHttp(&server);
    plays_a_whole_game(&mut client).await;
    knows_the_rules(&mut client).await;
}

#[tokio::test]
async fn a_whole_game_over_the_websocket() {
    let server = Server::start().await;
    let mut client = OverWebSocket::open(&server).await;
    plays_a_whole_game(&mut client).await;
    knows_the_rules(&mut client).await;
}

#[tokio::test]
async fn all_clients_share_one_game_and_moves_may_be_got() {
    let server = Server::start().await;
    let mut socket = OverWebSocket::open(&server).await;
    assert_eq!(server.send(Method::GET, "/post/move/e2e4").await.text().await.unwrap(), "/post/move/");
    assert_eq!(socket.ask("/get/status/").await, "/get/status/Black to move");
    assert_eq!(socket.ask("/post/move/e2e4").await, "");
}

#[tokio::test]
async fn nothing_but_a_post_throws_the_game_away() {
    let server = Server::start().await;
    let mut client = OverHttp(&server);
    assert_eq!(client.ask("/post/move/e2e4").await, "/post/move/");
    for path in ["/post/new/", "/post/new"] {
        assert_eq!(server.send(Method::GET, path).await.text().await.unwrap(), "");
        assert_eq!(server.send(Method::HEAD, path).await.status(), 200);
    }
    assert_eq!(client.ask("/get/status/").await, "/get/status/Black to move");
}
