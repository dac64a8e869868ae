//! `corpus-sql ui`: its interface, and who may use it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::{corpus_sql, root, run};

/// The maximum time of a statement.
const DEADLINE: Duration = Duration::from_secs(300);

/// A page that is served until it is dropped.
struct Page {
    process: Child,
    port: u16,
    token: String,
    temporary: tempfile::TempDir,
}

/// An answer of the server.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|_| panic!("{}: {}", self.status, self.body))
    }

    /// The value of a header, in lower case.
    fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines();
        let value = lines.find_map(|line| line.strip_prefix(&format!("{name}: ")));
        value.unwrap_or_default()
    }

    /// Checks that the request was refused, with a message.
    #[track_caller]
    fn refused(&self, status: u16, message: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        let error = self.json()["error"]["message"].clone();
        let error = error.as_str().unwrap();
        assert!(
            error.contains(message),
            "{message:?} is missing in: {error}"
        );
    }
}

impl Page {
    fn open(location: &Path) -> Self {
        Self::start(&["ui", "--no-browser", location.to_str().unwrap()])
    }

    fn start(arguments: &[&str]) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let mut process = corpus_sql()
            .args(arguments)
            .arg("--temp-dir")
            .arg(temporary.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        stdout.read_line(&mut address).unwrap();
        let address = address.trim().strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = address.split_once("/?token=").unwrap();
        Self {
            process,
            port: port.parse().unwrap(),
            token: token.to_owned(),
            temporary,
        }
    }

    /// Sends a request verbatim.
    fn send(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        // The server may answer before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap();
        Answer {
            status: status.parse().unwrap(),
            head: head.replace("\r\n", "\n"),
            body: body.to_owned(),
        }
    }

    /// Sends a request with these headers, besides the host.
    fn request(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let has_host = headers.iter().any(|header| header.starts_with("Host:"));
        let host = if has_host {
            String::new()
        } else {
            format!("Host: 127.0.0.1:{}\r\n", self.port)
        };
        let headers: String = headers
            .iter()
            .map(|header| format!("{header}\r\n"))
            .collect();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        self.send(format!("{head}{body}").as_bytes())
    }

    fn call(&self, method: &str, path: &str, body: &str) -> Answer {
        let token = format!("Authorization: Bearer {}", self.token);
        self.request(method, &format!("/api/{path}"), &[&token], body)
    }

