// SPDX-License-Identifier: MIT
//
// Does the steps of a conformance script with the client for Rust: steps on stdin, a line of JSON for each on stdout
// (Tests/Clients/README.md).

use headerd::{Client, DaemonError, Drawer, Error, HeaderView, Insets, Json, Message, Point, Rect, ScrollView};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::time::Duration;

struct Actor {
    client: Client,
    views: HashMap<String, HeaderView>,
    mirrors: bool,
}

fn yes(word: &str) -> Json {
    Json::object([(word, true.into())])
}

fn numbers(values: &[f64]) -> Json {
    Json::List(values.iter().map(|value| (*value).into()).collect())
}

fn point(point: Point) -> Json {
    numbers(&[point.x, point.y])
}

fn rect(rect: Rect) -> Json {
    numbers(&[rect.x, rect.y, rect.width, rect.height])
}

fn insets(insets: Insets) -> Json {
    numbers(&[insets.top, insets.left, insets.bottom, insets.right])
}

/// What few states have: the opacity of elements, and where the header is.
fn add_looks(told: &mut Json, params: &Json) {
    let alpha = |one: &Json| (one.get("name").as_str().unwrap_or("").into(), one.get("alpha").as_f64().unwrap_or(1.0).into());
    let elements: Vec<(String, Json)> = params.get("elements").list().iter().map(alpha).collect();
    if !elements.is_empty() {
        told.set("elements", Json::Object(elements));
    }
    for name in ["progress", "obstruction"] {
        match params.get("position").get(name) {
            Json::Null => {}
            one => told.set(name, one.clone()),
        }
    }
}

fn optional<T: Into<Json>>(value: Option<T>) -> Json {
    value.map_or(Json::Null, Into::into)
}

fn error_object(error: DaemonError) -> Json {
    Json::object([
        ("code", error.code.into()),
        ("name", error.name.into()),
        ("message", error.message.into()),
        ("field", optional(error.field)),
        ("hint", optional(error.hint)),
        ("data", error.data),
    ])
}

fn put(object: &mut Json, path: &str, value: Json) {
    match path.split_once('.') {
        None => object.set(path, value),
        Some((first, rest)) => {
            let mut inner = match object.get(first) {
                Json::Null => Json::object([]),
                known => known.clone(),
            };
            put(&mut inner, rest, value);
            object.set(first, inner);
        }
    }
}

/// Adds each FIELD=VALUE to an event's fields.
fn add_fields(fields: &mut Json, words: &[&str]) {
    for word in words {
        let (path, value) = word.split_once('=').expect(word);
        put(fields, path, Json::parse(value).expect(word));
    }
}

fn fields(words: &[&str]) -> Json {
    let mut fields = Json::object([]);
    add_fields(&mut fields, words);
    fields
}

fn drawn(drawers: &[Drawer]) -> Json {
    let drawn = drawers.iter().map(|one| {
        Json::object([
            ("name", one.name.as_str().into()),
            ("frame", rect(one.frame)),
            ("alpha", one.alpha.into()),
            ("hidden", one.hidden.into()),
            ("translation", point(one.translation)),
        ])
    });
    Json::List(drawn.collect())
}

impl Actor {
    fn told(&mut self, message: Message) -> Json {
        let state = match message {
            Message::State(state) => state,
            Message::Gap { header, epoch, reason, from, to } => {
                let gap = [
                    ("header", header.into()),
                    ("epoch", epoch.into()),
                    ("reason", reason.into()),
                    ("from", optional(from)),
                    ("to", optional(to)),
                ];
                return Json::object([("gap", Json::object(gap))]);
            }
            Message::Closed { header, epoch, seq, reason } => {
                let closed =
                    [("header", header.into()), ("epoch", epoch.into()), ("seq", seq.into()), ("reason", reason.into())];
                return Json::object([("closed", Json::object(closed))]);
            }
            Message::Failure(error) => return Json::object([("failure", error_object(error))]),
            Message::Notification { method, params } => {
                return Json::object([("method", method.into()), ("params", params)]);
            }
        };
        let view = self.views.entry(state.header.clone()).or_default();
        view.mirrors = self.mirrors;
        view.apply(&state);
        let offsets = state.scroll_views.iter().map(|(name, one)| (name.clone(), point(one.content_offset))).collect();
        let scroll_views = view.scroll_views.iter().map(|(name, one)| {
            let members =
                [("offset", point(one.offset)), ("inset", insets(one.inset)), ("correction", point(one.correction))];
            (name.clone(), Json::object(members))
        });
        let mut told = Json::object([
            ("header", state.header.as_str().into()),
            ("epoch", state.epoch.into()),
            ("seq", state.seq.into()),
            ("time", state.time.into()),
            ("snapshot", state.snapshot.into()),
            ("values", Json::Object(state.values().to_vec())),
            ("offsets", Json::Object(offsets)),
        ]);
        add_looks(&mut told, &state.params);
        if !state.params.get("ahead").is_null() {
            told.set("ahead", true.into());
        }
        let shown = [("drawers", drawn(&view.drawers)), ("scrollViews", Json::Object(scroll_views.collect()))];
        Json::object([("state", told), ("view", Json::object(shown))])
    }

