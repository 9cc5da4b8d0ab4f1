/* SPDX-License-Identifier: MIT
 * libwebsockets, and those of its macros that Swift does not see. */
#ifndef HEADERD_CWEBSOCKETS_SHIM_H
#define HEADERD_CWEBSOCKETS_SHIM_H
#include <libwebsockets.h>

/* Bytes that lws_write wants before those that it writes. */
static const int web_head_size = LWS_PRE;

/* No socket of its own: connections are accepted elsewhere and adopted. */
static const int web_no_listener = CONTEXT_PORT_NO_LISTEN_SERVER;

/* LWS_WRITE_CLOSE, which the library's own header leaves out: the frame that closes a WebSocket. */
static const enum lws_write_protocol web_write_close = (enum lws_write_protocol)4;

/* A connection that is closed at the next turn of the loop. */
static inline void web_kill(struct lws *wsi) { lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC); }

/* A connection that is closed after some seconds, unless it ends before. */
static inline void web_kill_after(struct lws *wsi, int seconds) {
  lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, seconds);
}

static const uint64_t web_uv = LWS_SERVER_OPTION_LIBUV;
static const uint64_t web_tls = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
static const uint64_t web_explicit_vhosts = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
#endif
