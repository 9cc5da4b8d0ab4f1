// SPDX-License-Identifier: MIT
//! The connection: requests, messages, and coming back after it was lost.

use crate::state::text;
use crate::{Json, State};
use std::collections::{BTreeMap, VecDeque};
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// An error of the daemon's: `name` and `code` are for programs, `message` for people, `data` has all facts.
#[derive(Clone, Debug, PartialEq)]
pub struct DaemonError {
    pub code: i64,
    pub name: String,
    pub message: String,
    pub field: Option<String>,
    pub hint: Option<String>,
    pub data: Json,
}

impl DaemonError {
    fn of(error: &Json) -> DaemonError {
        let data = error.get("data");
        DaemonError {
            code: error.get("code").as_i64().unwrap_or(0),
            name: text(data.get("name")),
            message: text(error.get("message")),
            field: data.get("field").as_str().map(str::to_string),
            hint: data.get("hint").as_str().map(str::to_string),
            data: data.clone(),
        }
    }
}

#[derive(Debug)]
pub enum Error {
    /// Nobody listens at this path, or the user may not connect.
    NoDaemon(PathBuf, io::Error),
    /// The connection has ended; `resume` makes a new one. The reason is the daemon's: `draining`, `overflow`.
    Lost(Option<String>),
    /// The daemon refused a request.
    Refused(DaemonError),
    /// Nothing came in time.
    Timeout,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoDaemon(path, error) => write!(out, "no daemon at {}: {error}", path.display()),
            Error::Lost(Some(reason)) => write!(out, "the connection to the daemon has ended: {reason}"),
            Error::Lost(None) => write!(out, "the connection to the daemon has ended"),
            Error::Refused(DaemonError { message, hint: Some(hint), .. }) => write!(out, "{message} ({hint})"),
            Error::Refused(error) => write!(out, "{}", error.message),
            Error::Timeout => write!(out, "nothing came in time"),
        }
    }
}

impl std::error::Error for Error {}

/// A result, and the fields of the request that the daemon did not know (`field`, `hint`).
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub result: Json,
    pub warnings: Vec<Json>,
}

/// An open header. `created` is false if it was open before.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub header: String,
    pub handle: i64,
    pub epoch: i64,
    pub seq: i64,
    pub created: bool,
    /// Of its description, as in `header.get`; 0: the daemon is older than that.
    pub digest: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subscribed {
    pub subscription: i64,
    pub matched: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    State(State),
    /// States are missing, a snapshot follows; `from` and `to` are None with the reason `newEpoch`.
    Gap { header: String, epoch: i64, reason: String, from: Option<i64>, to: Option<i64> },
    /// The header is gone; the reason is `closed`, `replaced` or `connection`.
    Closed { header: String, epoch: i64, seq: i64, reason: String },
    /// A notification of this client's that the daemon refused.
    Failure(DaemonError),
    /// Anything else that the daemon sends by itself, such as `trace`.
    Notification { method: String, params: Json },
}

/// Where the daemon of this user listens: HEADERD_SOCKET, else the user's run-time folder.
pub fn default_socket() -> PathBuf {
    let variable = |name| env::var_os(name).filter(|value: &OsString| !value.is_empty());
    if let Some(given) = variable("HEADERD_SOCKET") {
        return given.into();
    }
    if let Some(runtime) = variable("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute()) {
        return runtime.join("headerd/headerd.sock");
    }
    // SAFETY: it takes nothing and cannot fail.
    match unsafe { geteuid() } {
        0 => "/run/headerd/headerd.sock".into(),
        user => format!("/tmp/headerd-{user}/headerd.sock").into(),
    }
}

extern "C" {
    // Of the C library, which the standard library brings along without this call.
    fn geteuid() -> u32;
}

struct Subscription {
    number: i64,
    params: Json,
}

/// A connection to the daemon; one thread uses it.
pub struct Client {
    /// How long a request waits for its answer; 10 s.
    pub patience: Duration,
    /// The daemon's answer to `hello`: roles, capabilities, limits.
    pub hello: Json,
    path: PathBuf,
    name: String,
    last_id: i64,
    connection: Option<(UnixStream, Receiver<Json>)>,
    reason: Option<String>,
    messages: VecDeque<Message>,
    positions: BTreeMap<String, Json>,
    subscriptions: Vec<Subscription>,
}

