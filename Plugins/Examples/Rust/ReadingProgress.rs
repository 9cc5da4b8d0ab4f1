// SPDX-License-Identifier: MIT
//
// ReadingProgress: how much of the content was read, as a value for renderers and as a line that grows in the header.
//
//     ┌ header ────────────────┐
//     │ title                  │   readingProgress = 0.4
//     │▔▔▔▔▔▔▔▔▔▔              │ ◀ an element (option `element`), 0.4 times as wide as its drawer
//     └────────────────────────┘   notice didReachEnd, once each time that the end comes into sight
//
// It moves no drawers, so it works beside any behavior that does. A whole plugin in one file over header_plugin.rs, which
// is header_plugin.h in Rust; no crates. Read it from the bottom up: the entry gives the plugin's table, and so on.
//
//     rustc --edition 2021 --crate-type cdylib -C panic=abort -O ReadingProgress.rs -o libReadingProgress.so
//
// A panic must not unwind into the host, hence panic=abort; better, nothing here panics.

#[path = "header_plugin.rs"]
mod contract;

use contract::*;
use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_void};

// ── One instance, in one header ──

struct ReadingProgress {
    host: &'static header_host,
    context: *mut header_context,
    /// Option: points before the end at which the content counts as read.
    end_margin: f64,
    /// Option: the element that shows the progress.
    element: CString,
    /// The end is in sight.
    reached_end: bool,
    /// What `save` lent; valid until the next call.
    saved: header_value,
}

const OPTION_END_MARGIN: u32 = 0;
const OPTION_ELEMENT: u32 = 1;
const VALUE_READING_PROGRESS: u32 = 0;
const NOTICE_DID_REACH_END: u32 = 0;

/// What a host function said: to go on, or to return it as it is.
type Step = Result<(), i32>;

fn step(result: i32) -> Step {
    if result == HEADER_OK { Ok(()) } else { Err(result) }
}

fn result(step: Step) -> i32 {
    step.err().unwrap_or(HEADER_OK)
}

impl ReadingProgress {
    /// The element that shows the progress, if the header has it.
    fn line(&self) -> Option<u32> {
        let count = unsafe { (self.host.element_count)(self.context) };
        (0..count).find(|&element| {
            let name = unsafe { (self.host.element_name)(self.context, element) };
            !name.is_null() && unsafe { CStr::from_ptr(name) } == self.element.as_c_str()
        })
    }

    /// Only this behavior may set the line from now on.
    fn claim(&self) -> Step {
        match self.line() {
            Some(element) => step(unsafe { (self.host.claim_element)(self.context, element) }),
            None => Ok(()),
        }
    }

    /// How much of the tracking scroll view's content was read: 0 at its top, 1 from `end_margin` before its end on.
    fn progress(&self) -> f64 {
        let view = unsafe { (self.host.tracking_scroll_view)(self.context) };
        if view < 0 {
            return 0.0;
        }
        let view = match unsafe { (self.host.scroll_view)(self.context, view as u32).as_ref() } {
            Some(view) if view.content_size.height > 0.0 => view,
            _ => return 0.0,
        };
        let insets = view.adjusted_content_inset;
        let way = view.content_size.height + insets.top + insets.bottom - view.viewport.height - self.end_margin;
        if way <= 0.0 {
            return 1.0; // all of it is in sight
        }
        ((view.content_offset.y + insets.top) / way).max(0.0).min(1.0)
    }

    /// Tells the progress: the value, the line, the notice.
    fn tell(&mut self) -> Step {
        let progress = self.progress();
        let value = header_value::number(progress);
        step(unsafe { (self.host.set_value)(self.context, VALUE_READING_PROGRESS, &value) })?;
        self.draw(progress)?;
        let reached_end = progress >= 1.0;
        if reached_end && !self.reached_end {
            step(unsafe { (self.host.post)(self.context, NOTICE_DID_REACH_END, std::ptr::null(), false) })?;
        }
        self.reached_end = reached_end;
        Ok(())
    }

    /// Makes the line as long as the progress, from the left edge of its drawer.
    fn draw(&self, progress: f64) -> Step {
        let number = match self.line() {
            Some(number) => number,
            None => return Ok(()),
        };
        // Records are read in place and never written: the change is made in a copy and given back.
        let mut look = match unsafe { (self.host.element)(self.context, number).as_ref() } {
            Some(element) => *element,
            None => return Ok(()),
        };
        let drawer = match unsafe { (self.host.drawer)(self.context, look.drawer as u32).as_ref() } {
            Some(drawer) => drawer,
            None => return Ok(()),
        };
        look.bounds.size.width = drawer.size.width * progress;
        look.center.x = look.bounds.size.width / 2.0;
        step(unsafe { (self.host.set_element)(self.context, number, &look) })
    }
}

// ── What the host calls ──

/// The instance behind a pointer that `create` gave. The host calls one at a time, so nobody else has it.
unsafe fn instance<'a>(pointer: *mut c_void) -> &'a mut ReadingProgress {
    &mut *(pointer as *mut ReadingProgress)
}

unsafe extern "C" fn create(host: *const header_host, context: *mut header_context, _: *mut c_void) -> *mut c_void {
    // The table and the context stay valid until destroy, which is as long as the instance.
    let host: &'static header_host = match host.as_ref() {
        Some(host) => host,
        None => return std::ptr::null_mut(),
    };
    Box::into_raw(Box::new(ReadingProgress {
        host,
        context,
        end_margin: 0.0,
        element: CString::new("progressLine").unwrap_or_default(),
        reached_end: false,
        saved: header_value::NULL,
    })) as *mut c_void
}

unsafe extern "C" fn destroy(pointer: *mut c_void) {
    drop(Box::from_raw(pointer as *mut ReadingProgress));
}

