/*
 * An agent run while it is put together: the builder fills it in, trace_write
 * prints it. All text is JSON source that lives in the run's arena: a value
 * as it stood in the log, or (a "body") a string's source without its quotes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "extract/value/copy.h"
#include "trace/usage.h"

/* Members of a trace that are printed as the log has them. */
enum run_member {
	RUN_ID,    /* of the run */
	RUN_GROUP, /* of many: scenario, agent and index tell them apart */
	RUN_SCENARIO,
	RUN_INDEX,
	RUN_AGENT,
	RUN_PROVIDER,
	RUN_DURATION, /* else from the first to the last time that is known */
	RUN_ERROR,    /* a string */
	RUN_FINAL,    /* where it is not the last text of an assistant */
	RUN_MEMBERS,
};

/* A body that grows. s is NULL until something was added. */
struct text {
	const char *s;
	size_t n;
	char *room; /* where it is, if it may grow there; NULL: it may not */
	size_t size;
};

/* What an assistant did: it said something, or called a tool. */
struct step {
	struct step *next; /* in its turn */
	struct turn *turn;
	bool cut;         /* the log cut its text or result short */
	bool aside;       /* a text that is no answer */
	bool is_call;     /* the rest is a call's */
	bool called;      /* false: of the call only its result was recorded */
	bool answered;    /* the result was met */
	struct text text; /* what was said; a call: its args while they come */
	struct str tool, id, server, name; /* bodies */
	struct str args, result;           /* values */
	const char *is_error;              /* "true", "false"; NULL: unknown */
	struct str duration;               /* as logged; else end - ts */
	struct moment ts, end;
	struct thread *started;  /* sub-agents that it started */
	struct step *waiting[3]; /* pairing's queues */
};

/* What a model used for one message. */
struct turn_usage {
	struct turn_usage *next;
	struct turn_usage *earlier; /* told before, since the last total */
	struct usage usage;
	unsigned elsewhere; /* kinds that a total counts, a bit for each */
	bool partial;       /* its output was counted before it was complete */
};

struct turn {
	struct turn *next;
	struct turn *before; /* the turn that its prompt follows */
	struct thread *thread;
	size_t line; /* of the thread's file */
	struct text prompt;
	bool cut;                  /* the prompt */
	bool begun;                /* by an input, told or not */
	bool current;              /* not abandoned by going back before it */
	struct moment first, last; /* of what happened in it */
	struct str duration;       /* as logged */
	struct step *steps, *last_step;
	struct str state;       /* body: the workflow's after the turn */
	struct text guardrails; /* objects, with commas between */
	struct turn_usage *usages;
};

/* The main agent's turns, or a sub-agent's. */
struct thread {
	struct thread *next;     /* in the order of the log */
	struct thread *sibling;  /* started by the same call */
	struct thread *youngest; /* of the first of these: the last one */
	struct str id, parent; /* bodies: its own, and of the call before it */
	struct step *call;     /* that call; NULL: unknown, or the main agent */
	bool inner;            /* no agent: what the call itself called */
	const char *file;      /* where its first record stands */
	size_t line;
	struct turn *turns, *last;
	size_t n;          /* of turns */
	struct turn *back; /* that is gone back to; NULL: before the first */
	bool went_back;    /* ... and nothing came after that */
	bool fresh; /* the last was begun before anything was known of it */
	struct run_item *models; /* that answered, in order */
	struct run_item *last_model;
	struct hash_table model_names; /* of all but the first */
	struct str message; /* id of the message that is being told */
	struct step *text;  /* ... and what was said in it */
	struct step *said;  /* a text that may go on */
	bool breaks;        /* ... but on another line */
};

/* A model that answered, or a member of meta. */
struct run_item {
	struct run_item *next;
	struct str name, value; /* a model has no value; its name is a body */
};

struct run {
	struct str members[RUN_MEMBERS];
	struct moment start, end; /* where the log says it of the run */
	bool told;                /* something is known of the main agent */
	bool broken;              /* the log breaks off in it */
	bool no_calls;            /* the log does not record calls */
	bool unprompted;          /* ... nor what its first prompt was */
	struct thread main, *threads;
	struct text transitions; /* of the workflow: as guardrails */
	struct str state;        /* ... and at the end, a body */
	bool complete;
	struct run_item *meta;
};

/* Adds to a body; after a newline, in JSON's spelling, if it has text. */
void text_add(struct arena *, struct text *, struct str body);
/* The same without the newline. */
void text_more(struct arena *, struct text *, struct str body);

/* The last thing that was said in the turn but as an aside, or NULL. */
const struct step *run_last_text(const struct turn *);

/* A hash of what was said and done, for an id that depends on nothing else. */
uint64_t run_hash(const struct thread *);
