/*
 * An agent run under construction: the builder fills it in, trace_write prints
 * it. All text is JSON source in the run's arena: either a value as it was in
 * the log, or a "body", which is a string's source without its quotes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "extract/value/copy.h"
#include "trace/usage.h"

/* Members of a trace that are printed as they were logged. */
enum run_member {
	RUN_ID,    /* of this run */
	RUN_GROUP, /* id of several runs that differ in the next members */
	RUN_SCENARIO,
	RUN_INDEX,
	RUN_AGENT,
	RUN_PROVIDER,
	RUN_DURATION, /* if absent: from the first to the last known time */
	RUN_ERROR,    /* a string */
	RUN_FINAL,    /* the answer, if not the last assistant text */
	RUN_MEMBERS,
};

/* A body that grows. s is NULL until something was added. */
struct text {
	const char *s;
	size_t n;
	char *room; /* writable copy of s; NULL: s may not grow in place */
	size_t size;
};

/* A step of the assistant: a text or a tool call. */
struct step {
	struct step *next; /* in its turn */
	struct turn *turn;
	size_t message; /* of call_matching */
	bool cut;       /* the log cut its text or result short */
	bool args_cut;  /* the log cut its arguments short */
	bool interim;   /* a text that is no answer */
	bool is_call;   /* the members below are a call's */
	bool by_user;   /* the call is the user's, not the agent's */
	bool called;    /* false: only the call's result was recorded */
	bool answered;  /* the result was recorded */
	bool pending;   /* a hook asks whether the call may be made */
	bool early;     /* the start of the call was not recorded so far */
	size_t number;  /* of the model's message, from 1; 0: unknown */
	/* Body: name of the agent of the step; NULL: the thread's agent. */
	const struct str *agent;
	struct text text; /* the text; of a call: args that come in pieces */
	struct str tool, id, server, name; /* bodies */
	struct str args, result;           /* values */
	const char *is_error;              /* "true", "false"; NULL: unknown */
	struct str duration;               /* as logged; else end - ts */
	struct moment ts, end;
	struct thread *started;  /* first of the sub-agents it started */
	struct step *waiting[3]; /* next in the queues of call_matching */
};

/* The usage of one message of a model. */
struct turn_usage {
	struct turn_usage *next;
	struct turn_usage *earlier; /* previous since the last total */
	struct usage usage;
	unsigned elsewhere; /* kinds that a total counts: a bit for each */
	bool partial;       /* the output was counted before it was complete */
	bool repeated;      /* an earlier run counts it */
	/* The model that used it; NULL: the only model of the thread, if there is
	 * one. */
	const struct run_item *model;
	uint64_t once; /* hash of a key that other runs may have; 0: none */
};

/* A message of a model, or a key of its usage. */
struct run_message {
	size_t number;            /* 0: no step has it */
	struct turn_usage *usage; /* NULL: none was reported */
};

struct turn {
	struct turn *next;
	struct turn *before; /* the turn that this turn's prompt follows */
	struct thread *thread;
	size_t line; /* in the thread's file */
	struct text prompt;
	bool cut;      /* the log cut the prompt short */
	bool by_input; /* began by an input, whose text may be missing */
	bool current;  /* false: abandoned when the user went back */
	struct moment first, last; /* times of its events */
	struct str duration;       /* as logged */
	/* The reason why the model stopped at the last step, if not by itself; NULL:
	 * unknown. */
	const char *ended;
	struct step *steps, *last_step;
	struct str state;       /* body: the workflow's after the turn */
	struct text guardrails; /* objects, separated by commas */
	struct turn_usage *usages;
};

/* The turns of the main agent or of a sub-agent. */
struct thread {
	struct thread *next;    /* in the order of the log */
	struct thread *sibling; /* next sub-agent that the same call started */
	struct thread *last_sibling; /* of the first sibling: the last one */
	struct str id;               /* body: of the sub-agent */
	struct str parent;           /* body: id of the call that started it */
	struct str name;   /* body: of the sub-agent, found when the run ends */
	struct step *call; /* that call; NULL: unknown, or the main agent */
	bool nameless;     /* the log has no id of the sub-agent */
	bool inner;        /* no agent, but the program that the call ran */
	const char *file;  /* position of its first record */
	size_t line;
	struct turn *turns, *last;
	size_t n;                /* of turns */
	struct turn *back;       /* turn gone back to; NULL: before the first */
	bool went_back;          /* went back, and no turn began since */
	bool turn_opened;        /* the last turn began without a prompt */
	struct run_item *models; /* that answered, in order */
	struct run_item *last_model;
	const struct run_item *model;  /* of the message that is read */
	struct hash_table model_names; /* of all models but the first */
	struct str message;            /* id of the current message */
	struct step *message_text;     /* its text */
	/* Numbers, 0 until a step has them: of the message that the next steps are
	 * of, NULL if that is not known; of the message `numbered`; and of the message
	 * that no result, prompt or usage has ended. */
	size_t *number, *open_number;
	size_t unnamed; /* that of a message without an id */
	struct run_message *named;
	struct str numbered;
	/* The agents of the next steps, and of the last that have a name. */
	const struct str *speaker, *spoke;
	struct step *open_text; /* a text that may be appended to */
	bool text_ended;        /* more text begins another step or line */
};

/* A run may lack these, since something of it was not read: one bit each. */
enum {
	RUN_LOST_CALL = 1, /* a call or a result */
	RUN_LOST_TEXT = 2, /* a text of the agent */
};

/* Records and blocks of one kind that were not read. */
struct run_unread {
	struct run_unread *next;
	struct str kind;
	size_t n, line; /* their number, and the line of the first */
};

/* A model that answered, or a member of meta. */
struct run_item {
	struct run_item *next;
	struct str name, value; /* a model has no value; its name is a body */
};

struct run {
	struct str members[RUN_MEMBERS];
	struct moment start, end; /* where the log records them for the run */
	bool has_main;            /* the log records the main agent */
	bool numbered;            /* the builder gave it its index */
	bool broken;              /* the log breaks off in the run */
	bool no_calls;            /* the log does not record calls */
	bool unprompted;          /* the first prompt is not logged */
	bool has_cost;            /* the log has a cost; known only if costs are
				   * estimated, when the run is written */
	struct thread main, *threads;
	struct text transitions; /* objects, separated by commas */
	struct str state;        /* body: the workflow's at the end */
	bool complete;           /* the workflow is */
	bool
	    asked; /* a hook asks about the run, of which a record is written */
	bool named;         /* the main thread has steps of named agents */
	struct text system; /* the system prompt */
	size_t messages;    /* of models, with steps */
	struct run_item *meta;
	struct run_unread *unread;
	unsigned lost; /* RUN_LOST_..., with what was not read */
};

/* Appends a body to the text, after a newline (as the escape \n) if the text is
 * not empty. */
void text_append_line(struct arena *, struct text *, struct str body);

/* Appends `more`, a body, to the text. */
void text_append(struct arena *, struct text *, struct str more);

/* Returns the name of the step's agent, or an absent text if that is the run's own
 * agent. */
struct str run_step_agent(const struct step *);

/* Returns the turn's last text that is neither interim nor blank (only white
 * space), or NULL. */
const struct step *run_last_text(const struct turn *);

/* Returns a hash of the thread's texts and calls, for an id that depends only
 * on the content. */
uint64_t run_hash(const struct thread *);