unsafe extern "C" fn set_option(pointer: *mut c_void, option: u32, value: *const header_value) -> i32 {
    let this = instance(pointer);
    match option {
        // In range and of the right type: the host has checked it against the description.
        OPTION_END_MARGIN => this.end_margin = (*value).number,
        OPTION_ELEMENT => this.element = CStr::from_ptr((*value).text).to_owned(),
        _ => return HEADER_REFUSED,
    }
    HEADER_OK
}

unsafe extern "C" fn attach(pointer: *mut c_void) -> i32 {
    let this = instance(pointer);
    result(this.claim().and_then(|_| this.tell()))
}

unsafe extern "C" fn receive(pointer: *mut c_void, event: *const header_event, _: *mut header_answer) -> i32 {
    let this = instance(pointer);
    let structure = (*event).kind == HEADER_LAYOUT && (*event).given & HEADER_LAYOUT_STRUCTURE != 0;
    let claimed = if structure { this.claim() } else { Ok(()) };
    result(claimed.and_then(|_| this.tell()))
}

unsafe extern "C" fn save(pointer: *mut c_void, saved: *mut header_saved) -> i32 {
    let this = instance(pointer);
    this.saved = header_value::boolean(this.reached_end);
    (*saved).version = 1;
    (*saved).state = &this.saved;
    HEADER_OK
}

unsafe extern "C" fn restore(pointer: *mut c_void, saved: *const header_saved) -> i32 {
    let this = instance(pointer);
    if (*saved).version != 1 {
        return HEADER_REFUSED;
    }
    this.reached_end = (*(*saved).state).boolean;
    result(this.claim())
}

// ── The description ──

static OPTIONS: Constant<[header_option; 2]> = Constant([
    header_option {
        struct_size: size_of::<header_option>(),
        name: text(b"endMargin\0"),
        r#type: HEADER_TYPE_NUMBER,
        is_list: false,
        is_nullable: false,
        unit: text(b"points\0"),
        default_value: header_value::number(0.0),
        has_minimum: true,
        has_maximum: true,
        minimum: 0.0,
        maximum: 10000.0,
        cases: std::ptr::null(),
        case_count: 0,
        meaning: text(b"How long before its end the content counts as read.\0"),
    },
    header_option {
        struct_size: size_of::<header_option>(),
        name: text(b"element\0"),
        r#type: HEADER_TYPE_TEXT,
        is_list: false,
        is_nullable: false,
        unit: std::ptr::null(),
        default_value: header_value::text(b"progressLine\0"),
        has_minimum: false,
        has_maximum: false,
        minimum: 0.0,
        maximum: 0.0,
        cases: std::ptr::null(),
        case_count: 0,
        meaning: text(b"The element that grows with the progress; a header without it has the value alone.\0"),
    },
]);

static VALUES: Constant<[header_value_description; 1]> = Constant([header_value_description {
    struct_size: size_of::<header_value_description>(),
    name: text(b"readingProgress\0"),
    r#type: HEADER_TYPE_NUMBER,
    unit: std::ptr::null(),
    initial: header_value::number(0.0),
    meaning: text(b"How much of the content was read: 0 at its top, 1 at its end.\0"),
    cases: std::ptr::null(),
    case_count: 0,
}]);

static NOTICES: Constant<[*const c_char; 1]> = Constant([text(b"didReachEnd\0")]);

static BEHAVIOR: Constant<header_behavior> = Constant(header_behavior {
    struct_size: size_of::<header_behavior>(),
    name: text(b"ReadingProgress\0"),
    summary: text(b"Tells and shows how much of the content was read.\0"),
    moves: false,
    events: header_event_bit(HEADER_DID_SCROLL) | header_event_bit(HEADER_LAYOUT),
    options: OPTIONS.0.as_ptr(),
    option_count: 2,
    values: VALUES.0.as_ptr(),
    value_count: 1,
    calls: std::ptr::null(),
    call_count: 0,
    notices: NOTICES.0.as_ptr(),
    notice_count: 1,
    saved_version: 1,
    user_data: std::ptr::null_mut(),
    create: Some(create),
    destroy: Some(destroy),
    set_option: Some(set_option),
    responds: None,
    attach: Some(attach),
    detach: None,
    receive: Some(receive),
    call: None,
    layout: None,
    frame: None,
    timer: None,
    completion: None,
    after_event: None,
    save: Some(save),
    restore: Some(restore),
    get_extension: None,
});

static BEHAVIORS: Constant<[*const header_behavior; 1]> = Constant([&BEHAVIOR.0]);

static FACTORY: Constant<header_behavior_factory> = Constant(header_behavior_factory {
    struct_size: size_of::<header_behavior_factory>(),
    count: 1,
    behaviors: BEHAVIORS.0.as_ptr(),
});

unsafe extern "C" fn get_factory(id: *const c_char) -> *const c_void {
    if CStr::from_ptr(id).to_bytes() == HEADER_BEHAVIOR_FACTORY {
        &FACTORY.0 as *const header_behavior_factory as *const c_void
    } else {
        std::ptr::null()
    }
}

static PLUGIN: Constant<header_plugin> = Constant(header_plugin {
    struct_size: size_of::<header_plugin>(),
    abi_major: HEADER_ABI_MAJOR,
    abi_minor: HEADER_ABI_MINOR,
    name: text(b"ReadingProgress\0"),
    version: text(b"0.1.0\0"),
    summary: text(b"An example of a plugin in Rust.\0"),
    get_factory: Some(get_factory),
});

#[no_mangle]
pub extern "C" fn header_plugin_entry(host_abi_major: u16, _host_abi_minor: u16) -> *const header_plugin {
    if host_abi_major == HEADER_ABI_MAJOR { &PLUGIN.0 } else { std::ptr::null() }
}
