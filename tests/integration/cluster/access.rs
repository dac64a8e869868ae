//! Tokens and certificates: processes without them are refused, with advice on what to do.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use ballista_core::serde::protobuf::GetJobStatusParams;
use ballista_core::serde::protobuf::LaunchMultiTaskParams;
use ballista_core::serde::protobuf::executor_grpc_client::ExecutorGrpcClient;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use tempfile::TempDir;
use tonic::Code;

use super::Processes;
use crate::support::wait_until;
use crate::support::{corpus_sql, ran};

const TOKEN: &str = "0123456789abcdef-a-secret-of-the-tests";

/// A query whose rows cross from one executor to another.
const SHUFFLE: &str =
    "SELECT count(*) AS n FROM (SELECT target_uri FROM read_warc('data-samples/web/') GROUP BY 1)";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn rows(cluster: &Processes) -> String {
    let ran = ran(cluster
        .client()
        .args(["-q", "--format", "csv", "-c", SHUFFLE])
        .output()
        .unwrap());
    ran.succeeded().to_owned()
}

fn local_rows() -> String {
    let ran = ran(corpus_sql()
        .args(["-q", "--format", "csv", "-c", SHUFFLE])
        .output()
        .unwrap());
    ran.succeeded().to_owned()
}

#[test]
fn only_processes_with_the_token_take_part() {
    let folder = tempfile::tempdir().unwrap();
    let token = write(folder.path(), "token", &format!("{TOKEN}\n"));
    let wrong = write(folder.path(), "wrong", "another-secret-of-the-tests");
    let cluster = Processes::start_with(2, folder, &["--token-file".to_owned(), token]);
    assert_eq!(rows(&cluster), local_rows());
    let from_environment = ran(cluster
        .client_without_access()
        .env("CORPUS_SQL_TOKEN", TOKEN)
        .args(["-c", SHUFFLE])
        .output()
        .unwrap());
    from_environment.succeeded();

    let client = |access: &[&str]| {
        let mut client = cluster.client_without_access();
        ran(client.args(access).args(["-c", SHUFFLE]).output().unwrap())
    };
    client(&[]).failed(1, ["the cluster needs its token: add --token-file"]);
    client(&["--token-file", &wrong]).failed(1, ["the token is not that of the cluster"]);
    let executor = |access: &[&str]| {
        let mut executor = corpus_sql();
        executor
            .args(["executor", "--scheduler", &cluster.address])
            .args(access);
        ran(executor.output().unwrap())
    };
    executor(&[]).failed(1, ["the cluster needs its token"]);
    executor(&["--token-file", &wrong]).failed(1, ["the token is not that of the cluster"]);

    // Each kind of refusal is logged once, however many callers there are.
    let refused = || {
        let log = cluster.log.lock().unwrap();
        let count = |reason| log.matches(reason).count();
        (
            count("needs its token"),
            count("is not that of the cluster"),
        )
    };
    wait_until("refusals are logged", || refused() == (1, 1));

    // Each port refuses callers other than our programs, too.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for address in cluster.addresses() {
            let url = format!("http://{address}");
            let mut scheduler = SchedulerGrpcClient::connect(url.clone()).await.unwrap();
            let status = scheduler
                .get_job_status(GetJobStatusParams::default())
                .await;
            assert_eq!(
                status.unwrap_err().code(),
                Code::Unauthenticated,
                "{address}"
            );
            let mut executor = ExecutorGrpcClient::connect(url).await.unwrap();
            let status = executor
                .launch_multi_task(LaunchMultiTaskParams::default())
                .await;
            assert_eq!(
                status.unwrap_err().code(),
                Code::Unauthenticated,
                "{address}"
            );
        }
    });
    assert_eq!(refused(), (1, 1));

    // No output contains the token.
    let shown = cluster.run(&format!("SHOW ALL; EXPLAIN VERBOSE {SHUFFLE}"));
    assert!(!shown.succeeded().contains(TOKEN));
    assert!(!shown.stderr.contains(TOKEN));
    assert!(!cluster.log.lock().unwrap().contains(TOKEN));
}

