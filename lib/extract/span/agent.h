/* An agent or sub-agent of a trace while its spans are reported in order.
 * Remembers what the builder knows already, so that nothing is reported
 * twice. */
#pragma once

#include "extract/api/chat.h"
#include "extract/run/builder.h"
#include "extract/span/call.h"

struct span;

struct span_agent {
	struct arena *arena;
	struct builder *builder;
	struct builder_locate at; /* position of the next event */
	bool prompted, spoke;     /* it had a prompt; it said something */
	/* At least one of its models was given a user's message. Set by the
	 * caller, which sees all spans, before the first span is reported. */
	bool asked;
	struct span **early; /* spans whose usage belongs to the next turn */
	size_t n_early;

	/* private */
	struct hash_table repeats;
	const struct chat *input;  /* the current input; NULL: an output */
	struct hash_table results; /* ids of the results in `input`, once
				    * looked for */
	struct span_calls calls;
	struct str *ran; /* tools whose spans report their calls */
	size_t n_ran;
};

void span_agent_init(struct span_agent *, struct arena *, struct builder *);

/* Reports what is new in the messages that a model was given; all of them are
 * new if is_new is true. */
void span_agent_input(struct span_agent *, const struct chat *, bool is_new);
/* Reports a model's answer. */
void span_agent_output(struct span_agent *, const struct chat *);
/* Reports only the prompts in an agent's input. */
void span_agent_asked(struct span_agent *, const struct chat *);
/* Reports only the last text in an agent's output. */
void span_agent_final_answer(struct span_agent *, const struct chat *);

struct span_tool {
	const struct json *tool, *server, *name, *id, *args; /* of the call */
	const struct json *value, *is_error, *duration;      /* of the result */
	const struct json *start, *end;
	const struct json *agent; /* id of the sub-agent that it started */
};

/* Reports that a call ran. A model's message may have reported the call
 * before. */
void span_agent_tool(struct span_agent *, const struct span_tool *);