impl Client {
    /// Connects to the daemon at the default socket.
    pub fn connect() -> Result<Client, Error> {
        Client::connect_to(&default_socket(), "headerd for Rust")
    }

    /// Connects. `name` is a text for the daemon's log.
    pub fn connect_to(path: &Path, name: &str) -> Result<Client, Error> {
        let mut client = Client {
            patience: Duration::from_secs(10),
            hello: Json::Null,
            path: path.to_path_buf(),
            name: name.to_string(),
            last_id: 0,
            connection: None,
            reason: None,
            messages: VecDeque::new(),
            positions: BTreeMap::new(),
            subscriptions: Vec::new(),
        };
        client.start()?;
        Ok(client)
    }

    // Requests

    /// Opens a header (`header.open`), or attaches to the open one with the same description.
    pub fn open(&mut self, description: Json) -> Result<Opened, Error> {
        let result = self.request("header.open", description)?;
        let number = |key| result.get(key).as_i64().unwrap_or(0);
        let created = result.get("created").as_bool().unwrap_or(false);
        let (handle, epoch, seq) = (number("handle"), number("epoch"), number("seq"));
        let digest = number("digest");
        Ok(Opened { header: text(result.get("header")), handle, epoch, seq, created, digest })
    }

    /// Subscribes; the parameters are those of `subscribe`. The daemon is asked to keep states for `resume`.
    pub fn subscribe(&mut self, params: Json) -> Result<Subscribed, Error> {
        let subscribed = self.subscribe_again(&params)?;
        self.subscriptions.push(Subscription { number: subscribed.subscription, params });
        Ok(subscribed)
    }

    fn subscribe_again(&mut self, params: &Json) -> Result<Subscribed, Error> {
        let mut params = params.clone();
        let positions = self.positions.iter().map(|(name, position)| (name.clone(), position.clone()));
        params.set("resumeFrom", Json::Object(positions.collect()));
        let result = self.request("subscribe", params)?;
        let number = |key| result.get(key).as_i64().unwrap_or(0);
        Ok(Subscribed { subscription: number("subscription"), matched: number("matched") })
    }

    /// Ends a subscription.
    pub fn unsubscribe(&mut self, subscription: i64) -> Result<(), Error> {
        self.request("unsubscribe", Json::object([("subscription", subscription.into())]))?;
        self.subscriptions.retain(|one| one.number != subscription);
        Ok(())
    }

    /// Streams an event; there is no answer, errors come back as `Failure` messages.
    pub fn event(&mut self, header: &str, event: &str, fields: Json) -> Result<(), Error> {
        self.notify("event", event_params(header, event, fields))
    }

    /// Sends an event and waits for what was decided about it.
    pub fn decide(&mut self, header: &str, event: &str, fields: Json) -> Result<Json, Error> {
        self.request("event", event_params(header, event, fields))
    }

    /// Sends any request of the protocol and gives its result.
    pub fn request(&mut self, method: &str, params: Json) -> Result<Json, Error> {
        self.answer(method, params).map(|answer| answer.result)
    }