    fn scroll(&mut self, words: &[&str]) -> Result<Json, Error> {
        let view = self.views.get_mut(words[0]).expect(words[0]);
        let at = view.scroll_views[words[1]].offset;
        let by: f64 = words[2].parse().expect(words[2]);
        let mut event = view.scroll(words[1], Point { y: at.y + by, ..at }).expect(words[1]);
        let told = Json::object([
            ("sent", true.into()),
            ("offset", event.get("offset").get("y").clone()),
            ("correction", event.get("correction").get("y").clone()),
        ]);
        add_fields(&mut event, &words[3..]);
        self.client.event(words[0], "didScroll", event)?;
        Ok(told)
    }

    fn at(&mut self, words: &[&str]) -> Json {
        let view = self.views.get_mut(words[0]).expect(words[0]);
        let by: f64 = words[2].parse().expect(words[2]);
        let state = view.at(view.scroll_views[words[1]].offset.y + by, words.len() > 3).expect("a state");
        let of = |(name, one): (&String, &ScrollView)| (name.clone(), insets(one.content_inset));
        let mut told = Json::object([
            ("values", Json::Object(state.values().to_vec())),
            ("drawers", drawn(&state.drawers)),
            ("insets", Json::Object(state.scroll_views.iter().map(of).collect())),
        ]);
        add_looks(&mut told, &state.params);
        Json::object([("at", told)])
    }

    fn perform(&mut self, verb: &str, rest: &str) -> Result<Json, Error> {
        let words: Vec<&str> = rest.split(' ').collect();
        let json = |text: &str| Json::parse(text).expect(text);
        let client = &mut self.client;
        match verb {
            "open" => {
                let opened = client.open(json(rest))?;
                let members = [
                    ("header", opened.header.into()),
                    ("epoch", opened.epoch.into()),
                    ("seq", opened.seq.into()),
                    ("created", opened.created.into()),
                ];
                Ok(Json::object([("opened", Json::object(members))]))
            }
            "subscribe" => {
                self.mirrors = rest.contains("contentOffset");
                let subscribed = client.subscribe(json(rest))?;
                let members =
                    [("subscription", subscribed.subscription.into()), ("matched", subscribed.matched.into())];
                Ok(Json::object([("subscribed", Json::object(members))]))
            }
            "unsubscribe" => client.unsubscribe(rest.parse().expect(rest)).map(|_| yes("unsubscribed")),
            "request" => {
                let answer = client.answer(words[0], json(&rest[words[0].len()..]))?;
                Ok(Json::object([("result", answer.result), ("warnings", Json::List(answer.warnings))]))
            }
            "notify" => client.notify(words[0], json(&rest[words[0].len()..])).map(|_| yes("sent")),
            "event" => client.event(words[0], words[1], fields(&words[2..])).map(|_| yes("sent")),
            "decide" => {
                let decided = client.decide(words[0], words[1], fields(&words[2..]))?;
                Ok(Json::object([("decided", decided)]))
            }
            "scroll" => self.scroll(&words),
            "at" => Ok(self.at(&words)),
            "next" => {
                let message = client.next(Some(Duration::from_secs(10)))?;
                Ok(self.told(message))
            }
            "none" => {
                client.request("ping", Json::object([]))?;
                match client.next(Some(Duration::ZERO)) {
                    Err(Error::Timeout) => Ok(yes("none")),
                    message => message.map(|message| self.told(message)),
                }
            }
            "resume" => client.resume().map(|_| yes("resumed")),
            "close" => {
                client.close();
                Ok(yes("disconnected"))
            }
            _ => panic!("{verb}"),
        }
    }
}

fn connect(who: &str, actors: &mut HashMap<String, Actor>) -> Result<Json, Error> {
    let client = Client::connect_to(&headerd::default_socket(), "conformance")?;
    actors.insert(who.to_string(), Actor { client, views: HashMap::new(), mirrors: false });
    Ok(yes("connected"))
}

fn main() -> io::Result<()> {
    let mut actors: HashMap<String, Actor> = HashMap::new();
    for step in io::stdin().lock().lines() {
        let step = step?;
        let parts: Vec<&str> = step.splitn(3, ' ').collect();
        let rest = parts.get(2).copied().unwrap_or("");
        let done = match parts[1] {
            "socket" => Ok(Json::object([("socket", headerd::default_socket().to_str().expect("UTF-8").into())])),
            "connect" => connect(parts[0], &mut actors),
            verb => actors.get_mut(parts[0]).expect(parts[0]).perform(verb, rest),
        };
        let told = done.unwrap_or_else(|error| match error {
            Error::Refused(error) => Json::object([("error", error_object(error))]),
            Error::Lost(reason) => Json::object([("lost", optional(reason))]),
            Error::NoDaemon(path, _) => Json::object([("noDaemon", path.to_str().expect("UTF-8").into())]),
            Error::Timeout => yes("timeout"),
        });
        println!("{told}");
        io::stdout().flush()?;
    }
    Ok(())
}