    /// Returns the answer to a request that must succeed.
    #[track_caller]
    fn get(&self, path: &str) -> Value {
        let answer = self.call("GET", path, "");
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    fn start_statement(&self, sql: &str) -> String {
        let answer = self.call("POST", "statements", &json!({"sql": sql}).to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Runs a statement to its end. Returns its id and its state.
    fn run(&self, sql: &str) -> (String, Value) {
        let id = self.start_statement(sql);
        let state = self.ended(&id);
        (id, state)
    }

    /// Returns the last state of a statement.
    #[track_caller]
    fn ended(&self, id: &str) -> Value {
        let answer = self.call("GET", &format!("statements/{id}/states"), "");
        assert_eq!(answer.status, 200, "{}", answer.body);
        // Between the lines are the sizes of chunks.
        let mut states = answer.body.lines().rev();
        let last = states.find(|line| line.starts_with('{')).unwrap();
        serde_json::from_str(last).unwrap()
    }

    /// Watches a statement until its first state arrives, and then disconnects like a killed
    /// browser.
    fn watch_and_leave(&self, id: &str) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = format!(
            "GET /api/statements/{id}/states HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\
             Authorization: Bearer {}\r\n\r\n",
            self.port, self.token
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream).lines();
        let state = lines.find(|line| line.as_ref().unwrap().starts_with('{'));
        let state: Value = serde_json::from_str(&state.unwrap().unwrap()).unwrap();
        assert_eq!(state["state"], "running", "{state}");
    }

    /// Waits until the newest statement has ended, and returns its state in the history.
    fn ended_in_history(&self) -> Value {
        let started = Instant::now();
        loop {
            let newest = self.get("history")["statements"][0].clone();
            if newest["state"] != "running" {
                return newest;
            }
            assert!(started.elapsed() < DEADLINE, "{newest}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs a statement that must succeed. Returns its id.
    #[track_caller]
    fn done(&self, sql: &str) -> String {
        let (id, state) = self.run(sql);
        assert_eq!(state["state"], "done", "{sql}: {state}");
        id
    }

    /// Returns the document of the first row of a statement.
    #[track_caller]
    fn document(&self, sql: &str) -> Value {
        let id = self.done(sql);
        self.get(&format!("statements/{id}/rows/0/document"))
    }

    /// Ends the process as Ctrl-C does, and returns its exit code.
    #[cfg(unix)]
    fn interrupt(mut self) -> Option<i32> {
        let pid = self.process.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status();
        assert!(sent.unwrap().success());
        let code = self.process.wait().unwrap().code();
        let left: Vec<_> = fs::read_dir(self.temporary.path()).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
        code
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn samples() -> Page {
    Page::open(&root().join("data-samples"))
}

#[test]
fn a_statement_has_the_warnings_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), "n\n1\n").unwrap();
    fs::write(folder.path().join("b.csv"), "").unwrap();
    let page = Page::open(folder.path());
    // The terminal shows repeated warnings once.
    for _ in 0..2 {
        let (_, state) = page.run(&format!("SELECT * FROM '{}/'", folder.path().display()));
        let warnings = state["warnings"].to_string();
        assert!(warnings.contains("b.csv' is empty"), "{state}");
    }
    let (_, state) = page.run("SELECT 1");
    assert_eq!(state["warnings"], json!([]));
}

#[test]
fn names_may_look_like_variables() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a${x}.csv"), "n\n1\n").unwrap();
    let page = Page::open(folder.path());
    let places = page.get("places");
    page.done(places["places"][0]["sql"].as_str().unwrap());
    let counts = page.get("counts");
    page.done(counts["kinds"][0]["sql"].as_str().unwrap());
}

#[test]
fn web_pages_in_files_are_no_scans() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.html"), "<p>Text</p>").unwrap();
    let page = Page::open(folder.path());
    let first = page.get("session")["sql"].clone();
    let file = page.get("places")["places"][0]["sql"].clone();
    for sql in [first, file] {
        let id = page.done(sql.as_str().unwrap());
        let rows = page.get(&format!("statements/{id}/rows?from=0&count=1"));
        assert!(rows.to_string().contains("\"html\""), "{sql}: {rows}");
    }
    assert_eq!(page.get("counts")["errors"], json!([]));
}

#[test]
fn rows_without_their_place_show_no_other_document() {
    let page = samples();
    for file in ["list.mbox", "message.eml"] {
        let sql = format!(
            "SELECT source_file, kind, title FROM documents('data-samples/office/{file}') \
             WHERE kind <> 'eml' OR source_file LIKE '%.mbox'"
        );
        assert_eq!(page.document(&sql), Value::Null, "{file}");
    }
}

#[test]
fn all_rows_of_small_batches_are_kept() {
    let page = samples();
    // A batch for each row of the left side.
    let id =
        page.done("SELECT a.value, b.value AS other FROM range(5000) a, generate_series(1, 3) b");
    let rows = page.get(&format!(
        "statements/{id}/rows?from=14998&count=5&sort=0&descending=false"
    ));
    assert_eq!(rows["rows"].as_array().unwrap().len(), 2, "{rows}");
    assert_eq!(rows["rows"][1][0], 4999, "{rows}");
}

#[test]
fn only_the_own_page_may_ask() {
    let page = samples();
    let token = format!("Authorization: Bearer {}", page.token);
    let own = [
        vec![],
        vec![format!("Origin: http://127.0.0.1:{}", page.port)],
        vec!["Sec-Fetch-Site: same-origin".to_owned()],
        vec!["Sec-Fetch-Site: none".to_owned()],
    ];
    for more in own {
        let headers: Vec<&str> = [&token]
            .into_iter()
            .chain(&more)
            .map(String::as_str)
            .collect();
        let answer = page.request("GET", "/api/session", &headers, "");
        assert_eq!(answer.status, 200, "{more:?}");
        assert!(!answer.head.contains("access-control"), "{}", answer.head);
    }
    let wrong = format!("{}0", &page.token[..page.token.len() - 1]);
    for wrong in [
        String::new(),
        "Authorization: Bearer".to_owned(),
        "Authorization: Bearer ".to_owned(),
        format!("Authorization: Bearer {wrong}1"),
        format!("Authorization: Bearer {}", page.token.to_uppercase() + "x"),
        format!("Authorization: Basic {}", page.token),
        format!(
            "Authorization: Bearer {0}\r\nAuthorization: Bearer {0}",
            page.token
        ),
    ] {
        let headers: &[&str] = if wrong.is_empty() { &[] } else { &[&wrong] };
        let answer = page.request("GET", "/api/session", headers, "");
        answer.refused(403, "token");
        let answer = page.request(
            "POST",
            "/api/statements",
            headers,
            "{\"sql\": \"SELECT 1\"}",
        );
        answer.refused(403, "token");
    }
    let foreign = [
        "Origin: http://evil.example".to_owned(),
        "Origin: null".to_owned(),
        format!("Origin: https://127.0.0.1:{}", page.port),
        "Origin: http://127.0.0.1:1".to_owned(),
        "Sec-Fetch-Site: cross-site".to_owned(),
        "Sec-Fetch-Site: same-site".to_owned(),
    ];
    for foreign in foreign {
        let answer = page.request("GET", "/api/session", &[&token, &foreign], "");
        answer.refused(403, "other pages");
    }
    // A foreign host name that resolves to this machine.
    for host in [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1.evil.example:80",
        "[::1]:80",
    ] {
        let host = format!("Host: {host}");
        for path in ["/", "/api/session", "/main.js", "/frame/a"] {
            let answer = page.request("GET", path, &[&token, &host], "");
            answer.refused(403, "another host");
        }
    }
    let local = format!("Host: localhost:{}", page.port);
    assert_eq!(
        page.request("GET", "/api/session", &[&token, &local], "")
            .status,
        200
    );
    assert_eq!(
        page.request("OPTIONS", "/api/session", &[&token], "")
            .status,
        405
    );
}

#[test]
fn answers_restrict_what_the_page_may_load() {
    let page = samples();
    for path in [
        "/",
        "/main.js",
        "/style.css",
        "/api/session",
        "/nosuch",
        "/frame/nosuch",
    ] {
        let answer = page.request("GET", path, &[], "");
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';"),
            "{path}: {policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    let index = page.request("GET", "/", &[], "");
    assert_eq!(index.header("content-type"), "text/html; charset=utf-8");
    assert!(index.body.contains("<title>corpus-sql"), "{}", index.body);
    let script = page.request("GET", "/main.js", &[], "");
    assert_eq!(
        script.header("content-type"),
        "text/javascript; charset=utf-8"
    );
}

#[test]
fn hostile_requests_are_refused() {
    let page = samples();
    for path in [
        "nosuch",
        "statements/1",
        "statements/x",
        "statements/-1/rows",
        "statements/1/x",
    ] {
        page.call("GET", path, "").refused(404, "no such");
    }
    page.request("GET", "/../Cargo.toml", &[], "")
        .refused(404, "no such");
    page.request("GET", "/%2e%2e%2fCargo.toml", &[], "")
        .refused(404, "no such");
    for (method, path) in [
        ("POST", "session"),
        ("GET", "statements"),
        ("PUT", "statements"),
        ("DELETE", "places"),
        ("GET", "jobs"),
        ("POST", "funnel"),
        ("POST", "threshold"),
    ] {
        page.call(method, path, "").refused(405, "no such method");
    }
    page.request("POST", "/", &[], "")
        .refused(405, "no such method");
    for body in ["", "{", "[]", "{\"sql\": 1}", "\u{0}"] {
        page.call("POST", "statements", body)
            .refused(400, "not as expected");
    }
    let huge = json!({"sql": "x".repeat(5 << 20)}).to_string();
    assert_eq!(page.call("POST", "statements", &huge).status, 413);
    let id = page.done("SELECT 1 AS a");
    for query in [
        "from=x",
        "count=-1",
        "sort=nosuch",
        "sort=1",
        "from=99999999999999999999999",
    ] {
        assert_eq!(
            page.call("GET", &format!("statements/{id}/rows?{query}"), "")
                .status,
            400
        );
    }
    for row in ["1", "99999999999"] {
        page.call("GET", &format!("statements/{id}/rows/{row}"), "")
            .refused(404, "no such row");
    }
    for row in ["x", "-1", "99999999999999999999999"] {
        let answer = page.call("GET", &format!("statements/{id}/rows/{row}"), "");
        assert_eq!(answer.status, 400, "{row}");
    }
    for path in ["..", "%2e%2e/src", "/etc", "warc/../../src", "a%00b"] {
        page.call("GET", &format!("places?path={path}"), "")
            .refused(403, "not in the folder");
        page.call("GET", &format!("counts?path={path}"), "")
            .refused(403, "not in the folder");
    }
    page.call("GET", "places?path=nosuch", "")
        .refused(404, "cannot open");
    // The server still works.
    assert_eq!(
        page.get("history")["statements"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn rows_are_paged_and_sorted() {
    let page = samples();
    let id = page
        .done("SELECT value AS n, value % 1000 AS m, 'text ' || value AS t FROM range(0, 1000000)");
    let state = page.get(&format!("statements/{id}"));
    assert_eq!(state["rows"], 1_000_000);
    assert_eq!(
        state["columns"],
        json!([{"name": "n", "type": "bigint"}, {"name": "m", "type": "bigint"}, {"name": "t", "type": "text"}])
    );
    let rows = |query: &str| page.get(&format!("statements/{id}/rows?{query}"));
    let numbers = |answer: &Value| -> Vec<i64> {
        let rows = answer["rows"].as_array().unwrap();
        rows.iter().map(|row| row[0].as_i64().unwrap()).collect()
    };
    let mut all: Vec<_> = numbers(&rows("from=0&count=1000"));
    assert_eq!(all.len(), 1000);
    all.extend(numbers(&rows("from=999998&count=100")));
    assert_eq!(all.len(), 1002);
    assert!(numbers(&rows("from=1000000")).is_empty());
    assert!(numbers(&rows("count=0")).is_empty());
    let sorted = rows("sort=1&descending=true&from=999&count=2");
    let keys: Vec<_> = sorted["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row[1])
        .collect();
    assert_eq!(keys, [999, 998]);
    let number = sorted["numbers"][1].as_u64().unwrap();
    let row = page.get(&format!("statements/{id}/rows/{number}"));
    assert_eq!(row["columns"][0]["value"], sorted["rows"][1][0]);
    assert_eq!(
        row["columns"][1],
        json!({"name": "m", "type": "bigint", "value": 998})
    );
    let texts = rows("sort=2&count=1");
    assert_eq!(texts["rows"][0][2], "text 0");
    assert_eq!(
        page.call("DELETE", &format!("statements/{id}"), "").status,
        200
    );
    page.call("GET", &format!("statements/{id}"), "")
        .refused(404, "no such statement");
    let history = page.get("history");
    assert_eq!(history["statements"][0]["rows"], 1_000_000);
}

#[test]
fn statements_are_stopped() {
    let page = samples();
    // A cross join that would run for hours.
    let sql = "SELECT a.value, b.value AS b FROM range(0, 100000000) a, range(0, 100000000) b \
               WHERE (a.value + b.value) % 1000003 = 17";
    let id = page.start_statement(sql);
    assert_eq!(page.get(&format!("statements/{id}"))["state"], "running");
    assert_eq!(
        page.call("DELETE", &format!("statements/{id}"), "").status,
        200
    );
    let state = page.get(&format!("statements/{id}"));
    assert_eq!(state["state"], "stopped", "{state}");
    assert_eq!(
        page.call("DELETE", &format!("statements/{id}"), "").status,
        200
    );
    page.call("GET", &format!("statements/{id}"), "")
        .refused(404, "no such statement");
    // Others still run.
    page.done("SELECT 1");
}

#[test]
fn a_page_that_is_gone_stops_queries_but_nothing_that_writes() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open(folder.path());
    let sql = "SELECT count(*) FROM range(100000000) a JOIN range(100000000) b \
               ON a.value * b.value = 100000001";
    let id = page.start_statement(sql);
    page.watch_and_leave(&id);
    let left = page.ended_in_history();
    assert_eq!(
        (&left["state"], &left["id"]),
        (&json!("stopped"), &Value::Null)
    );
    let target = folder.path().join("a.parquet");
    let rows = 20_000_000;
    let sql = format!(
        "COPY (SELECT value FROM range({rows})) TO '{}'; SELECT 1",
        target.display()
    );
    let id = page.start_statement(&sql);
    page.watch_and_leave(&id);
    assert_eq!(page.ended_in_history()["state"], "done");
    let id = page.done(&format!("SELECT count(*) FROM '{}'", target.display()));
    let counted = page.get(&format!("statements/{id}/rows"));
    assert_eq!(counted["rows"], json!([[rows]]));
}

#[test]
fn errors_have_their_places() {
    let page = samples();
    for (sql, message, line, column) in [
        (
            "SELECT 1 AS a;\n\nSELECT b FROM (SELECT 1 AS a)",
            "no column 'b'",
            3,
            8,
        ),
        ("SELECT nosuch(1)", "nosuch", 1, 8),
        ("SELECT FROM", "expected", 1, 12),
    ] {
        let (_, state) = page.run(sql);
        let error = &state["error"];
        assert_eq!(state["state"], "failed", "{sql}");
        let text = error["message"].as_str().unwrap();
        assert!(text.to_lowercase().contains(message), "{sql}: {text}");
        assert_eq!(
            (&error["line"], &error["column"]),
            (&json!(line), &json!(column)),
            "{sql}: {error}"
        );
    }
    let (_, state) = page.run("");
    assert_eq!(state["error"]["message"], "there is no statement");
}

#[test]
fn variables_need_values() {
    let page = samples();
    let start = |variables: Value| {
        let sql = "SELECT '${name}' AS name, ${number:-2} AS number -- ${comment}";
        let body = json!({"sql": sql, "variables": variables}).to_string();
        page.call("POST", "statements", &body)
    };
    let missing = start(json!({"other": "a"}));
    missing.refused(400, "needs values for name");
    assert_eq!(missing.json()["error"]["variables"], json!(["name"]));
    let started = start(json!({"name": "it's"})).json();
    let id = started["id"].as_str().unwrap();
    page.ended(id);
    let rows = page.get(&format!("statements/{id}/rows"))["rows"].clone();
    assert_eq!(rows, json!([["it's", 2]]));
}

#[test]
fn places_have_statements() {
    let page = samples();
    let places = page.get("places")["places"].clone();
    let find = |places: &Value, name: &str| -> Value {
        let mut places = places.as_array().unwrap().iter();
        let found = places.find(|place| place["name"] == name);
        found.unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert_eq!(find(&places, "warc")["kind"], "folder");
    let inner = page.get("places?path=warc")["places"].clone();
    let file = find(&inner, "crawl.warc.gz");
    assert_eq!(
        (&file["format"], &file["path"]),
        (&json!("WARC"), &json!("warc/crawl.warc.gz"))
    );
    let id = page.done(file["sql"].as_str().unwrap());
    assert_eq!(page.get(&format!("statements/{id}"))["rows"], 12);
    page.done("CREATE VIEW seen AS SELECT 1 AS a");
    let places = page.get("places")["places"].clone();
    assert_eq!(find(&places, "seen")["kind"], "table");
    let counts = page.get("counts?path=warc/crawl.warc.gz");
    assert_eq!(counts["kinds"][0]["kind"], "response");
    assert_eq!(counts["kinds"][0]["count"], 8);
    assert_eq!(counts["errors"], json!([]));
    let counts = page.get("counts?path=damaged-warc");
    let error = &counts["errors"][0];
    assert!(error["count"].as_u64().unwrap() > 0, "{counts}");
    let id = page.done(error["sql"].as_str().unwrap());
    assert_eq!(
        page.get(&format!("statements/{id}"))["rows"],
        error["count"]
    );
    let (kind, example) = (error["error"].as_str().unwrap(), &error["example"]);
    assert!(!kind.contains(':'), "{error}");
    assert!(
        example.as_str().unwrap().starts_with(&format!("{kind}: ")),
        "{error}"
    );
    // The command reads only the files with this error.
    let command = error["again"].as_str().unwrap();
    let program = env!("CARGO_BIN_EXE_corpus-sql");
    let command = command.replacen("corpus-sql", &format!("'{program}' -q --format csv"), 1);
    let again = Command::new("sh").args(["-c", &command]).output().unwrap();
    let again = String::from_utf8_lossy(&again.stdout);
    assert!(
        again.contains(example.as_str().unwrap()),
        "{command}: {again}"
    );
    assert!(!command.contains("damaged-warc/')"), "{command}");
}

#[test]
fn completions_know_columns_functions_and_paths() {
    let page = samples();
    let complete = |sql: &str| {
        let at = sql.chars().position(|c| c == '|').unwrap();
        let sql = sql.replace('|', "");
        let encoded: String = sql.bytes().map(|byte| format!("%{byte:02x}")).collect();
        page.get(&format!("completions?sql={encoded}&at={at}"))
    };
    let answer = complete("SELECT 'é', octet_len| FROM x");
    assert_eq!(
        answer,
        json!({"from": 12, "items": [{"text": "octet_length(", "kind": "function"}]})
    );
    let answer = complete("SELECT va|\nFROM (SELECT 1 AS value)");
    assert_eq!(
        answer["items"][0],
        json!({"text": "value", "kind": "column"})
    );
    let answer = complete("SELECT * FROM 'data-samples/warc/pl|");
    assert_eq!(
        answer,
        json!({"from": 33, "items": [{"text": "plain.warc", "kind": "path"}]})
    );
    assert_eq!(
        complete("SELE|")["items"][0],
        json!({"text": "SELECT", "kind": "keyword"})
    );
    assert_eq!(complete("|")["items"], json!([]));
}

#[test]
fn web_pages_are_shown_from_their_archive() {
    let page = samples();
    let sql = "SELECT source_file, \"offset\" FROM 'data-samples/warc/crawl.warc.gz' \
               WHERE \"offset\" = 388";
    let id = page.done(sql);
    let path = format!("statements/{id}/rows/0/document");
    let found = page.get(&path);
    assert_eq!(found["kind"], "web", "{found}");
    assert_eq!(found["status"], 200);
    assert_eq!(found["url"], "http://www.example/");
    assert_eq!(
        (&found["has_previous"], &found["next"]),
        (&json!(true), &json!(918))
    );
    assert_eq!(found["charset"]["chosen"], "UTF-8");
    assert_eq!(found["digest"]["declared"], found["digest"]["computed"]);
    let kept: Vec<_> = found["paragraphs"].as_array().unwrap().iter().collect();
    assert!(
        kept.iter()
            .any(|one| one["kept"] == false && one["reason"] == "in <nav>"),
        "{found}"
    );
    assert!(kept.iter().any(|one| one["kept"] == true), "{found}");
    let next = page.get(&format!("{path}?offset=918"));
    assert_eq!(next["url"], "http://www.example/ja");
    let previous = page.get(&format!("{path}?before=918"));
    assert_eq!(previous["url"], found["url"]);
    let first = page.get(&format!("{path}?before=174"));
    assert_eq!(
        (&first["offset"], &first["has_previous"]),
        (&json!(0), &json!(false))
    );
    page.call("GET", &format!("{path}?before=0"), "")
        .refused(404, "the file has changed");
    let other = page.get(&format!("{path}?offset=918&charset=windows-1252"));
    assert_eq!(other["charset"]["chosen"], "windows-1252");
    assert_ne!(other["document"], next["document"]);
    page.call("GET", &format!("{path}?offset=919"), "")
        .refused(404, "the file has changed, or the row is not from it");
}

#[test]
fn frames_of_hostile_pages_can_do_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let html = "<!DOCTYPE html><script>fetch('/api/session')</script><LINK rel=preconnect \
        href=//evil.example><meta http-equiv=refresh content='0;url=//evil.example'>\
        <a href='javascript:alert(1)'>a</a><iframe src=//evil.example></iframe>\
        <svg onload=alert(1)></svg><style>p{background:url(//evil.example/a)}</style><p>Text";
    fs::write(folder.path().join("a.html"), html).unwrap();
    let page = Page::open(folder.path());
    let file = folder.path().join("a.html");
    let sql = format!("SELECT source_file FROM read_files('{}')", file.display());
    let found = page.document(&sql);
    assert_eq!(found["kind"], "web", "{found}");
    let frame = found["frame"].as_str().unwrap();
    let answer = page.request("GET", frame, &[], "");
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.header("content-security-policy"),
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'self'"
    );
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("x-dns-prefetch-control"), "off");
    assert!(
        ["<link", "<iframe", "<a href"]
            .iter()
            .all(|it| !answer.body.to_lowercase().contains(it)),
        "{}",
        answer.body
    );
    assert_eq!(
        page.request("GET", &format!("{frame}0"), &[], "").status,
        404
    );
}

#[cfg(feature = "pdf")]
#[test]
fn pdfs_are_shown_page_by_page() {
    let page = samples();
    let id = page.done("SELECT * FROM pdf_documents('data-samples/pdf/article.pdf')");
    let path = format!("statements/{id}/rows/0/document");
    let first = page.get(&path);
    assert_eq!(
        (&first["kind"], &first["page"], &first["pages"]),
        (&json!("pdf"), &json!(1), &json!(3))
    );
    assert!(first["words"].as_array().unwrap().len() > 20, "{first}");
    assert_eq!(first["blocks"][0]["kind"], "heading");
    assert!(first["fonts"][0]["characters"].as_u64().unwrap() > 0);
    assert!(
        first["markdown"].as_str().unwrap().starts_with("# Floods"),
        "{first}"
    );
    let third = page.get(&format!("{path}?page=3"));
    assert_eq!(third["page"], 3);
    assert_ne!(third["text"], first["text"]);
    let none = page.get(&format!("{path}?page=99"));
    assert_eq!(none["words"], json!([]));
    let tables = page.document("SELECT source_file FROM read_pdf('data-samples/pdf/invoice.pdf')");
    assert!(
        tables["tables"][0]["cells"].as_array().unwrap().len() > 8,
        "{tables}"
    );
    let member = "SELECT source_file FROM read_files('data-samples/pdf/papers.zip') \
                  WHERE source_file LIKE '%article.pdf'";
    assert_eq!(page.document(member)["kind"], "pdf");
    let damaged = "SELECT source_file FROM read_files('data-samples/damaged-pdf/truncated.pdf')";
    assert_eq!(page.document(damaged)["kind"], "pdf");
}

#[test]
fn other_documents_are_shown() {
    let page = samples();
    let scan = page.document("SELECT * FROM ocr_pages('data-samples/files/scans/page-0002.hocr')");
    assert_eq!(
        (&scan["kind"], &scan["width"]),
        (&json!("ocr"), &json!(1400.0))
    );
    assert_eq!(scan["blocks"][0]["x0"], 100.0);
    let record = "SELECT * FROM read_sequencefile('data-samples/sequence/scans.seq') \
                  WHERE key = 'Z1000/00000002'";
    let scan = page.document(record);
    assert_eq!(
        (&scan["kind"], &scan["url"]),
        (&json!("ocr"), &json!("Z1000/00000002"))
    );
    let text = page.document("SELECT url, document FROM 'data-samples/documents/pages.jsonl'");
    assert_eq!(text["kind"], "text");
    assert!(text["text"].as_str().unwrap().len() > 100, "{text}");
    let hit = page.document("SELECT 'the <b>great</b> flood' AS snippet, 'great' AS document");
    assert_eq!(
        (&hit["kind"], &hit["text"]),
        (&json!("text"), &json!("great"))
    );
    assert_eq!(page.document("SELECT 1 AS a"), Value::Null);
    let bytes = page.document("SELECT x'00ff' AS content");
    assert_eq!(
        (&bytes["kind"], &bytes["bytes"]),
        (&json!("bytes"), &json!(2))
    );
    let letter = page.document(
        "SELECT source_file FROM read_files('data-samples/office/report.docx', 'unpack', 'false')",
    );
    assert_eq!(
        (&letter["kind"], &letter["bytes"].is_u64()),
        (&json!("text"), &true)
    );
    assert!(
        letter["text"]
            .as_str()
            .unwrap()
            .contains("Apples and pears"),
        "{letter}"
    );
    let mail = page.document("SELECT * FROM documents('data-samples/office/list.mbox')");
    assert!(
        mail["text"]
            .as_str()
            .unwrap()
            .starts_with("The first message"),
        "{mail}"
    );
    let member = "SELECT source_file, \"offset\" FROM read_warc('data-samples/warc/package.wacz') \
                  WHERE \"offset\" = 388";
    assert_eq!(page.document(member)["kind"], "web");
}

#[test]
fn rows_of_several_documents_show_their_own() {
    let page = samples();
    // The record is not text, and its row has no text.
    for columns in [
        "source_file, \"offset\", url, title, text",
        "source_file, \"offset\"",
    ] {
        let picture = page.document(&format!(
            "SELECT {columns} FROM documents('data-samples/web/site.warc.gz') WHERE kind = 'image/png'"
        ));
        assert_eq!(picture["kind"], "bytes", "{picture}");
        assert_eq!(picture["media_type"], "image/png");
        assert_eq!(picture["bytes"], PNG.len());
        assert_eq!(picture["text"], Value::Null);
    }
    // A record other than the row's.
    let id = page.done(
        "SELECT source_file, \"offset\", 'of the row' AS text \
         FROM read_warc('data-samples/web/site.warc.gz') ORDER BY \"offset\" LIMIT 1",
    );
    let other = page.get(&format!("statements/{id}/rows/0/document?offset=5166"));
    assert_eq!(
        (&other["kind"], &other["text"]),
        (&json!("bytes"), &Value::Null)
    );
    let second = page.document(
        "SELECT source_file, \"offset\" FROM documents('data-samples/office/list.mbox') WHERE \"offset\" > 0",
    );
    let expected = run([
        "-q",
        "--format",
        "ndjson",
        "-c",
        "SELECT text FROM documents('data-samples/office/list.mbox') WHERE \"offset\" > 0",
    ]);
    let expected: Value = serde_json::from_str(expected.succeeded().trim()).unwrap();
    assert_eq!(second["text"], expected["text"]);
}

#[cfg(feature = "pdf")]
#[test]
fn attached_files_are_shown() {
    let page = samples();
    let attached = page.document(
        "SELECT source_file, kind, attachment FROM documents('data-samples/office/message.eml') \
         WHERE attachment IS NOT NULL",
    );
    assert_eq!(attached["kind"], "pdf", "{attached}");

    let folder = tempfile::tempdir().unwrap();
    let attachment = |name: &str, content: &str| {
        format!(
            "From: a@a.example\nTo: b@b.example\nContent-Type: application/octet-stream\n\
             Content-Disposition: attachment; filename={name}\n\n{content}"
        )
    };
    let mail = attachment(
        "inner.eml",
        &attachment("leaf.txt", "The text of the leaf."),
    );
    fs::write(folder.path().join("outer.eml"), mail).unwrap();
    let page = Page::open(folder.path());
    let leaf = page.document(&format!(
        "SELECT source_file, attachment FROM documents('{}') WHERE attachment LIKE '%leaf.txt'",
        folder.path().display()
    ));
    assert_eq!(leaf["text"], "The text of the leaf.", "{leaf}");
}

#[test]
fn each_record_of_a_sequence_file_is_shown() {
    let page = samples();
    for name in ["plain", "scans"] {
        let file = format!("data-samples/sequence/{name}.seq");
        let id = page.done(&format!(
            "SELECT source_file, \"offset\", key, octet_length(value) AS bytes FROM read_sequencefile('{file}')"
        ));
        let rows = page.get(&format!("statements/{id}/rows"))["rows"].clone();
        for (number, row) in rows.as_array().unwrap().iter().enumerate() {
            let found = page.get(&format!("statements/{id}/rows/{number}/document"));
            assert_eq!(
                (&found["url"], &found["bytes"]),
                (&row[2], &row[3]),
                "{file} {number}"
            );
        }
    }
}

#[test]
fn names_of_rows_are_no_patterns_of_files_elsewhere() {
    let [folder, outside] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let archive = root().join("data-samples/warc/crawl.warc.gz");
    let secret = outside.path().join("secret.warc.gz");
    fs::copy(archive, &secret).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    let page = Page::open(folder.path());
    let names = [
        outside.path().join("s*.warc.gz"),
        outside.path().join("s?cret.warc.gz"),
        outside.path().join("[s]ecret.warc.gz"),
        folder.path().join("l*/secret.warc.gz"),
        secret,
    ];
    for name in names {
        let sql = format!(
            "SELECT '{}' AS source_file, 0 AS \"offset\"",
            name.display()
        );
        let id = page.done(&sql);
        page.call("GET", &format!("statements/{id}/rows/0/document"), "")
            .refused(403, "outside of the folder");
    }
}

/// The start of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Writes a page that names an image.
fn write_hocr(path: &Path, image: &str) {
    let hocr = format!(
        "<div class='ocr_page' title='image {image}; bbox 10 20 110 220; ppageno 7'>\
         <span class='ocrx_word' title='bbox 20 30 60 40; x_wconf 90'>Word</span></div>"
    );
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, hocr).unwrap();
}

#[test]
fn scans_are_shown_below_their_boxes() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("scans");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.png"), PNG).unwrap();
    fs::write(folder.join("b.tif"), "II*\0").unwrap();
    fs::write(outer.path().join("secret.png"), PNG).unwrap();
    let page = Page::open(&folder);
    let document = |image: &str| {
        let file = folder.join("page.hocr");
        write_hocr(&file, image);
        page.document(&format!("SELECT * FROM ocr_pages('{}')", file.display()))
    };
    let image = |found: &Value| page.request("GET", found["image"].as_str().unwrap(), &[], "");
    let scan = document("/elsewhere/a.png");
    assert_eq!(
        (&scan["boxes"][0]["x0"], &scan["left_edge"]),
        (&json!(20.0), &json!(10.0))
    );
    assert_eq!(
        (&scan["width"], &scan["boxes"][0]["confidence"]),
        (&json!(100.0), &json!(90.0))
    );
    let answer = image(&scan);
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "image/png")
    );
    // A browser shows a copy, but not the original.
    assert_eq!(image(&document("a.tif")).status, 200);
    image(&document("b.tif")).refused(415, "browsers cannot show image/tiff");
    image(&document("page.hocr")).refused(415, "browsers cannot show");
    for outside in ["../secret.png", "c.png"] {
        assert_eq!(document(outside)["image"], Value::Null, "{outside}");
    }
}

