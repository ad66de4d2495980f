/* The state of a builder. Only files of this folder name its private members
 * (tests/ci/layers); builder.h has the functions. */
#pragma once

#include "extract/run/builder_options.h"

struct builder_ids {
	struct str *list; /* bodies */
	size_t n;
};

/* Identifies a run that a later record may continue: see builder_mark. */
struct builder_mark {
	size_t n;      /* messages that a continuing request repeats; 0: none */
	uint64_t hash; /* hash of these messages */
	bool failed;  /* the same messages alone, sent again, continue it too */
	uint64_t id;  /* hash of the id that such a record names; 0: none */
	size_t items; /* items under that id that were reported so far */
	/* The session to which a later record may return; NULL: none. */
	struct log_session *session;
};

struct log_session; /* a format's (format/log_session.h) */

/* Events that a record reports to the builder: one bit each. */
enum {
	BUILDER_CALL = 1, /* a call, a result, or a part of one */
	BUILDER_SAID =
	    2, /* a prompt, a text, usage, a boundary of a run, ... */
	BUILDER_UNREAD = 4,  /* something that no reader knows */
	BUILDER_NOTHING = 8, /* the record is known to carry nothing */
};

/* Records, and blocks of messages, that no reader knows. */
struct builder_unread {
	size_t n;
	size_t line;   /* of the first */
	char kind[64]; /* of the first, perhaps shortened */
};

struct builder {
	struct builder_options options;
	/* Since builder_init: what may hold a call or a text of the agent; the
	 * rest. */
	struct builder_unread lost, harmless;
	unsigned reported; /* BUILDER_..., since this was set to 0 */
	size_t written;    /* records since builder_init */
	size_t left_out;   /* runs outside the period */

	/* private */
	struct arena arena;
	struct run_ids ids; /* used if options.ids is NULL */
	const char *file;
	size_t line;
	struct json_reader reader;
	bool log_cut;     /* the log breaks off in the current record */
	bool cut_before;  /* ... which has begun and resumed no run so far */
	bool interleaved; /* the records of sessions are, in this log */
	/* Lines with records that are lost; 0: none. The next run that begins
	 * lacks the first one, each run that begins may lack the second one. */
	size_t torn, torn_all;
	/* Suspended runs, the most recently used last. Each entry holds the
	 * members from run_arena on. */
	struct builder **suspended;
	size_t n_suspended, suspended_bytes;
	/* The session whose records are read; NULL: unknown. */
	struct log_session *session;
	/* Called with `of` when a run is about to end, which is open then. NULL:
	 * not called. */
	void (*ending)(void *of);
	void *of;

	/* The open run; builder_interleaved.c moves these members as a block.
	 * run_arena lives until the run is written. */
	struct arena run_arena;
	struct run *run;                 /* NULL: none is open */
	struct log_session *run_session; /* the run's; NULL: unknown */
	struct hash_set records;         /* ids of the records that were read */
	struct builder_mark mark;
	struct call_matching call_matching;
	struct hash_table threads;  /* by sub-agent id */
	struct hash_table nodes;    /* by record id */
	struct hash_table messages; /* struct run_message, by id */
	struct hash_table starters; /* calls by id of the started sub-agent */
	struct hash_table tasks;    /* calls by the task they give */
	struct builder_ids started; /* keys of `starters` */
	struct thread *last_thread;
	/* Position of the next event. */
	struct thread *thread;
	struct builder_node *node, *after; /* its record, the one before */
	bool root;
	struct builder_node *latest; /* node that was added last */
	struct moment ts;
	struct timestamp_minute minute; /* of the previous time stamp */
	bool replay;    /* the record is a copy: ignore its events */
	bool in_prompt; /* the record's last event was a prompt */
	bool fresh;     /* the message has no call so far */
	/* The run's end was reported, but the run stays open: if no other run
	 * begins in the record where the log breaks off, this run is cut. */
	bool ended;
	bool *cut;                    /* the flag that builder_mark_cut sets */
	struct step *call;            /* last call that was added or answered */
	bool args_in_pieces;          /* of at least one call */
	struct usage total;           /* as last reported by builder_total */
	struct turn_usage *uncounted; /* since then, latest first */
};
