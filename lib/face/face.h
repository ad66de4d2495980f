/* The objects of mcpl-tools.h, which are private. */
#pragma once

#define MCPLT_API __attribute__((visibility("default")))
#include "face/mcpl-tools.h"

#include <locale.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/str.h"
#include "extract/map/formats.h"
#include "json/json.h"

struct mcplt {
	struct mcplt_options options;
	struct map_formats formats;
	locale_t locale; /* "C", in which numbers are read and written */
};

/* Each other object begins with a struct face. */
struct face {
	struct mcplt *of;
	bool dead;        /* after MCPLT_SYSTEM */
	locale_t outside; /* the thread's, for the caller's functions */
};

/* Calls work(arg), whose messages go to the caller's function. Returns OK, MISTAKE if
 * there was an error among the messages, MISUSE if the object is NULL or dead, and SYSTEM if
 * memory ended, after which the object is dead. */
enum mcplt_code face_run(struct face *, void (*work)(void *), void *arg);

/* Gives the messages that the work kept so far to the caller's function. */
void face_tell(struct face *);

/* Copies the options that the caller's struct has, as its first member tells, to a zeroed
 * struct of `size` bytes. `given` may be NULL. Returns false if the first member is
 * none. */
bool face_options(void *to, const void *given, size_t size);

/* Reads a record. Returns NULL after a message. */
const struct json *face_record(struct json_reader *, struct mcplt_text);

/* The struct face of an object that may be NULL. */
#define FACE_OF(object) ((object) == NULL ? NULL : &(object)->face)

static inline struct str
face_str(struct mcplt_text t)
{
	return (struct str){ t.s, t.n };
}

static inline struct mcplt_text
face_text(struct str s)
{
	return (struct mcplt_text){ s.s, s.n };
}