#[test]
fn templates_name_the_places_of_scans() {
    let outer = tempfile::tempdir().unwrap();
    let [books, images] = ["books", "images"].map(|name| outer.path().join(name));
    fs::create_dir_all(images.join("B1")).unwrap();
    fs::write(images.join("B1/0001.jpg"), b"\xff\xd8\xff\xe0").unwrap();
    fs::write(images.join("x-007.png"), PNG).unwrap();
    fs::write(outer.path().join("0003.jpg"), PNG).unwrap();
    for (name, image) in [
        ("B1/0001", "p.tif"),
        ("B1/0002", "/tmp/x.tif"),
        ("../0003", "p.tif"),
    ] {
        write_hocr(&books.join(format!("{name}.hocr")), image);
    }
    let first = format!("{}/{{book}}/{{page}}.jpg", images.display());
    let second = format!("{}/{{image}}-{{number:3}}.png", images.display());
    let books = books.to_str().unwrap();
    let page = Page::start(&[
        "ui",
        "--no-browser",
        books,
        "--scans",
        &first,
        "--scans",
        &second,
    ]);
    let outside = outer.path().display();
    let kind = |name: &str| {
        let sql = format!("SELECT source_file FROM read_hocr('{books}/{name}.hocr')");
        let id = page.done(&sql);
        let found = page.get(&format!(
            "statements/{id}/rows/0/document?outside={outside}"
        ));
        let address = found["image"].as_str()?.to_owned();
        let answer = page.request("GET", &address, &[], "");
        Some(answer.header("content-type").to_owned())
    };
    assert_eq!(kind("B1/0001").as_deref(), Some("image/jpeg"));
    assert_eq!(kind("B1/0002").as_deref(), Some("image/png"));
    assert_eq!(kind("../0003"), None);
    for (template, message) in [
        ("nosuch/{page}.jpg", "cannot open its folder"),
        ("{sheet}.jpg", "must be one of {book}, {page}"),
        ("https://{book}/{page}.jpg", "the host must be fixed"),
    ] {
        let refused = run(["ui", "--no-browser", "--scans", template]);
        refused.failed(1, [template, message]);
    }
}

