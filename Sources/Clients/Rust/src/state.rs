// SPDX-License-Identifier: MIT
//! States with the defaults of what is absent, and what a renderer does with them.

use crate::Json;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Insets {
    pub top: f64,
    pub left: f64,
    pub bottom: f64,
    pub right: f64,
}

/// A piece of the header; `frame` is where to draw it, `translation` included.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawer {
    pub name: String,
    pub frame: Rect,
    pub alpha: f64,
    pub hidden: bool,
    pub translation: Point,
    /// Higher ones are drawn over lower ones, of equal ones the earlier.
    pub z_index: i64,
}

/// What the header wants of a scroll view. `correction` is the total of the header's own moves of the offset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScrollView {
    pub content_offset: Point,
    pub content_inset: Insets,
    pub correction: Point,
}

/// A header's complete state. `params` has it as sent: elements, values, wants, notices, commands, animations too.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub header: String,
    pub epoch: i64,
    pub seq: i64,
    /// Seconds of header time.
    pub time: f64,
    pub snapshot: bool,
    /// In chain order.
    pub drawers: Vec<Drawer>,
    pub scroll_views: BTreeMap<String, ScrollView>,
    pub params: Json,
}

impl State {
    pub(crate) fn of(params: Json) -> State {
        State {
            header: text(params.get("header")),
            epoch: params.get("epoch").as_i64().unwrap_or(0),
            seq: params.get("seq").as_i64().unwrap_or(0),
            time: number(params.get("time")),
            snapshot: params.get("snapshot").as_bool().unwrap_or(false),
            drawers: params.get("drawers").list().iter().map(drawer).collect(),
            scroll_views: params
                .get("scrollViews")
                .members()
                .iter()
                .map(|(name, view)| (name.clone(), scroll_view(view)))
                .collect(),
            params,
        }
    }

    /// What the behaviors tell about themselves, by name.
    pub fn values(&self) -> &[(String, Json)] {
        self.params.get("values").members()
    }
}

pub(crate) fn text(json: &Json) -> String {
    json.as_str().unwrap_or("").to_string()
}

fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or(0.0)
}

fn point(json: &Json) -> Point {
    Point { x: number(json.get("x")), y: number(json.get("y")) }
}

fn drawer(json: &Json) -> Drawer {
    let frame = json.get("frame");
    let (width, height) = (number(frame.get("width")), number(frame.get("height")));
    Drawer {
        name: text(json.get("name")),
        frame: Rect { x: number(frame.get("x")), y: number(frame.get("y")), width, height },
        alpha: json.get("alpha").as_f64().unwrap_or(1.0),
        hidden: json.get("hidden").as_bool().unwrap_or(false),
        translation: point(json.get("translation")),
        z_index: json.get("zIndex").as_i64().unwrap_or(0),
    }
}

fn scroll_view(json: &Json) -> ScrollView {
    let inset = json.get("contentInset");
    let edge = |name| number(inset.get(name));
    ScrollView {
        content_offset: point(json.get("contentOffset")),
        content_inset: Insets { top: edge("top"), left: edge("left"), bottom: edge("bottom"), right: edge("right") },
        correction: point(json.get("correction")),
    }
}

/// A scroll view of this process: where its content is, and how much of the header's own moves is in that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppliedScrollView {
    pub offset: Point,
    pub inset: Insets,
    pub correction: Point,
}

/// A header as this process shows it: drawers to draw, insets to set, offsets that follow `correction`.
///
/// The first state of an epoch sets the offset; later ones move it by what `correction` grew by, so that what the user
/// scrolled in the meantime stays. One that `mirrors` the content of another process shows each state's offset (`include`
/// with `contentOffset`).
#[derive(Clone, Debug, Default)]
pub struct HeaderView {
    pub mirrors: bool,
    pub epoch: Option<i64>,
    pub seq: i64,
    pub drawers: Vec<Drawer>,
    pub scroll_views: BTreeMap<String, AppliedScrollView>,
    state: Option<State>,
    /// The offset that was farthest away, since the last state.
    farthest: Option<f64>,
}

impl HeaderView {
    pub fn new() -> HeaderView {
        HeaderView::default()
    }

    /// Takes over a state.
    pub fn apply(&mut self, state: &State) {
        if self.mirrors || self.epoch != Some(state.epoch) {
            self.scroll_views.clear();
        }
        self.epoch = Some(state.epoch);
        self.seq = state.seq;
        self.drawers = state.drawers.clone();
        self.state = Some(state.clone());
        self.farthest = None;
        let known = std::mem::take(&mut self.scroll_views);
        for (name, wanted) in &state.scroll_views {
            let offset = known.get(name).map_or(wanted.content_offset, |view| Point {
                x: view.offset.x + wanted.correction.x - view.correction.x,
                y: view.offset.y + wanted.correction.y - view.correction.y,
            });
            let applied = AppliedScrollView { offset, inset: wanted.content_inset, correction: wanted.correction };
            self.scroll_views.insert(name.clone(), applied);
        }
    }

