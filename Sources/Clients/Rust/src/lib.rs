// SPDX-License-Identifier: MIT
//! Client of headerd: stream scroll events of a header, draw the states that come back.
//!
//! A [`Client`] blocks; a thread of its own reads, so that writing never waits for a reader. headerd-protocol(7) tells what
//! each request and field means.

mod client;
mod json;
mod state;

pub use client::{default_socket, Answer, Client, DaemonError, Error, Message, Opened, Subscribed};
pub use json::Json;
pub use state::{AppliedScrollView, Drawer, HeaderView, Insets, Point, Rect, ScrollView, State};
