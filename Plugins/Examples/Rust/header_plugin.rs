// SPDX-License-Identifier: MIT
//
// header_plugin.h in Rust, by hand: the same records in the same order under the same names, nothing added. What each of
// them means, who owns what and what may be called when stands in header_plugin.h and only there. A later minor version
// of the contract adds fields at the ends of its tables; this file is the contract as of 1.1, with the fields of the
// environment and of a value's description as of 1.2, and stays valid.

#![allow(non_camel_case_types, dead_code)]

use std::os::raw::{c_char, c_void};

pub const HEADER_ABI_MAJOR: u16 = 1;
pub const HEADER_ABI_MINOR: u16 = 1;

// ── Results ──

pub const HEADER_OK: i32 = 0;
pub const HEADER_REFUSED: i32 = 1;
pub const HEADER_FAILED: i32 = 2;

// ── Shapes ──

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct header_point {
    pub x: f64,
    pub y: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct header_size {
    pub width: f64,
    pub height: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct header_rect {
    pub origin: header_point,
    pub size: header_size,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct header_insets {
    pub top: f64,
    pub left: f64,
    pub bottom: f64,
    pub right: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct header_transform {
    pub m: [f64; 16],
}

// ── Values ──

pub const HEADER_NULL: u8 = 0;
pub const HEADER_BOOL: u8 = 1;
pub const HEADER_NUMBER: u8 = 2;
pub const HEADER_TEXT: u8 = 3;
pub const HEADER_LIST: u8 = 4;
pub const HEADER_RECORD: u8 = 5;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_value {
    pub r#type: u8,
    pub boolean: bool,
    pub count: u32,
    pub number: f64,
    pub text: *const c_char,
    pub items: *const header_value,
    pub names: *const *const c_char,
}

// ── Records that are read in place ──

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_scroll_view {
    pub content_offset: header_point,
    pub content_size: header_size,
    pub content_inset: header_insets,
    pub scroll_indicator_insets: header_insets,
    pub frame: header_rect,
    pub viewport: header_size,
    pub adjusted_content_inset: header_insets,
    pub correction: header_point,
    pub refresh_control_height: f64,
    pub bounds_animation_duration: f64,
    pub kind: u8,
    pub content_inset_adjustment: u8,
    pub clamping: u8,
    pub is_tracking: bool,
    pub is_dragging: bool,
    pub is_decelerating: bool,
    pub is_animating: bool,
    pub paging_enabled: bool,
    pub has_refresh_control: bool,
    pub refresh_control_hidden: bool,
    pub is_refreshing: bool,
    pub forwards_events: bool,
    pub decides_indicator_insets: bool,
    pub decides_frame: bool,
    pub decides_content_size: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_environment {
    pub safe_area_inset: header_insets,
    pub view_origin: header_point,
    pub status_bar_height: f64,
    pub screen_scale: f64,
    pub clock_second_of_minute: f64,
    pub status_bar_hidden: bool,
    pub status_bar_follows_header: bool,
    pub device_has_hardware_safe_area: bool,
    pub visible: bool,
    pub presented: bool,
    pub key_window: bool,
    pub voice_over_running: bool,
    pub reduce_motion: bool,
    pub app_extension: bool,
    // From here on: since 1.2.
    pub full_keyboard_access: bool,
    pub always_shown: bool,
    pub limits_motion: bool,
    pub keyboard_height: f64,
}

pub const HEADER_FADE_NONE: u8 = 0;
pub const HEADER_FADE_ELEMENTS: u8 = 1;
pub const HEADER_FADE_DRAWER: u8 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_drawer {
    pub center: header_point,
    pub size: header_size,
    pub translation: header_point,
    pub minimum_height: f64,
    pub maximum_height: f64,
    pub alpha: f32,
    pub fade: u8,
    pub first_element: i32,
    pub element_count: i32,
    pub is_hidden: bool,
    pub is_sticky: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_element {
    pub center: header_point,
    pub bounds: header_rect,
    pub transform: header_transform,
    pub z_index: f64,
    pub corner_radius: f64,
    pub alpha: f32,
    pub drawer: i32,
    pub is_hidden: bool,
    pub is_changed: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_chain {
    pub origin: f64,
    pub tail: i32,
    pub contracts_first: u8,
    pub expands_first: u8,
    pub writes_tail_insets: bool,
    pub hides_passed_drawers: bool,
}

/// Where the header's records lie; kept up to date by the host.
#[repr(C)]
pub struct header_records {
    pub struct_size: u32,
    pub tracking_scroll_view: i32,
    pub time: i64,
    pub drawer_count: u32,
    pub element_count: u32,
    pub scroll_view_count: u32,
    pub drawers: *const header_drawer,
    pub elements: *const header_element,
    pub scroll_views: *const header_scroll_view,
    pub environment: *const header_environment,
}

// ── Events ──

pub const HEADER_WILL_BEGIN_DRAGGING: u8 = 0;
pub const HEADER_DID_SCROLL: u8 = 1;
pub const HEADER_WILL_END_DRAGGING: u8 = 2;
pub const HEADER_DID_END_DRAGGING: u8 = 3;
pub const HEADER_WILL_BEGIN_DECELERATING: u8 = 4;
pub const HEADER_DID_END_DECELERATING: u8 = 5;
pub const HEADER_DID_END_SCROLLING_ANIMATION: u8 = 6;
pub const HEADER_SHOULD_SCROLL_TO_TOP: u8 = 7;
pub const HEADER_DID_SCROLL_TO_TOP: u8 = 8;
pub const HEADER_DID_CHANGE_ADJUSTED_CONTENT_INSET: u8 = 9;
pub const HEADER_WILL_SCROLL: u8 = 10;
pub const HEADER_DID_OVERSCROLL: u8 = 11;
pub const HEADER_WILL_FLING: u8 = 12;
pub const HEADER_LAYOUT: u8 = 13;
pub const HEADER_WILL_APPEAR: u8 = 14;
pub const HEADER_DID_APPEAR: u8 = 15;
pub const HEADER_WILL_DISAPPEAR: u8 = 16;
pub const HEADER_DID_DISAPPEAR: u8 = 17;
pub const HEADER_DID_BECOME_ACTIVE: u8 = 18;
pub const HEADER_WILL_TRANSITION: u8 = 19;
pub const HEADER_TRANSITION: u8 = 20;
pub const HEADER_DID_TRANSITION: u8 = 21;
pub const HEADER_WILL_CHANGE_TRACKING_SCROLL_VIEW: u8 = 22;
pub const HEADER_SET_TRACKING_SCROLL_VIEW: u8 = 23;

/// The bit of a kind in a set of kinds (HEADER_EVENT).
pub const fn header_event_bit(kind: u8) -> u64 {
    1 << kind
}

/// Some of header_layout_key; the others follow the same way.
pub const HEADER_LAYOUT_DRAWERS: u64 = 1 << 15;
pub const HEADER_LAYOUT_STRUCTURE: u64 = 1 << 29;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_event {
    pub kind: u8,
    pub scroll_view: i32,
    pub depth: i32,
    pub new_scroll_view: i32,
    pub time: i64,
    pub velocity: header_point,
    pub target_offset: header_point,
    pub delta: header_point,
    pub size: header_size,
    pub given: u64,
    pub changed: u64,
    pub source: u8,
    pub will_decelerate: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_answer {
    pub target_offset: header_point,
    pub consumed: header_point,
    pub returned: bool,
    pub has_target_offset: bool,
    pub has_consumed: bool,
    pub has_returned: bool,
    pub ends: bool,
}

// ── The host ──

/// One instance's place in one header; never looked into.
#[repr(C)]
pub struct header_context {
    hidden: [u8; 0],
}

type Context = *mut header_context;
type View = u32;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_animation {
    pub struct_size: u32,
    pub curve: u8,
    pub has_completion: bool,
    pub token: u64,
    pub duration: f64,
    pub delay: f64,
    pub mass: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub initial_velocity: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct header_wants {
    pub struct_size: u32,
    pub prefers_status_bar_hidden: bool,
    pub preferred_status_bar_style: u8,
    pub has_additional_safe_area_inset: bool,
    pub has_top_layout_guide_length: bool,
    pub additional_safe_area_inset: header_insets,
    pub top_layout_guide_length: f64,
}

#[repr(C)]
pub struct header_host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,

    pub get_extension: unsafe extern "C" fn(*const c_char) -> *const c_void,

    pub drawer_count: unsafe extern "C" fn(Context) -> u32,
    pub element_count: unsafe extern "C" fn(Context) -> u32,
    pub scroll_view_count: unsafe extern "C" fn(Context) -> u32,
    pub drawer: unsafe extern "C" fn(Context, u32) -> *const header_drawer,
    pub element: unsafe extern "C" fn(Context, u32) -> *const header_element,
    pub scroll_view: unsafe extern "C" fn(Context, View) -> *const header_scroll_view,
    pub environment: unsafe extern "C" fn(Context) -> *const header_environment,
    pub drawer_name: unsafe extern "C" fn(Context, u32) -> *const c_char,
    pub element_name: unsafe extern "C" fn(Context, u32) -> *const c_char,
    pub scroll_view_name: unsafe extern "C" fn(Context, View) -> *const c_char,
    pub hosting: unsafe extern "C" fn(Context) -> *const header_value,
    pub tracking_scroll_view: unsafe extern "C" fn(Context) -> i32,
    pub time: unsafe extern "C" fn(Context) -> i64,

    pub set_content_offset: unsafe extern "C" fn(Context, View, header_point) -> i32,
    pub move_silently: unsafe extern "C" fn(Context, View, header_point) -> i32,
    pub set_content_inset: unsafe extern "C" fn(Context, View, header_insets) -> i32,
    pub set_scroll_indicator_insets: unsafe extern "C" fn(Context, View, header_insets) -> i32,
    pub set_scroll_view_frame: unsafe extern "C" fn(Context, View, header_rect) -> i32,
    pub set_content_size: unsafe extern "C" fn(Context, View, header_size) -> i32,

    pub claim_drawer: unsafe extern "C" fn(Context, u32) -> i32,
    pub set_chain: unsafe extern "C" fn(Context, *const header_chain) -> i32,
    pub get_chain: unsafe extern "C" fn(Context, *mut header_chain) -> i32,
    pub follow_tail: unsafe extern "C" fn(Context, *mut f64) -> i32,
    pub set_drawer_frame: unsafe extern "C" fn(Context, u32, header_rect) -> i32,
    pub set_drawer_center: unsafe extern "C" fn(Context, u32, header_point, header_size) -> i32,
    pub move_drawer: unsafe extern "C" fn(Context, u32, header_point) -> i32,
    pub move_chain: unsafe extern "C" fn(Context, u32, f64, *mut f64) -> i32,
    pub expand: unsafe extern "C" fn(Context, u32) -> i32,
    pub contract: unsafe extern "C" fn(Context, u32) -> i32,
    pub expanded_center: unsafe extern "C" fn(Context, u32) -> header_point,
    pub contracted_center: unsafe extern "C" fn(Context, u32) -> header_point,
    pub set_drawer_sticky: unsafe extern "C" fn(Context, u32, bool) -> i32,
    pub set_drawer_fade: unsafe extern "C" fn(Context, u32, u8) -> i32,
    pub set_drawer_alpha: unsafe extern "C" fn(Context, u32, f64) -> i32,
    pub set_drawer_hidden: unsafe extern "C" fn(Context, u32, bool) -> i32,
    pub set_drawer_translation: unsafe extern "C" fn(Context, u32, header_point) -> i32,
    pub set_drawer_heights: unsafe extern "C" fn(Context, u32, f64, f64) -> i32,

    pub set_element: unsafe extern "C" fn(Context, u32, *const header_element) -> i32,
    pub set_value: unsafe extern "C" fn(Context, u32, *const header_value) -> i32,
    pub get_wants: unsafe extern "C" fn(Context, *mut header_wants) -> i32,
    pub set_wants: unsafe extern "C" fn(Context, *const header_wants) -> i32,

    pub post: unsafe extern "C" fn(Context, u32, *const header_value, bool) -> i32,
    pub command: unsafe extern "C" fn(Context, View, *const c_char, *const header_value) -> i32,

    pub animate: unsafe extern "C" fn(Context, *const header_animation) -> i32,
    pub start_frames: unsafe extern "C" fn(Context) -> i32,
    pub stop_frames: unsafe extern "C" fn(Context) -> i32,
    pub frames_are_active: unsafe extern "C" fn(Context) -> bool,
    pub start_timer: unsafe extern "C" fn(Context, u64, f64) -> i32,
    pub cancel_timer: unsafe extern "C" fn(Context, u64) -> i32,
    pub mark_layout: unsafe extern "C" fn(Context) -> i32,
    pub after_event: unsafe extern "C" fn(Context, u64) -> i32,

    pub explain: unsafe extern "C" fn(Context, *const c_char),

    pub get_value: unsafe extern "C" fn(Context, *const c_char, *mut header_value) -> i32,
    pub follow_changes: unsafe extern "C" fn(Context) -> i32,
    pub claim_element: unsafe extern "C" fn(Context, u32) -> i32,
    pub drawer_is_free: unsafe extern "C" fn(Context, u32) -> bool,
    pub element_is_free: unsafe extern "C" fn(Context, u32) -> bool,
    pub records: unsafe extern "C" fn(Context) -> *const header_records,

    /// Not there on hosts of ABI 1.0: call it only if `struct_size` reaches past it.
    pub log: unsafe extern "C" fn(Context, u8, *const c_char),
}

// ── What a behavior says about itself ──

pub const HEADER_TYPE_NUMBER: u8 = 0;
pub const HEADER_TYPE_INTEGER: u8 = 1;
pub const HEADER_TYPE_BOOL: u8 = 2;
pub const HEADER_TYPE_TEXT: u8 = 3;
pub const HEADER_TYPE_CASE: u8 = 4;
pub const HEADER_TYPE_COLOR: u8 = 5;
pub const HEADER_TYPE_POINT: u8 = 6;
pub const HEADER_TYPE_SIZE: u8 = 7;
pub const HEADER_TYPE_RECT: u8 = 8;
pub const HEADER_TYPE_INSETS: u8 = 9;
pub const HEADER_TYPE_TRANSFORM: u8 = 10;
pub const HEADER_TYPE_RECORD: u8 = 11;

#[repr(C)]
pub struct header_option {
    pub struct_size: u32,
    pub name: *const c_char,
    pub r#type: u8,
    pub is_list: bool,
    pub is_nullable: bool,
    pub unit: *const c_char,
    pub default_value: header_value,
    pub has_minimum: bool,
    pub has_maximum: bool,
    pub minimum: f64,
    pub maximum: f64,
    pub cases: *const *const c_char,
    pub case_count: u32,
    pub meaning: *const c_char,
}

#[repr(C)]
pub struct header_value_description {
    pub struct_size: u32,
    pub name: *const c_char,
    pub r#type: u8,
    pub unit: *const c_char,
    pub initial: header_value,
    pub meaning: *const c_char,
    pub cases: *const *const c_char,
    pub case_count: u32,
}

#[repr(C)]
pub struct header_call_description {
    pub struct_size: u32,
    pub name: *const c_char,
    pub arguments: *const header_option,
    pub argument_count: u32,
    pub meaning: *const c_char,
}

#[repr(C)]
pub struct header_saved {
    pub struct_size: u32,
    pub version: u32,
    pub state: *const header_value,
}

type Instance = *mut c_void;

#[repr(C)]
pub struct header_behavior {
    pub struct_size: u32,
    pub name: *const c_char,
    pub summary: *const c_char,
    pub moves: bool,
    pub events: u64,
    pub options: *const header_option,
    pub option_count: u32,
    pub values: *const header_value_description,
    pub value_count: u32,
    pub calls: *const header_call_description,
    pub call_count: u32,
    pub notices: *const *const c_char,
    pub notice_count: u32,
    pub saved_version: u32,
    pub user_data: *mut c_void,

    pub create: Option<unsafe extern "C" fn(*const header_host, Context, *mut c_void) -> Instance>,
    pub destroy: Option<unsafe extern "C" fn(Instance)>,
    pub set_option: Option<unsafe extern "C" fn(Instance, u32, *const header_value) -> i32>,
    pub responds: Option<unsafe extern "C" fn(Instance) -> u64>,
    pub attach: Option<unsafe extern "C" fn(Instance) -> i32>,
    pub detach: Option<unsafe extern "C" fn(Instance)>,
    pub receive: Option<unsafe extern "C" fn(Instance, *const header_event, *mut header_answer) -> i32>,
    pub call: Option<unsafe extern "C" fn(Instance, u32, *const header_value, *mut header_value) -> i32>,
    pub layout: Option<unsafe extern "C" fn(Instance) -> i32>,
    pub frame: Option<unsafe extern "C" fn(Instance, f64) -> i32>,
    pub timer: Option<unsafe extern "C" fn(Instance, u64) -> i32>,
    pub completion: Option<unsafe extern "C" fn(Instance, u64) -> i32>,
    pub after_event: Option<unsafe extern "C" fn(Instance, u64) -> i32>,
    pub save: Option<unsafe extern "C" fn(Instance, *mut header_saved) -> i32>,
    pub restore: Option<unsafe extern "C" fn(Instance, *const header_saved) -> i32>,
    pub get_extension: Option<unsafe extern "C" fn(Instance, *const c_char) -> *const c_void>,
}

pub const HEADER_BEHAVIOR_FACTORY: &[u8] = b"header.behavior/1";

#[repr(C)]
pub struct header_behavior_factory {
    pub struct_size: u32,
    pub count: u32,
    pub behaviors: *const *const header_behavior,
}

// ── The plugin ──

#[repr(C)]
pub struct header_plugin {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub name: *const c_char,
    pub version: *const c_char,
    pub summary: *const c_char,
    pub get_factory: Option<unsafe extern "C" fn(*const c_char) -> *const c_void>,
}

// ── Tables are constants ──

/// A table, or a list of tables, that lies in the library for good and is never written, so that pointers to it may be
/// handed out on any thread. `Constant(table)` in a `static` is all that a plugin says about that.
#[repr(transparent)]
pub struct Constant<T>(pub T);
unsafe impl<T> Sync for Constant<T> {}

/// A text with its NUL, as the contract wants texts: `text(b"flingVelocity\0")`.
pub const fn text(bytes: &'static [u8]) -> *const c_char {
    assert!(bytes[bytes.len() - 1] == 0, "a text ends with \\0");
    bytes.as_ptr() as *const c_char
}

/// The size of a struct, as its field struct_size has it.
pub const fn size_of<T>() -> u32 {
    std::mem::size_of::<T>() as u32
}

impl header_value {
    pub const NULL: header_value = header_value {
        r#type: HEADER_NULL,
        boolean: false,
        count: 0,
        number: 0.0,
        text: std::ptr::null(),
        items: std::ptr::null(),
        names: std::ptr::null(),
    };

    pub const fn number(number: f64) -> header_value {
        header_value { r#type: HEADER_NUMBER, number, ..header_value::NULL }
    }

    pub const fn boolean(boolean: bool) -> header_value {
        header_value { r#type: HEADER_BOOL, boolean, ..header_value::NULL }
    }

    /// A text that outlives the value.
    pub const fn text(bytes: &'static [u8]) -> header_value {
        header_value { r#type: HEADER_TEXT, count: bytes.len() as u32 - 1, text: text(bytes), ..header_value::NULL }
    }
}
