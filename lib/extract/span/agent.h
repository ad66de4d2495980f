/*
 * An agent, or a sub-agent, of a trace while its spans are told in order: what
 * the builder was told of it already, so that nothing is told twice.
 */
#pragma once

#include "extract/api/chat.h"
#include "extract/run/builder.h"
#include "extract/span/call.h"

struct span;

struct span_agent {
	struct arena *arena;
	struct builder *builder;
	struct builder_locate at; /* where the next event stands */
	bool prompted, spoke;     /* it had a prompt; it said something */
	/* Some model of it was given a user's words: set by whoever looks at
	 * all of its spans before the first is told. */
	bool asked;
	struct span **early; /* whose usage is of a turn that comes */
	size_t n_early;

	/* private */
	struct hash_table said;
	struct span_calls calls;
	struct str *ran; /* tools whose spans tell their calls */
	size_t n_ran;
};

void span_agent_init(struct span_agent *, struct arena *, struct builder *);

/* What a model was given: what is new in it is told. */
void span_agent_input(struct span_agent *, const struct chat *);
/* What a model answered. */
void span_agent_output(struct span_agent *, const struct chat *);
/* Of what an agent was given, the prompts alone. */
void span_agent_asked(struct span_agent *, const struct chat *);
/* Of what an agent gave back, the answer alone. */
void span_agent_final_answer(struct span_agent *, const struct chat *);

struct span_tool {
	const struct json *tool, *server, *name, *id, *args; /* of the call */
	const struct json *value, *is_error, *duration;      /* of the result */
	const struct json *start, *end;
	const struct json *agent; /* id of the sub-agent that it started */
};

/* A call ran. The model's message that asked for it may have been told. */
void span_agent_tool(struct span_agent *, const struct span_tool *);