#[test]
fn pages_are_measured_beside_their_book() {
    let cropped = run(["-q", "--format", "json", "-f", "queries/hocr_cropping.sql"]);
    let cropped: Value = serde_json::from_str(cropped.succeeded()).unwrap();
    let worst = &cropped[0];
    let page = samples();
    let id = page.done(&format!(
        "SELECT source_file, \"offset\", key FROM 'data-samples/book/pages.seq' WHERE key = '{}'",
        worst["key"].as_str().unwrap()
    ));
    let found = page.get(&format!("statements/{id}/rows/0/book"));
    assert_eq!(
        (&found["pages"], &found["text_width"], &found["at_edge"]),
        (
            &worst["book_pages"],
            &worst["text_width"],
            &worst["at_edge"]
        )
    );
    let difference = found["score"].as_f64().unwrap() - worst["page_score"].as_f64().unwrap();
    assert!(difference.abs() < 0.001, "{found}");
    let file = "SELECT source_file FROM read_hocr('data-samples/files/scans/page-0001.hocr')";
    let id = page.done(file);
    let found = page.get(&format!("statements/{id}/rows/0/book"));
    assert_eq!(found["pages"], 3, "{found}");
    let id = page.done("SELECT 'a text' AS text");
    assert_eq!(page.get(&format!("statements/{id}/rows/0/book")), json!({}));
}

