// Skeleton: the header moves with the content, `speed` times as far. Read it from the bottom up: the entry gives the
// plugin's table, that its factory, that the behavior with its description and its functions.

#[path = "header_plugin.rs"]
mod contract;

use contract::*;
use std::ffi::CStr;
use std::os::raw::{c_char, c_void};

/// One instance, in one header.
struct Instance {
    host: &'static header_host,
    context: *mut header_context,
    /// An option: points that the header moves for each point of the content.
    speed: f64,
    /// The offset of the content that the header has followed so far.
    last_offset: f64,
    /// What `save` lends.
    saved: header_value,
}

const OPTION_SPEED: u32 = 0;

impl Instance {
    fn take_drawers(&self) -> i32 {
        let count = unsafe { (self.host.drawer_count)(self.context) };
        if count == 0 {
            unsafe { (self.host.explain)(self.context, text(b"it needs a drawer\0")) };
            return HEADER_REFUSED;
        }
        (0..count)
            .map(|drawer| unsafe { (self.host.claim_drawer)(self.context, drawer) })
            .find(|&result| result != HEADER_OK)
            .unwrap_or(HEADER_OK)
    }

    /// How far a scroll view's content is scrolled, if there is that scroll view.
    fn offset(&self, view: i32) -> Option<f64> {
        let view = if view < 0 { return None } else { view as u32 };
        unsafe { (self.host.scroll_view)(self.context, view).as_ref() }.map(|view| view.content_offset.y)
    }

    /// The content moved: minus contracts the header. A drawer never goes further than its own height.
    fn did_scroll(&mut self, view: i32) -> i32 {
        let offset = match self.offset(view) {
            Some(offset) => offset,
            None => return HEADER_OK,
        };
        let distance = (self.last_offset - offset) * self.speed;
        self.last_offset = offset;
        let mut residual = 0.0;
        unsafe { (self.host.move_chain)(self.context, 0, distance, &mut residual) }
    }
}

/// The instance behind a pointer that `create` gave. The host calls one at a time, so nobody else has it.
unsafe fn instance<'a>(pointer: *mut c_void) -> &'a mut Instance {
    &mut *(pointer as *mut Instance)
}

unsafe extern "C" fn create(host: *const header_host, context: *mut header_context, _: *mut c_void) -> *mut c_void {
    let host: &'static header_host = match host.as_ref() {
        Some(host) => host, // valid until destroy, which is as long as the instance
        None => return std::ptr::null_mut(),
    };
    let instance = Instance { host, context, speed: 1.0, last_offset: 0.0, saved: header_value::NULL };
    Box::into_raw(Box::new(instance)) as *mut c_void
}

unsafe extern "C" fn destroy(pointer: *mut c_void) {
    drop(Box::from_raw(pointer as *mut Instance));
}

/// The value has passed its description below.
unsafe extern "C" fn set_option(pointer: *mut c_void, option: u32, value: *const header_value) -> i32 {
    if option != OPTION_SPEED {
        return HEADER_REFUSED;
    }
    instance(pointer).speed = (*value).number;
    HEADER_OK
}

/// The header is made: the drawers become ours, and start expanded.
unsafe extern "C" fn attach(pointer: *mut c_void) -> i32 {
    let this = instance(pointer);
    let result = this.take_drawers();
    if result != HEADER_OK {
        return result;
    }
    this.last_offset = this.offset((this.host.tracking_scroll_view)(this.context)).unwrap_or(0.0);
    (this.host.expand)(this.context, 0)
}

unsafe extern "C" fn receive(pointer: *mut c_void, event: *const header_event, _: *mut header_answer) -> i32 {
    let (this, event) = (instance(pointer), &*event);
    match event.kind {
        HEADER_DID_SCROLL => this.did_scroll(event.scroll_view),
        HEADER_LAYOUT if event.given & HEADER_LAYOUT_STRUCTURE != 0 => this.take_drawers(),
        _ => HEADER_OK,
    }
}

/// A reload hands over what the options and the header itself do not tell.
unsafe extern "C" fn save(pointer: *mut c_void, saved: *mut header_saved) -> i32 {
    let this = instance(pointer);
    this.saved = header_value::number(this.last_offset);
    (*saved).version = 1;
    (*saved).state = &this.saved;
    HEADER_OK
}

unsafe extern "C" fn restore(pointer: *mut c_void, saved: *const header_saved) -> i32 {
    let this = instance(pointer);
    // Raise saved_version when what is saved changes.
    if (*saved).version != 1 {
        return HEADER_REFUSED;
    }
    this.last_offset = (*(*saved).state).number;
    this.take_drawers()
}

// What the behavior says about itself; the host checks options against it, `headerctl plugin info` prints it.

static OPTIONS: Constant<[header_option; 1]> = Constant([header_option {
    struct_size: size_of::<header_option>(),
    name: text(b"speed\0"),
    r#type: HEADER_TYPE_NUMBER,
    is_list: false,
    is_nullable: false,
    unit: std::ptr::null(),
    default_value: header_value::number(1.0),
    has_minimum: true,
    has_maximum: true,
    minimum: 0.0,
    maximum: 10.0,
    cases: std::ptr::null(),
    case_count: 0,
    meaning: text(b"Points that the header moves for each point of the content.\0"),
}]);

static BEHAVIOR: Constant<header_behavior> = Constant(header_behavior {
    struct_size: size_of::<header_behavior>(),
    name: text(b"Skeleton\0"),
    summary: text(b"Moves with the content\0"),
    moves: true,
    events: header_event_bit(HEADER_DID_SCROLL) | header_event_bit(HEADER_LAYOUT),
    options: OPTIONS.0.as_ptr(),
    option_count: 1,
    values: std::ptr::null(),
    value_count: 0,
    calls: std::ptr::null(),
    call_count: 0,
    notices: std::ptr::null(),
    notice_count: 0,
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
    if CStr::from_ptr(id).to_bytes() != HEADER_BEHAVIOR_FACTORY {
        return std::ptr::null();
    }
    &FACTORY.0 as *const header_behavior_factory as *const c_void
}

static PLUGIN: Constant<header_plugin> = Constant(header_plugin {
    struct_size: size_of::<header_plugin>(),
    abi_major: HEADER_ABI_MAJOR,
    abi_minor: HEADER_ABI_MINOR,
    name: text(b"Skeleton\0"),
    version: text(b"0.1.0\0"),
    summary: text(b"Moves with the content\0"),
    get_factory: Some(get_factory),
});

/// The one symbol that headerd looks up.
#[no_mangle]
pub extern "C" fn header_plugin_entry(host_abi_major: u16, _host_abi_minor: u16) -> *const header_plugin {
    if host_abi_major == HEADER_ABI_MAJOR {
        &PLUGIN.0
    } else {
        std::ptr::null()
    }
}
