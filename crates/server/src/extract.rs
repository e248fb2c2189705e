//! axum's extractors with rejections as problem documents.

use std::error::Error as _;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use mime_guess::Mime;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::error::Category;

use crate::app_state::AppState;
use crate::input_error;
use crate::problem::{Kind, Problem};

/// A JSON body: an object.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<AppState>> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<AppState>) -> Result<Json<T>, Problem> {
        check_is_json(request.headers())?;
        let bytes = Bytes::from_request(request, app).await.map_err(|fault| body_problem(&fault, app))?;
        read_json(&bytes).map(Json)
    }
}

fn check_is_json(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()?.parse::<Mime>().ok());
    let is_json = kind.is_some_and(|kind| {
        kind.type_() == "application"
            && (kind.subtype() == "json" || kind.suffix().is_some_and(|suffix| suffix == "json"))
    });
    if is_json {
        return Ok(());
    }
    let detail = "the body must be JSON, with the header `Content-Type: application/json`";
    Err(Problem::new(Kind::UnsupportedMediaType, detail))
}

fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let error = match serde_path_to_error::deserialize(&mut deserializer) {
        Ok(Object(value)) => {
            let end = deserializer.end();
            return end
                .map(|()| value)
                .map_err(|error| Problem::new(Kind::BadRequest, input_error::syntax(bytes, &error)));
        }
        Err(error) => error,
    };
    if error.inner().classify() == Category::Data {
        return Err(Problem::unprocessable(input_error::body(error.path(), error.inner())));
    }
    // serde_json calls a number in the place of an enum's name a syntax error. Read from a tree, it is a wrong type.
    let again = serde_json::from_slice::<serde_json::Value>(bytes)
        .ok()
        .and_then(|tree| serde_path_to_error::deserialize::<_, Object<T>>(tree).err());
    Err(match again {
        Some(error) => Problem::unprocessable(input_error::body(error.path(), error.inner())),
        None => Problem::new(Kind::BadRequest, input_error::syntax(bytes, error.inner())),
    })
}

/// A body that did not arrive, or is too large.
pub fn body_problem(rejection: &BytesRejection, app: &AppState) -> Problem {
    let kind = kind_of(rejection.status());
    let detail = if kind == Kind::TooLarge {
        let limit = app.config.bounds.body_bytes;
        format!("the body is larger than {limit} bytes, the most that this server takes")
    } else {
        "the body did not arrive in full".to_owned()
    };
    Problem::new(kind, detail)
}

/// Deserialises a JSON object only; serde would also accept a list of the fields.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<T, M::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_map(Fields(PhantomData)).map(Object)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// An optional JSON body; an empty one is the default value.
pub struct OptionalJson<T>(pub T);

impl<T: DeserializeOwned + Default> FromRequest<Arc<AppState>> for OptionalJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<AppState>) -> Result<OptionalJson<T>, Problem> {
        let headers = request.headers().clone();
        let bytes = Bytes::from_request(request, app).await.map_err(|fault| body_problem(&fault, app))?;
        if bytes.is_empty() {
            return Ok(OptionalJson(T::default()));
        }
        check_is_json(&headers)?;
        read_json(&bytes).map(OptionalJson)
    }
}

/// Parts of the path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Problem))]
pub struct Path<T>(pub T);

/// The query.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Problem> {
        let read = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        read.map(|query| Query(query.0)).map_err(|rejection| query_problem(&rejection, &parts.uri))
    }
}

fn query_problem(rejection: &QueryRejection, uri: &Uri) -> Problem {
    let given = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri);
    let given = given.map_or_else(|_| Vec::new(), |query| query.0);
    // The rejection wraps axum's error, which wraps the one with the name of the parameter.
    let QueryRejection::FailedToDeserializeQueryString(failed) = rejection else {
        return Problem::new(kind_of(rejection.status()), "the query cannot be read");
    };
    let mut cause = failed.source();
    let mut detail = "the query cannot be read".to_owned();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<serde_path_to_error::Error<serde::de::value::Error>>() {
            detail = input_error::query(error.path(), &error.inner().to_string(), &given);
        }
        cause = error.source();
    }
    Problem::new(kind_of(rejection.status()), detail)
}

fn kind_of(status: StatusCode) -> Kind {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => Kind::TooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Kind::UnsupportedMediaType,
        StatusCode::UNPROCESSABLE_ENTITY => Kind::Unprocessable,
        StatusCode::NOT_FOUND => Kind::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Kind::MethodNotAllowed,
        status if status.is_server_error() => Kind::Internal,
        _ => Kind::BadRequest,
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Problem {
        let detail = match &rejection {
            PathRejection::FailedToDeserializePathParams(failed) => input_error::path(failed.kind()),
            _ => "the path cannot be read".to_owned(),
        };
        Problem::new(kind_of(rejection.status()), detail)
    }
}
