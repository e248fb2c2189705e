//! The embedded page: the files of `web/dist` at build time.
//!
//! Files under `assets/` have a hash in their name and are cached for ever; all others are revalidated by their ETag.
//! A path that is not a file is a client-side route. A binary without the page answers with how to build it.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::problem::{Kind, Problem};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

/// The HTML file of the page.
const INDEX: &str = "index.html";
/// Folder of files that never change.
const FINGERPRINTED: &str = "assets/";
/// Cache lifetime of those.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Folder of the documentation, if `make site` built it.
const DOCUMENTATION: &str = "docs/";
/// Path prefixes that are not client-side routes.
const NOT_PLACES: [&str; 5] = ["/api", "/get/", "/post/", "/ws/", "/metrics"];

/// Whether the page is embedded in this binary.
pub fn is_built_in() -> bool {
    Files::get(INDEX).is_some()
}

/// Fallback handler for all other paths.
pub async fn show(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if NOT_PLACES.iter().any(|start| path.starts_with(start)) || !method.is_safe() {
        return nothing(path).into_response();
    }
    let name = path.trim_start_matches('/');
    if name == DOCUMENTATION.trim_end_matches('/') {
        // The documentation uses relative links, so the folder needs its trailing slash.
        return Redirect::permanent("/docs/").into_response();
    }
    if name.starts_with(DOCUMENTATION) {
        let name = if name == DOCUMENTATION { "docs/index.html" } else { name };
        return file(name, &headers).unwrap_or_else(|| nothing(path).into_response());
    }
    if let Some(response) = file(if name.is_empty() { INDEX } else { name }, &headers) {
        return response;
    }
    if name.rsplit('/').next().is_some_and(|last| last.contains('.')) {
        return nothing(path).into_response();
    }
    match file(INDEX, &headers) {
        Some(response) => response,
        None if name.is_empty() => Html(NOT_BUILT).into_response(),
        None => nothing(path).into_response(),
    }
}

fn nothing(path: &str) -> Problem {
    let path: String = path.chars().take(100).collect();
    Problem::new(Kind::NotFound, format!("there is nothing at {path}; /api/docs says what there is"))
}

/// A file of the page, in the best encoding that the client accepts.
fn file(name: &str, headers: &HeaderMap) -> Option<Response> {
    let plain = Files::get(name)?;
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = [("br", "br"), ("gzip", "gz")].into_iter().find_map(|(encoding, suffix)| {
        let takes = accepted.split(',').any(|one| one.trim().split(';').next() == Some(encoding));
        Some((encoding, Files::get(&format!("{name}.{suffix}")).filter(|_| takes)?))
    });
    let (encoding, file) = packed.map_or((None, plain), |(encoding, file)| (Some(encoding), file));
    Some(answer(name, file, encoding, headers))
}

fn answer(name: &str, file: EmbeddedFile, encoding: Option<&'static str>, headers: &HeaderMap) -> Response {
    let tag = tag(&file);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let is_known =
        known.is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
    let mut response =
        if is_known { StatusCode::NOT_MODIFIED.into_response() } else { file.data.into_response() };
    let kind = mime_guess::from_path(name).first_or_octet_stream().to_string();
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind };
    let caching = if name.starts_with(FINGERPRINTED) { IMMUTABLE } else { "no-cache" };
    let own = response.headers_mut();
    let plain = |text: &str| HeaderValue::from_str(text).expect("types and tags are plain text");
    own.insert(header::CONTENT_TYPE, plain(&kind));
    own.insert(header::ETAG, plain(&tag));
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    own.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        own.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let short = hash.iter().take(16).fold(0u128, |number, byte| number << 8 | u128::from(*byte));
    format!("\"{short:032x}\"")
}

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tabia</title>\
    <meta name=\"viewport\" content=\"width=device-width\"></head><body><h1>Tabia</h1>\
    <p>The laboratory is running. This binary was built without the page: <code>make web</code> builds it \
    (with Node.js), and <code>make build</code> puts it in.</p>\
    <p><a href=\"/api/docs/\">The API and its documentation</a> are here.</p></body></html>";
