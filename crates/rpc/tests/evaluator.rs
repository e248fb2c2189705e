//! The search with an external evaluator: our own service, and servers that answer with all kinds of rubbish.

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::TcpListener as StdListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::post;
use tabia_core::{Agent, AgentError, Game, Limits, Stop, seed};
use tabia_mcts::{Mcts, PolicyValue, Settings};
use tabia_net::agents::{Connect, catalogue_with, on_cpu};
use tabia_net::device::Evaluator;
use tabia_net::{Architecture, Network, Weights};
use tabia_quantum::endings::WithEndings;
use tabia_quantum::{Action, QuantumGame};
use tabia_rpc::messages::{EvaluatePositionRequest, EvaluatePositionResponse, Evaluation};
use tabia_rpc::{EvaluatorClient, NetworkHandle, Quantum};
use tokio::net::TcpListener;
use tonic::Status;
use tonic::server::Grpc;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_prost::ProstCodec;
use tower::service_fn;

const LONG: Duration = Duration::from_mins(1);
const CALL: &str = "/tabia.quantum.v1.Quantum/EvaluatePosition";

type Answer = Result<EvaluatePositionResponse, Status>;

fn weights() -> Weights {
    Weights::initial(Architecture::new(16, 1), 3)
}

/// Serves on a free port in a thread of its own; returns the address.
fn serve<F: Future<Output = ()>>(server: impl FnOnce(TcpListener) -> F + Send + 'static) -> String {
    let (sender, port) = mpsc::channel();
    thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            sender.send(listener.local_addr().unwrap().port()).unwrap();
            server(listener).await;
        });
    });
    format!("http://127.0.0.1:{}", port.recv().unwrap())
}

/// Our own service with [`weights`].
fn own_service(token: Option<&'static str>) -> String {
    serve(move |listener| async move {
        let quantum = Quantum::new(NetworkHandle::new(weights()), 1);
        let token = token.map(str::to_owned);
        tabia_rpc::serve(listener, quantum, token, std::future::pending()).await.unwrap();
    })
}

/// An evaluator that answers like this.
fn evaluator<F: Future<Output = Answer> + Send + 'static>(
    answer: impl Fn(EvaluatePositionRequest) -> F + Send + Sync + Clone + 'static,
) -> String {
    serve(|listener| async move {
        let route = post(move |request: Request| {
            let answer = answer.clone();
            async move {
                let answer = service_fn(move |request: tonic::Request<EvaluatePositionRequest>| {
                    let answer = answer(request.into_inner());
                    async move { answer.await.map(tonic::Response::new) }
                });
                let codec = ProstCodec::<EvaluatePositionResponse, EvaluatePositionRequest>::default();
                Ok::<_, Infallible>(Grpc::new(codec).unary(answer, request).await.into_response())
            }
        });
        let router = axum::Router::new().route(CALL, route);
        let incoming = TcpIncoming::from(listener);
        Server::builder().add_routes(Routes::from(router)).serve_with_incoming(incoming).await.unwrap();
    })
}

/// A valid answer: everything is even, and all moves are equally likely.
fn even(request: &EvaluatePositionRequest) -> EvaluatePositionResponse {
    let evaluation =
        |legal: usize| Evaluation { policy: vec![1.0 / legal as f32; legal], ..Default::default() };
    let evaluations = request.encoded.iter().map(|position| evaluation(position.moves.len())).collect();
    EvaluatePositionResponse { evaluations, weights_version: 0 }
}

fn agent(address: &str, options: &str) -> Box<dyn Agent<QuantumGame>> {
    let connect: Connect = Box::new(|address, timeout| {
        let client = EvaluatorClient::connect(address, timeout, None).map_err(|error| error.to_string())?;
        Ok(Arc::new(client) as Evaluator)
    });
    let catalogue = catalogue_with(connect, on_cpu());
    catalogue.build_from_text(&format!("net(evaluator={address},{options})")).unwrap()
}

fn choose(agent: &mut dyn Agent<QuantumGame>, game: &QuantumGame) -> Result<Action, AgentError> {
    agent.choose(game, &Limits::default(), &Stop::new(), &mut |_| {})
}

/// Why a search with this evaluator ended.
fn failure(address: &str, options: &str) -> String {
    let mut agent = agent(address, options);
    let error = choose(&mut *agent, &QuantumGame::default()).unwrap_err();
    // It is for good, and at once: the same search fails again without a call.
    assert_eq!(choose(&mut *agent, &QuantumGame::default()).unwrap_err().to_string(), error.to_string());
    error.to_string()
}