    /// The same, with the warnings of the answer.
    pub fn answer(&mut self, method: &str, params: Json) -> Result<Answer, Error> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(Json::object([("id", id.into()), ("method", method.into()), ("params", params)]))?;
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.receive(Some(deadline))?;
            if line.get("method").is_null() && line.get("id").as_i64() == Some(id) {
                return match line.get("error") {
                    Json::Null => {
                        Ok(Answer { result: line.get("result").clone(), warnings: line.get("warnings").list().to_vec() })
                    }
                    error => Err(Error::Refused(DaemonError::of(error))),
                };
            }
            self.take(line);
        }
    }

    /// Sends any notification.
    pub fn notify(&mut self, method: &str, params: Json) -> Result<(), Error> {
        self.send(Json::object([("method", method.into()), ("params", params)]))
    }

    // Messages

    /// The next message, in the order sent; None waits for ever, a timeout of zero only looks.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self, timeout: Option<Duration>) -> Result<Message, Error> {
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        loop {
            if let Some(message) = self.messages.pop_front() {
                return Ok(message);
            }
            let line = self.receive(deadline)?;
            self.take(line);
        }
    }

    // The connection

    /// Connects anew and subscribes again from the last states seen; what was missed comes as messages.
    ///
    /// A gap is reported where the daemon no longer has the states. Headers are not opened again. With `NoDaemon`, try again
    /// later.
    pub fn resume(&mut self) -> Result<(), Error> {
        self.start()?;
        for index in 0..self.subscriptions.len() {
            let params = self.subscriptions[index].params.clone();
            self.subscriptions[index].number = self.subscribe_again(&params)?.subscription;
        }
        Ok(())
    }

    /// Ends the connection.
    pub fn close(&mut self) {
        if let Some((stream, lines)) = self.connection.take() {
            let _ = stream.shutdown(Shutdown::Both);
            // What had arrived was received: it is not asked for again.
            lines.iter().for_each(|line| self.take(line));
        }
    }

    fn start(&mut self) -> Result<(), Error> {
        self.close();
        self.reason = None;
        let made = UnixStream::connect(&self.path).and_then(|stream| Ok((stream.try_clone()?, stream)));
        let (reading, stream) = made.map_err(|error| Error::NoDaemon(self.path.clone(), error))?;
        let (lines, received) = mpsc::channel();
        // Ends with the connection.
        thread::spawn(move || {
            for line in BufReader::new(reading).lines().map_while(Result::ok).filter(|line| !line.trim().is_empty()) {
                let is_heard = Json::parse(&line).map_or(false, |line| lines.send(line).is_ok());
                if !is_heard {
                    break;
                }
            }
        });
        self.connection = Some((stream, received));
        let hello = Json::object([("protocol", 1.into()), ("client", self.name.as_str().into())]);
        let known = self.messages.len();
        self.hello = match self.request("hello", hello) {
            // A daemon that has no room for one more says so before it ends the connection.
            Err(Error::Lost(reason)) if self.messages.len() > known => match self.messages.pop_back() {
                Some(Message::Failure(error)) => return Err(Error::Refused(error)),
                _ => return Err(Error::Lost(reason)),
            },
            answer => answer?,
        };
        Ok(())
    }

    fn lost(&mut self) -> Error {
        self.close();
        Error::Lost(self.reason.clone())
    }

    fn send(&mut self, line: Json) -> Result<(), Error> {
        let line = format!("{line}\n");
        match &mut self.connection {
            Some((stream, _)) => stream.write_all(line.as_bytes()).map_err(|_| self.lost()),
            None => Err(self.lost()),
        }
    }

    fn receive(&mut self, deadline: Option<Instant>) -> Result<Json, Error> {
        let received = match (&self.connection, deadline) {
            (None, _) => Err(RecvTimeoutError::Disconnected),
            (Some((_, lines)), None) => lines.recv().map_err(RecvTimeoutError::from),
            (Some((_, lines)), Some(deadline)) => {
                lines.recv_timeout(deadline.saturating_duration_since(Instant::now()))
            }
        };
        received.map_err(|error| match error {
            RecvTimeoutError::Timeout => Error::Timeout,
            RecvTimeoutError::Disconnected => self.lost(),
        })
    }

    /// Takes a line that is not the answer waited for.
    fn take(&mut self, line: Json) {
        let (method, params) = (line.get("method").as_str(), line.get("params"));
        let header = text(params.get("header"));
        let number = |key| params.get(key).as_i64();
        let (epoch, seq) = (number("epoch").unwrap_or(0), number("seq").unwrap_or(0));
        let reason = text(params.get("reason"));
        let message = match method {
            // An error without an id is about something that could not be read; other answers come too late.
            None if line.get("id").is_null() && !line.get("error").is_null() => {
                Message::Failure(DaemonError::of(line.get("error")))
            }
            None | Some("ping") => return,
            // A request of the daemon's: only those who joined a header's chain get any.
            Some(_) if !line.get("id").is_null() => return,
            Some("state") => {
                self.positions.insert(header, Json::object([("epoch", epoch.into()), ("seq", seq.into())]));
                Message::State(State::of(params.clone()))
            }
            Some("gap") => Message::Gap { header, epoch, reason, from: number("from"), to: number("to") },
            Some("closed") => {
                self.positions.remove(&header);
                Message::Closed { header, epoch, seq, reason }
            }
            Some("error") => Message::Failure(DaemonError::of(params)),
            Some("bye") => {
                self.reason = Some(reason);
                return;
            }
            Some(method) => Message::Notification { method: method.to_string(), params: params.clone() },
        };
        self.messages.push_back(message);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.close();
    }
}

fn event_params(header: &str, event: &str, fields: Json) -> Json {
    let mut params = Json::object([("header", header.into()), ("event", event.into())]);
    for (key, value) in fields.members() {
        params.set(key, value.clone());
    }
    params
}
