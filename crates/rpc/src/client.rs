//! An external evaluator for the tree search: leaves are sent to another program's `EvaluatePosition`.
//!
//! The search is synchronous and the connection is not, so each client has a runtime with one thread of its own. The connection is
//! plain HTTP/2 from hyper: there is one address, so none of what a gRPC channel adds (balancing, pooling, retries) is wanted. A call
//! that fails is not repeated: whether a search goes on with half its answers is not for this module to decide, so the first
//! failure is kept, and the search ends with it ([`PolicyValue::failure`]).

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::uri::PathAndQuery;
use axum::http::{Request, Uri};
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tabia_core::printable::printable;
use tabia_mcts::{Evaluation, PolicyValue};
use tabia_net::encoding;
use tabia_quantum::{Action, QuantumGame};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::{Code, Status};
use tonic_prost::ProstCodec;
use tower::service_fn;

use crate::answer;
use crate::games::sparse_planes;
use crate::messages::{EncodedPosition, EvaluatePositionRequest, EvaluatePositionResponse};
use crate::positions::MAX_POSITIONS;
use crate::serve::NAME;

/// Largest answer in bytes: 512 positions with a thousand moves each, written out, take less than a quarter.
const MAX_ANSWER_BYTES: usize = 64 << 20;
/// How tonic's message about a larger answer begins. The status is made here, not sent by the evaluator.
const TOO_LARGE: &str = "Error, decoded message length too large";
/// Time to connect; the operating system's own limit is minutes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Characters shown of a position or of the evaluator's own words.
const SHOWN: usize = 200;

/// What went wrong with an external evaluator.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    #[error("\"{address}\" is no address of an evaluator: {why}; expected one like http://127.0.0.1:50051")]
    Address { address: String, why: &'static str },
    #[error("the token of the evaluator has characters that cannot be sent; use printable ASCII")]
    Token,
    #[error("cannot start the connection's thread: {0}")]
    Thread(std::io::Error),
    #[error("cannot connect to the evaluator at {address}: {why}")]
    Connect { address: String, why: String },
    #[error("the evaluator at {address} did not answer within {timeout:?}")]
    Timeout { address: String, timeout: Duration },
    #[error("the evaluator at {address} broke the connection: {why}")]
    Broken { address: String, why: String },
    #[error("the evaluator at {address} refused with {code:?}: {why}")]
    Refused { address: String, code: Code, why: String },
    #[error("the evaluator at {address} sent an answer of more than {} MiB, the most that is read", MAX_ANSWER_BYTES >> 20)]
    TooLarge { address: String },
    #[error("the evaluator at {address} sent {found} evaluations for {expected} positions")]
    Count { address: String, found: usize, expected: usize },
    #[error("the evaluator at {address} answered wrongly, position {number} of {count} ({position}): {why}")]
    Answer {
        address: String,
        /// Its number in the request, from 1.
        number: usize,
        count: usize,
        position: String,
        why: String,
    },
}

/// A connection to an external evaluator. It blocks: do not use it on a thread of an async runtime.
pub struct EvaluatorClient {
    /// Taken when the client is dropped.
    runtime: Option<Runtime>,
    address: String,
    origin: Uri,
    timeout: Duration,
    authorization: Option<MetadataValue<Ascii>>,
    connection: Mutex<Option<SendRequest<Body>>>,
    /// The first failure.
    failure: OnceLock<String>,
}

impl EvaluatorClient {
    /// Connects to `http://HOST:PORT`. Each answer has to come within `timeout`; a token is sent with every call.
    pub fn connect(
        address: &str,
        timeout: Duration,
        token: Option<&str>,
    ) -> Result<EvaluatorClient, EvaluatorError> {
        let origin = read_address(address)?;
        let bearer = token.map(|token| format!("Bearer {token}").parse());
        let authorization = bearer.transpose().map_err(|_| EvaluatorError::Token)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("evaluator")
            .enable_all()
            .build()
            .map_err(EvaluatorError::Thread)?;
        let client = EvaluatorClient {
            runtime: Some(runtime),
            address: address.to_owned(),
            origin,
            timeout,
            authorization,
            connection: Mutex::new(None),
            failure: OnceLock::new(),
        };
        client.runtime().block_on(client.connection())?;
        Ok(client)
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("it is taken on drop only")
    }

    /// The connection, made anew if the evaluator closed it between two calls.
    async fn connection(&self) -> Result<SendRequest<Body>, EvaluatorError> {
        let lock = || self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let open = lock().clone().filter(|connection| !connection.is_closed());
        if let Some(connection) = open {
            return Ok(connection);
        }
        let failed = |why: &dyn std::fmt::Display| EvaluatorError::Connect {
            address: self.address.clone(),
            why: why.to_string(),
        };
        let authority = self.origin.authority().map_or("", |authority| authority.as_str());
        let stream = tokio::time::timeout(CONNECT_TIMEOUT.min(self.timeout), TcpStream::connect(authority))
            .await
            .map_err(|_| failed(&"there is no reply"))?
            .map_err(|error| failed(&error))?;
        // Requests are small and someone waits for each: they are not to be held back (Nagle).
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        let (sender, driver) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .map_err(|error| failed(&error))?;
        // Errors of the connection reach the calls on it.
        tokio::spawn(async move {
            let _ = driver.await;
        });
        *lock() = Some(sender.clone());
        Ok(sender)
    }