#[test]
fn files_with_secrets_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let short = write(folder.path(), "short", "secret");
    let run = |args: &[&str]| ran(corpus_sql().args(args).output().unwrap());
    let scheduler = run(&["scheduler", "--token-file", &short]);
    scheduler.failed(2, ["6 characters", "openssl rand -hex 32"]);
    assert!(
        !scheduler.stderr.contains("secret'"),
        "{}",
        scheduler.stderr
    );
    run(&["scheduler", "--token-file", "missing"])
        .failed(2, ["cannot read the token in 'missing'"]);
    run(&["scheduler", "--tls-cert", &short]).failed(2, ["need each other"]);
    let all = [
        "scheduler",
        "--tls-cert",
        &short,
        "--tls-key",
        &short,
        "--tls-ca",
        &short,
    ];
    run(&all).failed(2, ["has no certificate in PEM format"]);
    run(&["-c", "SELECT 1", "--token-file", &short]).failed(2, ["need --cluster"]);
    // Everybody may read the file.
    let token = write(folder.path(), "token", TOKEN);
    Command::new("chmod")
        .args(["644", &token])
        .status()
        .unwrap();
    let nobody = [
        "--cluster",
        "127.0.0.1:1",
        "--token-file",
        &token,
        "-c",
        "SELECT 1",
    ];
    run(&nobody).failed(1, ["other users of this machine can read", "chmod 600"]);
}

/// The configuration of `openssl ca`, which can choose the dates of a certificate.
const CA_CONFIG: &str = "[ca]
default_ca = authority
[authority]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
";

/// A certificate authority: its files, and the certificates that it has signed.
struct Authority {
    folder: PathBuf,
}

fn openssl(folder: &Path, command: &str) {
    let run = Command::new("openssl")
        .args(command.split(' '))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("openssl");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "openssl {command}: {stderr}");
}

impl Authority {
    /// The commands are those of docs/cluster.md.
    fn new(folder: &Path) -> Self {
        fs::create_dir_all(folder).unwrap();
        openssl(
            folder,
            "req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=authority -keyout ca.key -out ca.pem",
        );
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Signs a certificate, and returns the options that use it.
    fn certificate(&self, name: &str, host: &str) -> Vec<String> {
        self.request(name, host);
        let sign = "-CA ca.pem -CAkey ca.key -days 365 -copy_extensions copy";
        openssl(
            &self.folder,
            &format!("x509 -req -in {name}.csr {sign} -out {name}.pem"),
        );
        self.options(name, "ca")
    }

    /// Signs an expired certificate.
    fn expired(&self, name: &str) -> Vec<String> {
        self.request(name, "corpus-sql");
        write(&self.folder, "ca.cnf", CA_CONFIG);
        write(&self.folder, "index.txt", "");
        let days = "-startdate 20200101000000Z -enddate 20200201000000Z";
        let sign = "ca -batch -notext -rand_serial -config ca.cnf -cert ca.pem -keyfile ca.key";
        openssl(
            &self.folder,
            &format!("{sign} {days} -in {name}.csr -out {name}.pem"),
        );
        self.options(name, "ca")
    }

    fn request(&self, name: &str, host: &str) {
        let subject = format!("-subj /CN={name} -addext subjectAltName=DNS:{host}");
        openssl(
            &self.folder,
            &format!("req -newkey rsa:2048 -nodes {subject} -keyout {name}.key -out {name}.csr"),
        );
    }

    fn options(&self, name: &str, authority: &str) -> Vec<String> {
        let file = |name: String| self.folder.join(name).display().to_string();
        let options = [
            ("--tls-cert", file(format!("{name}.pem"))),
            ("--tls-key", file(format!("{name}.key"))),
            ("--tls-ca", file(format!("{authority}.pem"))),
        ];
        let options = options.into_iter();
        options
            .flat_map(|(option, file)| [option.to_owned(), file])
            .collect()
    }
}

/// A cluster with certificates and a token, and its authority.
fn encrypted() -> (Processes, Authority) {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let authority = Authority::new(&folder.path().join("tls"));
    let mut access = authority.certificate("tls", "corpus-sql");
    let token = write(folder.path(), "token", TOKEN);
    access.extend(["--token-file".to_owned(), token]);
    (Processes::start_with(2, folder, &access), authority)
}

#[test]
fn certificates_protect_all_connections() {
    let (cluster, authority) = encrypted();
    assert_eq!(rows(&cluster), local_rows());
    let client = |access: &[String]| {
        let mut client = cluster.client_without_access();
        ran(client.args(access).args(["-c", SHUFFLE]).output().unwrap())
    };
    let token = cluster.access[6..].to_vec();

    client(&token).failed(1, ["it uses TLS: add --tls-cert"]);
    client(&cluster.access[..6]).failed(1, ["the cluster needs its token"]);

    // Certificates of another authority, on one side or on both.
    let other = Authority::new(&cluster.folder.path().join("other"));
    let foreign = other.certificate("tls", "corpus-sql");
    client(&foreign).failed(1, ["its certificate is not from the authority of --tls-ca"]);
    fs::copy(
        authority.folder.join("ca.pem"),
        other.folder.join("own.pem"),
    )
    .unwrap();
    client(&other.options("tls", "own")).failed(2, ["the authority of --tls-ca has not signed it"]);

    // Expired certificates, which other processes would refuse.
    let expired = authority.expired("expired");
    client(&expired).failed(2, ["it has expired"]);
    let nameless = authority.certificate("nameless", "localhost");
    client(&nameless).failed(2, ["subjectAltName=DNS:corpus-sql"]);
    let mut mixed = authority.certificate("mixed", "corpus-sql");
    mixed[3] = authority.options("tls", "ca")[3].clone();
    client(&mixed).failed(2, ["the private key in", "is not that of the certificate"]);

    // The servers refuse what a program without these checks sends.
    for (name, folder) in [("tls", &other.folder), ("expired", &authority.folder)] {
        for address in cluster.addresses() {
            let output = Command::new("openssl")
                .args(["s_client", "-connect", &address, "-alpn", "h2", "-ign_eof"])
                .args([
                    "-cert",
                    &format!("{name}.pem"),
                    "-key",
                    &format!("{name}.key"),
                ])
                .current_dir(folder)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(text.contains("alert"), "{address} with {name}: {text}");
        }
    }
    let log = cluster.log.lock().unwrap().clone();
    // One line for each reason.
    for (line, count) in [
        ("it does not use TLS", 1),
        ("certificate expired", 1),
        ("invalid peer certificate", 2),
    ] {
        assert_eq!(log.matches(line).count(), count, "{line}: {log}");
    }
    assert_eq!(rows(&cluster), local_rows());
}

#[test]
fn a_cluster_without_certificates_says_so() {
    let cluster = Processes::start(1);
    let authority = Authority::new(&cluster.folder.path().join("tls"));
    let access = authority.certificate("tls", "corpus-sql");
    let mut client = cluster.client_without_access();
    let refused = ran(client
        .args(access)
        .args(["-c", "SELECT 1"])
        .output()
        .unwrap());
    refused.failed(1, ["it does not use TLS"]);
    assert_eq!(rows(&cluster), local_rows());
}

/// Forwards connections to another port. Returns its own address, and the bytes that callers have
/// sent so far, by connection.
fn recorder(target: &str) -> (String, Arc<Mutex<Vec<Vec<u8>>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let recorded = Arc::new(Mutex::new(Vec::new()));
    let (target, all) = (target.to_owned(), Arc::clone(&recorded));
    thread::spawn(move || {
        for caller in listener.incoming() {
            let (mut caller, mut called) = (caller.unwrap(), TcpStream::connect(&target).unwrap());
            let number = {
                let mut all = all.lock().unwrap();
                all.push(Vec::new());
                all.len() - 1
            };
            let mut answers = (called.try_clone().unwrap(), caller.try_clone().unwrap());
            thread::spawn(move || {
                let _ = io::copy(&mut answers.0, &mut answers.1);
                let _ = answers.1.shutdown(Shutdown::Both);
            });
            let all = Arc::clone(&all);
            thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = caller.read(&mut bytes) {
                    all.lock().unwrap()[number].extend_from_slice(&bytes[..count]);
                    if called.write_all(&bytes[..count]).is_err() {
                        break;
                    }
                }
                let _ = called.shutdown(Shutdown::Both);
            });
        }
    });
    (address, recorded)
}

