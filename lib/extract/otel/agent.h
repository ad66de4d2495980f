/* Reads the events that agents log through OpenTelemetry: Claude Code
 * (claude_code.*), Codex (codex.*), Gemini CLI and its forks (gemini_cli.*).
 * Each session is a run. By default these agents log neither prompts nor
 * arguments nor answers. */
#pragma once

#include "base/diag.h"
#include "base/hash.h"
#include "extract/otel/log_record.h"
#include "extract/run/builder.h"

/* Returns whether the name (a body) is that of such an event. */
bool otel_agent_event(struct str name);

struct otel_agents {
	struct arena *arena;
	struct hash_table sessions; /* by session id */

	/* private */
	struct otel_session *first, **end;
};

void otel_agents_init(struct otel_agents *, struct arena *);

/* Adds an event and its position in the log. */
void otel_agents_add(
    struct otel_agents *, struct place, const struct otel_log *);

/* Reports each session as a run. The last run stays open. */
void otel_agents_emit(struct otel_agents *, struct builder *);