#[test]
fn documents_that_are_gone_or_damaged_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.warc.gz");
    fs::copy(root().join("data-samples/warc/crawl.warc.gz"), &archive).unwrap();
    let page = Page::open(folder.path());
    let id = page.done(&format!(
        "SELECT source_file, \"offset\" FROM read_warc('{}')",
        archive.display()
    ));
    let path = format!("statements/{id}/rows/2/document");
    assert_eq!(page.get(&path)["kind"], "web");
    let bytes = fs::read(&archive).unwrap();
    fs::write(&archive, &bytes[..500]).unwrap();
    let cut = page.call("GET", &path, "");
    let is_error = cut.status >= 400 || cut.json()["error"].is_string();
    assert!(is_error, "{}: {}", cut.status, cut.body);
    fs::remove_file(&archive).unwrap();
    page.call("GET", &path, "").refused(422, "a.warc.gz");
    // The rows are still there.
    assert_eq!(
        page.get(&format!("statements/{id}/rows"))["rows"]
            .as_array()
            .unwrap()
            .len(),
        12
    );
}

#[test]
fn removed_documents_have_their_rules() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("filtered");
    run([
        "run",
        "filter_documents",
        "-q",
        "data-samples/documents/",
        "-o",
        output.to_str().unwrap(),
        "--max-top-4-gram=0.17",
    ])
    .succeeded();
    let page = Page::open(folder.path());
    let place = page.get("places")["places"][0].clone();
    assert_eq!(
        (&place["path"], &place["has_removed"]),
        (&json!("filtered"), &json!(true))
    );
    let funnel = page.get("funnel?folder=filtered");
    let stages = funnel["stages"].as_array().unwrap();
    assert_eq!(stages[1]["stage"], "language");
    assert_eq!(
        stages[1]["rules"][0],
        json!({"rule": "no_language", "documents": 2})
    );
    let samples = funnel["samples"].as_array().unwrap();
    let sample = samples
        .iter()
        .find(|one| one["stage"] == "gopher_repetition")
        .unwrap();
    let rule = &sample["rules"][0];
    assert!(
        rule["value"].as_f64().unwrap() > rule["threshold"].as_f64().unwrap(),
        "{sample}"
    );
    let found = page.document(sample["sql"].as_str().unwrap());
    assert_eq!(
        (&found["kind"], &found["rules"][0]),
        (&json!("removed"), rule)
    );
    let rule = "folder=filtered&stage=gopher_repetition&rule=top_4_gram";
    let measured = page.get(&format!("threshold?{rule}"));
    assert_eq!(
        (&measured["threshold"], &measured["is_default"]),
        (&json!(0.17), &json!(false))
    );
    let samples = measured["samples"].as_array().unwrap();
    let values = samples.iter().map(|one| one["value"].as_f64().unwrap());
    let (kept, removed): (Vec<_>, Vec<_>) = values.partition(|value| *value <= 0.17);
    assert!(!kept.is_empty() && !removed.is_empty(), "{measured}");
    page.call("GET", "funnel?folder=../a", "")
        .refused(403, "not in the folder");
}

