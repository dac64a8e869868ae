//! The servers of schedulers and executors: each connection has to show a certificate, and each
//! request the token and the version, before any part of it is parsed.

mod connection;
mod refusals;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use datafusion::common::{Result, exec_datafusion_err};
use futures::Stream;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tonic::service::{InterceptorLayer, Routes};
use tonic::transport::Server;
use tonic::{Request, Status};

use self::connection::{Caller, Connection, UnknownCallers};
use self::refusals::Refusals;
use super::access::{Access, KEEP_ALIVE, Mismatch, Refusal};

/// The time in which a caller must make its first complete request.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of connections whose callers are unknown. The oldest makes room.
const MAX_UNKNOWN_CALLERS: usize = 256;

/// The maximum number of connections that wait for the server.
const MAX_WAITING_CONNECTIONS: usize = 64;

/// The maximum size of the headers of a request.
const MAX_HEADER_BYTES: u32 = 16 << 10;

/// The maximum number of simultaneous requests of a connection.
const MAX_REQUESTS: u32 = 1024;

/// The pause after a failure to accept connections, such as too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The user agent, which carries the version and the token.
const USER_AGENT: &str = "user-agent";

/// The beginnings of details in errors of TLS.
const DETAILS: [&str; 2] = [": verification time", " of type "];

/// The first byte of a TLS connection.
const TLS_HANDSHAKE: u8 = 22;

/// Binds a port.
pub async fn bind(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .map_err(|error| exec_datafusion_err!("cannot listen on {address}: {error}"))
}

/// Serves requests until the process ends.
pub async fn serve(listener: TcpListener, access: &Access, routes: Routes) -> Result<()> {
    let refusals = Arc::new(Refusals::default());
    let connections = connections(listener, access, Arc::clone(&refusals));
    let access = access.clone();
    let admit = move |mut request: Request<()>| {
        let Some(caller) = request.extensions().get::<Caller>().cloned() else {
            return Err(Status::internal("a request without a connection"));
        };
        let agent = request.metadata().get(USER_AGENT);
        let agent = agent.and_then(|agent| agent.to_str().ok());
        if let Err(refusal) = access.check(agent.unwrap_or_default()) {
            let reason = refusal.to_string();
            refusals.report(caller.address, &reason);
            return Err(match refusal {
                Refusal::OtherVersion(_) => Status::failed_precondition(reason),
                Refusal::NoToken | Refusal::WrongToken => Status::unauthenticated(reason),
            });
        }
        // Services that log a request must not show the token.
        request.metadata_mut().remove(USER_AGENT);
        caller.set_known();
        let address = ConnectInfo(caller.address);
        request.extensions_mut().insert(address);
        Ok(request)
    };
    let served = Server::builder()
        .http2_keepalive_interval(Some(KEEP_ALIVE))
        .http2_keepalive_timeout(Some(KEEP_ALIVE))
        .http2_max_header_list_size(MAX_HEADER_BYTES)
        .max_concurrent_streams(MAX_REQUESTS)
        .layer(InterceptorLayer::new(admit))
        .add_routes(routes)
        .serve_with_incoming(connections);
    served
        .await
        .map_err(|error| exec_datafusion_err!("the server has stopped: {error}"))
}

/// Returns the connections whose callers have completed the handshake.
fn connections(
    listener: TcpListener,
    access: &Access,
    refusals: Arc<Refusals>,
) -> impl Stream<Item = Result<Connection, std::io::Error>> + use<> {
    let tls = access
        .tls
        .as_ref()
        .map(|tls| TlsAcceptor::from(Arc::clone(&tls.server)));
    let (sender, mut receiver) = mpsc::channel(MAX_WAITING_CONNECTIONS);
    tokio::spawn(async move {
        let unknown = UnknownCallers::new(MAX_UNKNOWN_CALLERS, FIRST_REQUEST_TIMEOUT);
        loop {
            let (stream, address) = tokio::select! {
                () = sender.closed() => return,
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        refusals.report_failure(&error);
                        sleep(ACCEPT_PAUSE).await;
                        continue;
                    }
                },
            };
            let (caller, leave) = unknown.add(address);
            let (tls, refusals, sender) = (tls.clone(), Arc::clone(&refusals), sender.clone());
            tokio::spawn(async move {
                let handshake = handshake(stream, tls, &caller, &refusals);
                let (connection, leave) = tokio::select! {
                    connection = handshake => (connection, leave),
                    () = leave.clone() => return,
                };
                if let Some(connection) = connection {
                    // The server has ended if nobody receives it.
                    let _ = sender.send(Ok(connection.until(leave))).await;
                }
            });
        }
    });
    futures::stream::poll_fn(move |context| receiver.poll_recv(context))
}

/// Completes the handshake of a connection. `None` if the caller is refused or has gone.
async fn handshake(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    caller: &Caller,
    refusals: &Refusals,
) -> Option<Connection> {
    // With Nagle's algorithm, small messages would wait for each other.
    stream.set_nodelay(true).ok()?;
    let mut first = [0];
    if stream.peek(&mut first).await.ok()? == 0 {
        return None;
    }
    let is_tls = first[0] == TLS_HANDSHAKE;
    match tls {
        None if is_tls => {
            refusals
                .refuse(stream, caller.address, Mismatch::TlsToPlain)
                .await;
            None
        }
        Some(_) if !is_tls => {
            refusals
                .refuse(stream, caller.address, Mismatch::PlainToTls)
                .await;
            None
        }
        None => Some(Connection::plain(stream, caller.clone())),
        Some(tls) => match tls.accept(stream).await {
            Ok(stream) => Some(Connection::tls(stream, caller.clone())),
            Err(error) => {
                let reason = error.to_string();
                // Details differ in each call; without them, equal reasons share one line.
                let end = DETAILS
                    .iter()
                    .filter_map(|detail| reason.find(detail))
                    .min();
                refusals.report(caller.address, &reason[..end.unwrap_or(reason.len())]);
                None
            }
        },
    }
}
