/*
 * What agents tell of themselves in OpenTelemetry's log events: Claude Code
 * (claude_code.*), Codex (codex.*), Gemini CLI and its forks (gemini_cli.*).
 * Each session is a run. By default they keep neither prompts, nor arguments,
 * nor answers.
 */
#pragma once

#include "base/diag.h"
#include "base/hash.h"
#include "extract/otel/log.h"
#include "extract/run/builder.h"

/* Whether an event of that name (a body) is one of them. */
bool otel_agent_event(struct str name);

struct otel_agents {
	struct arena *arena;
	struct hash_table sessions; /* by their ids */

	/* private */
	struct otel_session *first, **end;
};

void otel_agents_init(struct otel_agents *, struct arena *);

/* An event, and where it stands. */
void otel_agents_add(
    struct otel_agents *, struct place, const struct otel_log *);

/* Tells the builder each session as a run. The last one stays open. */
void otel_agents_emit(struct otel_agents *, struct builder *);