    /// One call of `EvaluatePosition`.
    async fn call(
        &self,
        request: EvaluatePositionRequest,
    ) -> Result<EvaluatePositionResponse, EvaluatorError> {
        let connection = self.connection().await?;
        let service = service_fn(move |request: Request<Body>| connection.clone().send_request(request));
        let mut grpc =
            Grpc::with_origin(service, self.origin.clone()).max_decoding_message_size(MAX_ANSWER_BYTES);
        let mut request = tonic::Request::new(request);
        if let Some(authorization) = &self.authorization {
            request.metadata_mut().insert("authorization", authorization.clone());
        }
        let path: PathAndQuery = format!("/{NAME}/EvaluatePosition").parse().expect("a constant path");
        let codec = ProstCodec::<EvaluatePositionRequest, EvaluatePositionResponse>::default();
        let answer = grpc.unary(request, path, codec).await;
        answer.map(tonic::Response::into_inner).map_err(|status| self.failed(&status))
    }

    /// A status that the evaluator sent, or one that stands for an error of the connection.
    fn failed(&self, status: &Status) -> EvaluatorError {
        let address = self.address.clone();
        let why = shown(status.message());
        if status.code() == Code::OutOfRange && status.message().starts_with(TOO_LARGE) {
            return EvaluatorError::TooLarge { address };
        }
        match causes(status).last() {
            Some(cause) => EvaluatorError::Broken { address, why: shown(&cause) },
            None => EvaluatorError::Refused { address, code: status.code(), why },
        }
    }

    /// Evaluates up to [`MAX_POSITIONS`] positions in one call.
    fn evaluate(
        &self,
        leaves: &[QuantumGame],
        actions: &[Vec<Action>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvaluatorError> {
        let address = || self.address.clone();
        let encoded: Vec<EncodedPosition> =
            leaves.iter().zip(actions).map(|(game, actions)| encode(game, actions)).collect();
        let legal: Vec<Vec<u32>> = encoded.iter().map(|position| position.moves.clone()).collect();
        let positions: Vec<String> = leaves.iter().map(ToString::to_string).collect();
        let request = EvaluatePositionRequest { positions, encoded };
        let answer = self.runtime().block_on(async {
            let call = tokio::time::timeout(self.timeout, self.call(request)).await;
            call.unwrap_or_else(|_| {
                Err(EvaluatorError::Timeout { address: address(), timeout: self.timeout })
            })
        })?;
        let (found, count) = (answer.evaluations.len(), leaves.len());
        if found != count {
            return Err(EvaluatorError::Count { address: address(), found, expected: count });
        }
        for (at, (answer, legal)) in answer.evaluations.iter().zip(&legal).enumerate() {
            out.push(answer::read(answer, legal).map_err(|why| EvaluatorError::Answer {
                address: address(),
                number: at + 1,
                count,
                position: shown(&leaves[at].to_string()),
                why,
            })?);
        }
        Ok(())
    }
}

impl Drop for EvaluatorClient {
    fn drop(&mut self) {
        // An answer that never comes is not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl PolicyValue<QuantumGame> for EvaluatorClient {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        out.clear();
        for (leaves, actions) in leaves.chunks(MAX_POSITIONS).zip(actions.chunks(MAX_POSITIONS)) {
            if self.failure.get().is_some() {
                return;
            }
            if let Err(error) = self.evaluate(leaves, actions, out) {
                // Another thread's failure may have come first.
                let _ = self.failure.set(error.to_string());
            }
        }
    }

    fn failure(&self) -> Option<String> {
        self.failure.get().cloned()
    }
}

fn read_address(address: &str) -> Result<Uri, EvaluatorError> {
    let refused = |why| EvaluatorError::Address { address: address.to_owned(), why };
    let uri: Uri = address.parse().map_err(|_| refused("it cannot be read"))?;
    match uri.scheme_str() {
        Some("http") => {}
        Some("https") => return Err(refused("there is no encryption; use a tunnel or a proxy")),
        _ => return Err(refused("it does not begin with http://")),
    }
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    if uri.port_u16().is_none() {
        return Err(refused("it has no port"));
    }
    if authority.contains('@') {
        return Err(refused("it has a user name"));
    }
    if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
        return Err(refused("something follows the port"));
    }
    Ok(uri)
}

fn encode(game: &QuantumGame, actions: &[Action]) -> EncodedPosition {
    let position = encoding::EncodedPosition::new(game);
    let (places, amounts, branches) = sparse_planes(&position.planes());
    let turn = game.side_to_move();
    EncodedPosition {
        places,
        amounts,
        branches,
        white_to_move: position.white_to_move,
        moves: actions.iter().map(|action| encoding::policy_index(*action, turn) as u32).collect(),
    }
}

/// The errors behind a status, outermost first; none for a status that was received.
fn causes(status: &Status) -> impl Iterator<Item = String> {
    let first = std::error::Error::source(status);
    std::iter::successors(first, |error| error.source()).map(ToString::to_string)
}

/// Text for an error message: printable, and not too long.
fn shown(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}