#[test]
fn recorded_requests_start_no_job_again() {
    let (mut cluster, _authority) = encrypted();
    let (address, recorded) = recorder(&cluster.address);
    let mut client = corpus_sql();
    client.args(["--cluster", &address]).args(&cluster.access);
    let counted = ran(client
        .args(["-q", "--format", "csv", "-c", SHUFFLE])
        .output()
        .unwrap());
    assert_eq!(counted.succeeded(), local_rows());
    let jobs = |cluster: &Processes| {
        let log = cluster.log.lock().unwrap();
        (
            log.matches("Job submitted").count(),
            log.matches("refused 127.0.0.1").count(),
        )
    };
    wait_until("the job is logged", || jobs(&cluster) == (1, 0));
    let sent = recorded.lock().unwrap().clone();
    let sizes: Vec<_> = sent.iter().map(Vec::len).collect();
    assert!(sizes.iter().any(|size| *size > 4000), "{sizes:?}");
    for bytes in sent {
        let mut stream = TcpStream::connect(&cluster.address).unwrap();
        // The scheduler may close the connection before it has read everything.
        let _ = stream.write_all(&bytes);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    wait_until("the recording is refused", || jobs(&cluster).1 > 0);
    assert_eq!(rows(&cluster), local_rows());
    wait_until("only the second query is a job", || jobs(&cluster).0 >= 2);
    assert_eq!(jobs(&cluster).0, 2);
    assert!(cluster.scheduler.try_wait().unwrap().is_none());
}
