//! `corpus-sql ui`: a server on this machine, and the page that it shows: SQL, and the documents
//! of its rows.
//!
//! ```text
//! security      restricts access, and what the page may load
//! page          the files of the page
//! api           the addresses of the interface; messages: requests and answers
//! read_only     which statements only read
//! statements    SQL in the background ──► spool, the rows in a file ──► sorting, cells
//! folder        the folder that was opened; counts: of its records, files and errors
//! frames        the HTML of documents, without scripts and network
//! recent        a cache of the newest values
//! funnel        what the stages of a job removed; filter_rules: with their thresholds
//! saved_jobs    SQL as a file
//! warnings      the warnings of the program
//! viewer        the document of a row, which its SQL reads again from its file
//! ```

mod api;
mod cells;
mod counts;
mod filter_rules;
mod folder;
mod frames;
mod funnel;
mod messages;
mod page;
mod read_only;
mod recent;
mod saved_jobs;
mod security;
mod sorting;
mod spool;
mod statements;
mod viewer;
mod warnings;

use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use datafusion::arrow::array::RecordBatch;
use datafusion::prelude::SessionContext;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use self::folder::Folder;
use self::frames::Frames;
use self::messages::Problem;
use self::recent::Recent;
use self::security::{Access, restrict};
use self::statements::Statements;
use self::viewer::scan::Template;
use self::viewer::{MAX_PARSED, MAX_PARSED_BYTES};
pub use self::warnings::Warnings;
use crate::completion::columns::Columns;

/// The place that the page shows, and how.
pub struct Settings {
    /// The folder or file that was opened, as it is written in SQL.
    pub location: Option<String>,
    /// Where the images of scanned pages are, besides the folder.
    pub scans: Vec<String>,
    /// Whether statements may only read.
    pub read_only: bool,
    /// The port; 0 for a free one.
    pub port: u16,
    /// Where the program adds its warnings.
    pub warnings: Arc<Warnings>,
}

/// The state that all requests share.
struct App {
    /// Runs queries. The requests have another runtime, which a long step of a query does not
    /// block.
    engine: Handle,
    context: SessionContext,
    access: Access,
    folder: Folder,
    scans: Vec<Template>,
    read_only: bool,
    statements: Statements,
    frames: Frames,
    /// Parsed documents.
    parsed: Recent<RecordBatch>,
    /// The columns of tables that completions have opened.
    columns: Mutex<Option<Arc<Columns>>>,
}

impl App {
    fn columns(&self) -> Arc<Columns> {
        let new = || Arc::new(Columns::new(self.context.clone(), self.engine.clone()));
        Arc::clone(self.columns.lock().get_or_insert_with(new))
    }

    /// Forgets the columns of tables, which a statement may change.
    fn forget_columns(&self) {
        self.columns.lock().take();
    }

    /// Runs a task on the threads for queries. It ends if nobody waits for it any more.
    async fn on_engine<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Problem> {
        let mut tasks = JoinSet::new();
        tasks.spawn_on(task, &self.engine);
        match tasks.join_next().await {
            Some(result) => Ok(result?),
            None => Err(Problem::not_found("the session has ended")),
        }
    }
}

/// The state, as requests get it.
type Shared = State<Arc<App>>;

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
    port: u16,
}

impl Server {
    /// Listens on the loopback interface.
    pub async fn bind(
        settings: Settings,
        context: SessionContext,
        engine: Handle,
    ) -> Result<Self, String> {
        let folder = Folder::open(settings.location.as_deref())?;
        let scans = settings.scans.iter().map(|text| Template::parse(text));
        let scans = scans.collect::<Result<_, _>>()?;
        let port = settings.port;
        let listening = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listening.map_err(|error| {
            format!("cannot listen on 127.0.0.1:{port}: {error}; choose a free port with --port")
        })?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let port = address.port();
        let app = App {
            engine,
            context,
            access: Access::new(port),
            folder,
            scans,
            read_only: settings.read_only,
            statements: Statements::new(settings.warnings),
            frames: Frames::default(),
            parsed: Recent::new(MAX_PARSED, MAX_PARSED_BYTES),
            columns: Mutex::default(),
        };
        Ok(Self {
            listener,
            app: Arc::new(app),
            port,
        })
    }

    /// The address of the page, with the token.
    pub fn address(&self) -> String {
        format!(
            "http://127.0.0.1:{}/?token={}",
            self.port, self.app.access.token
        )
    }

    /// Answers requests until `end`. Statements that still run are stopped then.
    pub async fn run(self, end: impl Future<Output = ()>) -> Result<(), String> {
        let app = Arc::clone(&self.app);
        let guard = from_fn_with_state(Arc::clone(&app), guard);
        let routes = api::routes().with_state(self.app).layer(guard);
        let served = tokio::select! {
            served = axum::serve(self.listener, routes).into_future() => served,
            () = end => Ok(()),
        };
        app.statements.end();
        served.map_err(|error| format!("the server failed: {error}"))
    }
}

/// Checks a request, and restricts what its answer may load.
async fn guard(State(app): Shared, request: Request, next: Next) -> Response {
    let mut response = match app.access.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    restrict(&mut response);
    response
}
