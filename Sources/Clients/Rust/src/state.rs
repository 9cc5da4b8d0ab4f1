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
