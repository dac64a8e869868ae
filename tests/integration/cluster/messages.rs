//! Messages about wrong versions, missing processes and unsupported statements of a cluster.

use std::io::{self, Write};
use std::net::TcpListener;
use std::thread;

use ballista_core::serde::protobuf::ExecuteQueryParams;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use tonic::Code;
use tonic::transport::Endpoint;

use super::Processes;
use crate::support::{corpus_sql, ran};

#[test]
fn messages_say_what_a_cluster_needs() {
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let run = |args: &[&str]| ran(corpus_sql().args(args).output().unwrap());
    run(&["--cluster", &nobody.to_string(), "-c", "SELECT 1"])
        .failed(1, ["no scheduler at", "corpus-sql scheduler"]);
    run(&["--cluster", "http://a:1", "-c", "SELECT 1"]).failed(2, ["expected df://HOST:PORT"]);
    run(&["--cluster", &other_program(), "-c", "SELECT 1"])
        .failed(1, ["no scheduler at", "another program answers there"]);
    run(&["scheduler", "--listen", "0.0.0.0:0"]).failed(2, ["--trust-network"]);
    run(&["scheduler", "--listen", "0.0.0.0:0", "--trust-network"]).failed(2, ["--host"]);
    run(&["executor", "--scheduler", "192.0.2.1:50050"]).failed(2, ["listen on an address"]);

    let cluster = Processes::start(1);
    cluster
        .run("EXPLAIN ANALYZE SELECT count(*) FROM read_warc('data-samples/web/')")
        .failed(1, ["EXPLAIN ANALYZE", "without --cluster"]);
    cluster
        .run("SELECT nothing FROM read_warc('data-samples/web/')")
        .failed(1, ["nothing"]);
    // An error on an executor is reported like one without a cluster.
    cluster
        .run("SET corpus.on_error = 'fail'; SELECT count(*) FROM read_warc('data-samples/damaged-warc/')")
        .failed(1, ["data-samples/damaged-warc/"]);
}

/// Starts a server that answers as a scheduler of another version.
fn other_version() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let body = r#"{"version":"0.0.1 (revision 0)","executors":1,"slots":1}"#;
        let router = axum::Router::new();
        let router = router.route(
            "/corpus-sql",
            axum::routing::get(move || async move { body }),
        );
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            tonic::transport::Server::builder()
                .add_routes(router.into())
                .serve_with_incoming(tonic::transport::server::TcpIncoming::from(listener))
                .await
                .unwrap();
        });
    });
    address
}

/// Starts a web server that speaks HTTP/1 only.
fn other_program() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let head = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            let _ = stream.write_all(head.as_bytes());
            // Until the client has closed the connection.
            let _ = io::copy(&mut stream, &mut io::sink());
        }
    });
    address
}

#[test]
fn processes_of_another_version_are_refused() {
    let run = |args: &[&str]| ran(corpus_sql().args(args).output().unwrap());
    let messages = ["0.0.1 (revision 0)", "same version"];
    run(&["--cluster", &other_version(), "-c", "SELECT 1"]).failed(1, messages);
    run(&["executor", "--scheduler", &other_version()]).failed(1, messages);
}

#[test]
fn no_port_takes_requests_of_another_version() {
    let cluster = Processes::start(1);
    let other = "0.0.1 (revision 0)";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for address in cluster.addresses() {
            for agent in [format!("corpus-sql/{other} -"), "corpus-sql".to_owned()] {
                let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
                let endpoint = endpoint.user_agent(agent.clone()).unwrap();
                let mut scheduler = SchedulerGrpcClient::connect(endpoint).await.unwrap();
                let answer = scheduler.execute_query(ExecuteQueryParams::default()).await;
                let refusal = answer.unwrap_err();
                assert_eq!(
                    refusal.code(),
                    Code::FailedPrecondition,
                    "{address} {agent}"
                );
                let own = format!("it is corpus-sql {} (revision", env!("CARGO_PKG_VERSION"));
                let text = refusal.message();
                assert!(
                    text.contains(&own) && text.contains("same version"),
                    "{text}"
                );
                assert_eq!(text.contains(other), agent.contains(other), "{text}");
            }
        }
    });
    assert!(
        !cluster
            .log
            .lock()
            .unwrap()
            .contains("execution query job received")
    );
}