#[test]
fn our_own_service_gives_the_moves_of_the_network_itself() {
    let address = own_service(None);
    for batch in [1, 8] {
        let mut remote = agent(&address, &format!("simulations=60,batch={batch}"));
        let network = WithEndings(Network::new(&weights()).without_cache());
        let settings = Settings { batch, lower_bound: true, ..Settings::default() };
        let mut local = Mcts::new(network, settings, Some(60), 0, QuantumGame::ply);
        let mut game = QuantumGame::default();
        // Splits first, so that there are branches.
        for m in ["b1~c3", "b8~c6"] {
            game.play(m.parse().unwrap(), &mut seed::random(1)).unwrap();
        }
        for _ in 0..6 {
            let chosen = choose(&mut *remote, &game).unwrap();
            assert_eq!(chosen, choose(&mut local, &game).unwrap(), "{game}");
            let Action::Move(m) = chosen else { panic!("{chosen:?} is no move") };
            game.play(m, &mut seed::random(7)).unwrap();
        }
    }
}

#[test]
fn evaluations_are_those_of_the_network_to_the_last_bit() {
    let client = EvaluatorClient::connect(&own_service(None), LONG, None).unwrap();
    let network = Network::new(&weights()).without_cache();
    let (mut games, mut actions) = (Vec::new(), Vec::new());
    let mut game = QuantumGame::default();
    for m in ["b1~c3", "b8~c6", "g1~f3", "e7e5", "e2e4"] {
        game.play(m.parse().unwrap(), &mut seed::random(1)).unwrap();
        let mut legal = Vec::new();
        game.actions(&mut legal);
        games.push(game.clone());
        actions.push(legal);
    }
    let (mut remote, mut local) = (Vec::new(), Vec::new());
    client.infer(&games, &actions, &mut remote);
    network.infer(&games, &actions, &mut local);
    assert_eq!(client.failure(), None);
    assert_eq!(remote, local);
}

#[test]
fn a_batch_is_one_request() {
    static REQUESTS: AtomicUsize = AtomicUsize::new(0);
    static POSITIONS: AtomicUsize = AtomicUsize::new(0);
    let address = evaluator(|request| async move {
        REQUESTS.fetch_add(1, Ordering::Relaxed);
        POSITIONS.fetch_add(request.positions.len(), Ordering::Relaxed);
        Ok(even(&request))
    });
    choose(&mut *agent(&address, "simulations=65,batch=16"), &QuantumGame::default()).unwrap();
    let (requests, positions) = (REQUESTS.load(Ordering::Relaxed), POSITIONS.load(Ordering::Relaxed));
    assert!(positions > 4 * requests, "{positions} positions in {requests} requests");
    // More than a request takes are sent in several.
    let client = EvaluatorClient::connect(&address, LONG, None).unwrap();
    let mut legal = Vec::new();
    QuantumGame::default().actions(&mut legal);
    let mut out = Vec::new();
    client.infer(&vec![QuantumGame::default(); 600], &vec![legal; 600], &mut out);
    assert_eq!((out.len(), client.failure()), (600, None));
    assert_eq!(REQUESTS.load(Ordering::Relaxed), requests + 2);
}

#[test]
fn a_token_is_sent() {
    let address = own_service(Some("sesame"));
    let infer = |token| {
        let client = EvaluatorClient::connect(&address, LONG, token).unwrap();
        let mut legal = Vec::new();
        QuantumGame::default().actions(&mut legal);
        client.infer(&[QuantumGame::default()], &[legal], &mut Vec::new());
        client.failure()
    };
    assert_eq!(infer(Some("sesame")), None);
    let refused = infer(None).unwrap();
    assert!(refused.contains("refused with Unauthenticated: send the token as metadata"), "{refused}");
}

/// Changes a valid answer.
type Change = fn(&mut EvaluatePositionResponse);

#[test]
fn rubbish_ends_the_search_and_is_named() {
    let start = QuantumGame::default().to_string();
    let cases: [(&str, Change); 8] = [
        ("sent 0 evaluations for 1 positions", |answer| answer.evaluations.clear()),
        ("sent 2 evaluations for 1 positions", |answer| answer.evaluations.push(Evaluation::default())),
        ("the policy has 1 shares, expected one for each of the", |answer| {
            answer.evaluations[0].policy = vec![1.0];
        }),
        ("the value is NaN, expected -1 to 1", |answer| answer.evaluations[0].value = f32::NAN),
        ("the value is inf, expected -1 to 1", |answer| answer.evaluations[0].value = f32::INFINITY),
        ("is NaN, expected 0 to 1", |answer| answer.evaluations[0].policy[3] = f32::NAN),
        ("is -0.5, expected 0 to 1", |answer| answer.evaluations[0].policy[0] = -0.5),
        ("the policy sums to 3", |answer| {
            let count = answer.evaluations[0].policy.len() as f32;
            answer.evaluations[0].policy.fill(3.0 / count);
        }),
    ];
    for (expected, change) in cases {
        let address = evaluator(move |request| async move {
            let mut answer = even(&request);
            change(&mut answer);
            Ok(answer)
        });
        let text = failure(&address, "simulations=10");
        assert!(text.contains(expected) && text.contains(&address), "{text}");
        assert!(text.contains("evaluations for") || text.contains(&start), "the position is missing: {text}");
    }
}

