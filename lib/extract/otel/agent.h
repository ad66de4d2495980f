/* Reads the events that agents log through OpenTelemetry: Claude Code
 * (claude_code.*), Codex (codex.*), Gemini CLI and its forks (gemini_cli.*).
 * A session is a run. By default these agents log neither prompts nor
 * arguments nor answers. */
#pragma once

#include "extract/otel/log_record.h"
#include "extract/run/builder.h"

/* Returns whether the name (a body) is that of such an event. */
bool otel_agent_event(struct str name);

/* Reports an event of the open run. */
void otel_agent_read(struct arena *, struct builder *, const struct otel_log *);
