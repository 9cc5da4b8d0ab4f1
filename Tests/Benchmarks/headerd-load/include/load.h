/* SPDX-License-Identifier: MIT
 *
 * headerd-load: what the load generator and its tongues share. */
#ifndef LOAD_H
#define LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked of a run. */
typedef struct {
  const char *speaks, *socket;
  int port;           /* TCP on this machine instead of a socket */
  int server;         /* its process */
  int headers;        /* open ones; the first `streams` of them are busy */
  int streams;
  int fanout;         /* subscribers of a stream */
  int publishers;     /* connections that send; 0: one a stream */
  double rate;        /* events a second and stream; 0: as fast as the window lets */
  double burst;       /* so many seconds, below one, are events held up before anything counts */
  int window;         /* events under way of a stream */
  double warm, seconds;
  int drawers, listeners; /* of a header, beside ShyNavBar */
  int payload;        /* bytes that a broker is given in a state's place */
  int stopped;        /* subscribers that do not read during the measured time */
  int storm;          /* connections that somebody else tries to make meanwhile, one after the other, all to be refused */
  int fields;         /* 1: subscriptions of headerd take the drawers of a state alone */
} load_plan;

/* What one connection reads: whole messages are counted, the rest of a piece is kept. */
typedef struct {
  char *kept;
  size_t size, room;
} load_tail;

/* How one kind of server is spoken to. `events` never blocks; the others are the cold part and may. */
typedef struct {
  const char *name;
  /* Opens header `index`, or whatever the server needs of a publisher. */
  void (*open)(int fd, const load_plan *plan, int index);
  /* Subscribes to header `index` and reads until the first state may come. */
  void (*subscribe)(int fd, const load_plan *plan, int index);
  /* Says who we are; both kinds of connections. */
  void (*greet)(int fd);
  /* Writes event number `count` (from 0) of a stream, which happens at `time` nanoseconds; returns its bytes. */
  size_t (*event)(char *out, const load_plan *plan, int index, uint64_t count, int64_t time);
  /* How many whole states lie in these bytes; what is left over goes into the tail. */
  size_t (*states)(load_tail *tail, const char *bytes, size_t size);
} load_tongue;

/* The most bytes of an event. */
enum { LOAD_EVENT_MAX = 8192 };

const load_tongue *load_tongue_named(const char *name);

void load_fail(const char *what) __attribute__((noreturn));
void load_send(int fd, const void *bytes, size_t size);
/* Reads until the answer's end is there; returns all bytes in a static buffer, ended by NUL. */
const char *load_read_until(int fd, const char *text, size_t size);
void load_read_exactly(int fd, void *bytes, size_t size);

#endif
