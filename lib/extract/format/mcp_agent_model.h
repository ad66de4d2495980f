/* What mcp-agent and fast-agent log of a model. */
#pragma once

#include "extract/span/span.h"

/* What a model and the program say to each other. */
struct mcp_agent_talk {
	struct span *open; /* that was not answered yet */
	size_t calls;      /* answers with calls since the last without */
};

/* Whether it is a model's response. */
bool mcp_agent_is_response(const struct json *);

/* The program asks the model; the span begins here. */
void mcp_agent_asks(struct mcp_agent_talk *, struct arena *, struct span *,
    const struct json *request);
/* The model answers; the span is the one that is open, or one of its own. */
void mcp_agent_answers(struct mcp_agent_talk *, struct arena *, struct span *,
    const struct json *response);