    /// The last state as it goes on to an offset along the axis of the tracking scroll view (`predict`), in a drag or not.
    ///
    /// Beyond what is known it stays as it is there. A state without `ahead` stays as it is; before the first there is None.
    pub fn at(&mut self, mut offset: f64, is_dragged: bool) -> Option<State> {
        let state = self.state.as_ref()?;
        let mut ahead = state.params.get("ahead");
        let origin = match ahead.get("offset").as_f64() {
            Some(origin) => origin,
            None => return Some(state.clone()),
        };
        if is_dragged {
            ahead = ahead.member("dragged").unwrap_or(ahead);
        }
        if ahead.get("reversible").as_bool() != Some(true) {
            // Back it goes by laws that the way so far has a part in.
            let farthest = self.farthest.get_or_insert(offset);
            if (offset - *farthest) * (*farthest - origin) >= 0.0 {
                *farthest = offset;
            }
            offset = *farthest;
        }
        if offset == origin {
            return Some(state.clone());
        }
        let (mut start, mut place) = (&state.params, origin);
        for keyframe in ahead.get(if offset < origin { "shrinking" } else { "growing" }).list() {
            let end = number(keyframe.get("offset"));
            if (offset - origin).abs() <= (end - origin).abs() && end != place {
                let share = (offset - place) / (end - place);
                return Some(State::of(on_line(&state.params, start, keyframe, share)));
            }
            (start, place) = (keyframe, end);
        }
        Some(State::of(on_line(&state.params, start, start, 0.0)))
    }

    /// Moves the content and gives the fields of the event that reports it: `scrollView`, `offset`, `correction`.
    ///
    /// None if there is no such scroll view.
    pub fn scroll(&mut self, scroll_view: &str, offset: Point) -> Option<Json> {
        let view = self.scroll_views.get_mut(scroll_view)?;
        view.offset = offset;
        let object = |point: Point| Json::object([("x", point.x.into()), ("y", point.y.into())]);
        Some(Json::object([
            ("scrollView", scroll_view.into()),
            ("offset", object(offset)),
            ("correction", object(view.correction)),
        ]))
    }
}

/// The state with the parts of the line between two keyframes, which have only what differs from it.
fn on_line(state: &Json, start: &Json, end: &Json, share: f64) -> Json {
    let mut result = state.clone();
    for part in ["drawers", "elements"] {
        let entries = match state.get(part) {
            Json::List(entries) => entries,
            _ => continue,
        };
        let of = |keyframe: &Json, one: &Json| {
            let known = keyframe.get(part).list().iter().find(|other| other.get("name") == one.get("name"));
            known.unwrap_or(one).clone()
        };
        let entries = entries.iter().map(|one| between(&of(start, one), &of(end, one), share));
        result.set(part, Json::List(entries.collect()));
    }
    for part in ["scrollViews", "values", "wants"] {
        let members = match state.get(part) {
            Json::Object(members) => members,
            _ => continue,
        };
        let members = members.iter().map(|(name, one)| {
            let of = |keyframe: &Json| keyframe.get(part).member(name).unwrap_or(one).clone();
            (name.clone(), between(&of(start), &of(end), share))
        });
        result.set(part, Json::Object(members.collect()));
    }
    if let Some(position) = state.member("position") {
        let of = |keyframe: &Json| keyframe.member("position").unwrap_or(position).clone();
        result.set("position", between(&of(start), &of(end), share));
    }
    result
}

/// What is at a share of the way from start to end: numbers on a line, all else as it is at the start.
fn between(start: &Json, end: &Json, share: f64) -> Json {
    match (start, end) {
        (Json::Number(from), Json::Number(to)) => Json::Number(from + (to - from) * share),
        (Json::List(from), Json::List(to)) => {
            Json::List(from.iter().zip(to).map(|(one, other)| between(one, other, share)).collect())
        }
        (Json::Object(from), Json::Object(to)) => {
            let mut members = from.clone();
            let further = to.iter().filter(|(name, _)| start.member(name).is_none());
            members.extend(further.filter_map(|(name, _)| Some((name.clone(), absent(name)?))));
            for (name, value) in &mut members {
                if let Some(other) = end.member(name).cloned().or_else(|| absent(name)) {
                    *value = between(value, &other, share);
                }
            }
            Json::Object(members)
        }
        _ => start.clone(),
    }
}

/// What a number of a drawer, an element or a scroll view is where it is not written.
fn absent(name: &str) -> Option<Json> {
    match name {
        "alpha" => Some(1.0.into()),
        "cornerRadius" => Some(0.0.into()),
        "translation" | "correction" => Some(Json::object([("x", 0.0.into()), ("y", 0.0.into())])),
        "transform" => Some(Json::List((0..16).map(|place| if place % 5 == 0 { 1.0 } else { 0.0 }.into()).collect())),
        _ => None,
    }
}