#[test]
fn a_status_is_told_with_its_sentence() {
    let address = evaluator(|_| async { Err(Status::resource_exhausted("out of memory\u{7}")) });
    let text = failure(&address, "simulations=10");
    assert!(text.contains("refused with ResourceExhausted: out of memory"), "{text}");
    assert!(!text.contains('\u{7}'), "{text:?}");
}

/// The length comes before the answer, so that a large one is refused before it is received.
#[test]
fn an_answer_beyond_the_limit_is_refused_before_it_is_read() {
    let address = serve(|listener| async move {
        let route = post(|| async {
            let [a, b, c, d] = (65_u32 << 20).to_be_bytes();
            // Not compressed, 65 MiB, and the first bytes of them.
            let body = vec![0, a, b, c, d, 1, 2, 3];
            ([("content-type", "application/grpc")], body).into_response()
        });
        let router = axum::Router::new().route(CALL, route);
        let incoming = TcpIncoming::from(listener);
        Server::builder().add_routes(Routes::from(router)).serve_with_incoming(incoming).await.unwrap();
    });
    let text = failure(&address, "simulations=10");
    assert!(text.contains("sent an answer of more than 64 MiB, the most that is read"), "{text}");
    assert!(text.contains(&address), "{text}");
}

#[test]
fn silence_is_not_waited_for() {
    let address = evaluator(|_| std::future::pending());
    let text = failure(&address, "simulations=10,timeout=0.2");
    assert!(text.contains("did not answer within 200ms"), "{text}");
    // The connection is accepted by the operating system, and nobody reads from it.
    let listener = StdListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let text = failure(&address, "simulations=10,timeout=0.2,threads=3,batch=4");
    assert!(text.contains("did not answer within 200ms"), "{text}");
}

#[test]
fn an_evaluator_that_fails_after_some_answers_ends_that_search_alone() {
    static ANSWERS: AtomicUsize = AtomicUsize::new(0);
    let address = evaluator(|request| async move {
        let mut answer = even(&request);
        if ANSWERS.fetch_add(1, Ordering::Relaxed) >= 30 {
            answer.evaluations[0].value = f32::NAN;
        }
        Ok(answer)
    });
    let mut agent = agent(&address, "simulations=20,reuse=off");
    choose(&mut *agent, &QuantumGame::default()).unwrap();
    let text = choose(&mut *agent, &QuantumGame::default()).unwrap_err().to_string();
    assert!(text.contains("the value is NaN"), "{text}");
}

#[test]
fn a_connection_that_breaks_or_is_no_grpc_is_told() {
    for reply in [&b""[..], b"HTTP/1.1 200 OK\r\n\r\n"] {
        let listener = StdListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                // The preface and the beginning of a request.
                let _ = stream.read(&mut [0; 64]);
                let _ = stream.write_all(reply);
            }
        });
        let text = failure(&address, "simulations=10");
        // It depends on who is quicker: the connection may be closed before the call, and made anew in vain.
        let told = ["broke the connection", "cannot connect to the evaluator"];
        assert!(told.iter().any(|told| text.contains(told)) && text.contains(&address), "{text}");
    }
}

#[test]
fn addresses_that_nobody_answers_at_or_that_are_none_are_refused() {
    let listener = StdListener::bind("127.0.0.1:0").unwrap();
    let closed = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = |address: &str| EvaluatorClient::connect(address, LONG, None).err().unwrap().to_string();
    assert!(error(&closed).starts_with(&format!("cannot connect to the evaluator at {closed}: ")));
    for (address, why) in [
        ("127.0.0.1:50051", "http://"),
        ("https://127.0.0.1:50051", "no encryption"),
        ("http://127.0.0.1", "no port"),
        ("http://me@127.0.0.1:50051", "user name"),
        ("http://127.0.0.1:50051/a", "something follows the port"),
        ("http://", "it cannot be read"),
    ] {
        let text = error(address);
        assert!(text.contains(why) && text.contains("expected one like http://127.0.0.1:50051"), "{text}");
    }
    let text = EvaluatorClient::connect(&closed, LONG, Some("a\nb")).err().unwrap().to_string();
    assert!(text.contains("printable ASCII"), "{text}");
}