#[test]
fn jobs_are_saved_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open(folder.path());
    let job = |name: &str| {
        let sql = "SELECT count(*) AS n FROM '${input}'";
        let variables = json!({"input": "data-samples/documents/pages.jsonl"});
        let job = json!({"name": name, "sql": sql, "variables": variables});
        page.call("POST", "jobs", &job.to_string())
    };
    let saved = job("count-pages").json();
    let command = saved["command"].as_str().unwrap();
    let program = env!("CARGO_BIN_EXE_corpus-sql");
    let command = command.replacen("corpus-sql", &format!("'{program}' -q --format csv"), 1);
    let ran = Command::new("sh")
        .args(["-c", &command])
        .current_dir(root())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "n\n61\n", "{command}");
    job("count-pages").refused(409, "exists");
    for name in ["", "../a", "a/b", "a.sql", ".a", "-a", &"a".repeat(101)] {
        job(name).refused(400, "the name of a job");
    }
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1);
}

#[test]
fn read_only_pages_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a.parquet");
    let page = Page::start(&[
        "ui",
        "--no-browser",
        "--read-only",
        folder.path().to_str().unwrap(),
    ]);
    assert_eq!(page.get("session")["read_only"], true);
    for sql in [
        format!("COPY (SELECT 1) TO '{}'", target.display()),
        format!(
            "CREATE EXTERNAL TABLE a STORED AS PARQUET LOCATION '{}'",
            target.display()
        ),
        "CREATE VIEW a AS SELECT 1".to_owned(),
        "SELECT 1 INTO a".to_owned(),
        format!(
            "SELECT 1; EXPLAIN ANALYZE COPY (SELECT 1) TO '{}'",
            target.display()
        ),
    ] {
        let (_, state) = page.run(&sql);
        assert_eq!(state["state"], "failed", "{sql}");
    }
    page.done("SET datafusion.execution.batch_size = 1000; SELECT 1");
    let job = json!({"name": "a", "sql": "SELECT 1"}).to_string();
    page.call("POST", "jobs", &job).refused(403, "read-only");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn written_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::open(folder.path());
    let sql = format!(
        "COPY (SELECT 1 AS a) TO '{}/a.parquet'",
        folder.path().display()
    );
    let (_, state) = page.run(&sql);
    assert_eq!(state["columns"], json!([]), "{state}");
    assert!(
        state["message"].as_str().unwrap().contains("a.parquet"),
        "{state}"
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_page() {
    let page = samples();
    page.done("SELECT 1 AS a");
    page.start_statement("SELECT count(*) FROM range(0, 100000000) a, range(0, 100000000) b");
    assert_eq!(page.interrupt(), Some(0));
}

#[test]
fn rows_of_killed_pages_are_removed() {
    let mut page = samples();
    page.done("SELECT 1 AS a");
    page.process.kill().unwrap();
    page.process.wait().unwrap();
    let temporary = page.temporary.path().to_str().unwrap();
    let left = || fs::read_dir(temporary).unwrap().count();
    assert!(left() > 0);
    run(["-q", "--temp-dir", temporary, "-c", "SELECT 1"]).succeeded();
    assert_eq!(left(), 0);
}

#[test]
fn a_port_in_use_is_an_error() {
    let page = samples();
    let port = page.port.to_string();
    let again = run(["ui", "--no-browser", "--port", &port]);
    again.failed(1, ["cannot listen on 127.0.0.1", "--port"]);
    run(["ui", "--no-browser", "nosuch/"]).failed(1, ["cannot open 'nosuch/'"]);
}
