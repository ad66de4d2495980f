#include "extract/format/format.h"

#include <assert.h>
#include <string.h>

#include "extract/value/copy.h"

extern const struct logfmt logfmt_openhands, logfmt_swe_agent, logfmt_pi,
    logfmt_adk, logfmt_autogen, logfmt_langchain, logfmt_vercel_ai,
    logfmt_openai_agents, logfmt_openai_traces, logfmt_cline,
    logfmt_mini_swe_agent, logfmt_mcp_agent, logfmt_managed_agents,
    logfmt_droid, logfmt_cohere, logfmt_bedrock, logfmt_kimi,
    logfmt_antigravity, logfmt_windsurf, logfmt_hermes, logfmt_muse,
    logfmt_grok, logfmt_assay, logfmt_copilot_vscode, logfmt_opencode_events,
    logfmt_acp, logfmt_pydantic_ai, logfmt_llama_index, logfmt_smolagents,
    logfmt_goose, logfmt_braintrust, logfmt_weave, logfmt_continue, logfmt_amp,
    logfmt_amazon_q, logfmt_deepeval;
extern const struct logfmt logfmt_mcplab, logfmt_mcplab_events,
    logfmt_mcplab_results, logfmt_openai_chat, logfmt_claude_code,
    logfmt_claude_stream, logfmt_codex, logfmt_codex_exec, logfmt_mcp_wire,
    logfmt_openai_stream, logfmt_openai_responses, logfmt_anthropic,
    logfmt_mcp_eval, logfmt_otel, logfmt_langfuse, logfmt_langsmith,
    logfmt_copilot, logfmt_opencode, logfmt_gemini_api, logfmt_gemini,
    logfmt_qwen, logfmt_atif, logfmt_cursor, logfmt_tau, logfmt_inspect,
    logfmt_promptkit, logfmt_promptfoo, logfmt_gemini_stream, logfmt_ollama,
    logfmt_har, logfmt_vercel_stream, logfmt_openai_realtime,
    logfmt_gemini_interactions;

const struct logfmt *const logfmt_table[] = {
	&logfmt_mcplab,
	&logfmt_mcplab_events,
	&logfmt_mcplab_results,
	&logfmt_openhands,
	&logfmt_swe_agent,
	&logfmt_mini_swe_agent,
	&logfmt_pi,
	&logfmt_adk,
	&logfmt_autogen,
	&logfmt_langchain,
	&logfmt_pydantic_ai,
	&logfmt_llama_index,
	&logfmt_smolagents,
	&logfmt_vercel_ai,
	&logfmt_vercel_stream,
	&logfmt_openai_agents,
	&logfmt_openai_traces,
	&logfmt_cline,
	&logfmt_amp,
	&logfmt_amazon_q,
	&logfmt_droid,
	&logfmt_claude_code,
	&logfmt_claude_stream,
	&logfmt_codex,
	&logfmt_codex_exec,
	&logfmt_acp,
	&logfmt_mcp_wire,
	&logfmt_openai_stream,
	&logfmt_openai_realtime,
	&logfmt_openai_responses,
	&logfmt_anthropic,
	&logfmt_managed_agents,
	&logfmt_bedrock,
	&logfmt_cohere,
	&logfmt_ollama,
	&logfmt_har,
	&logfmt_mcp_eval,
	&logfmt_mcp_agent,
	&logfmt_braintrust,
	&logfmt_weave,
	&logfmt_deepeval,
	&logfmt_promptfoo, /* whose results may have spans with them */
	&logfmt_otel,
	&logfmt_langfuse,
	&logfmt_langsmith,
	&logfmt_copilot,
	&logfmt_copilot_vscode,
	&logfmt_opencode,
	&logfmt_opencode_events,
	&logfmt_gemini_api,
	&logfmt_gemini_interactions,
	&logfmt_gemini,
	&logfmt_gemini_stream,
	&logfmt_qwen,
	&logfmt_atif,
	&logfmt_cursor,
	&logfmt_kimi,
	&logfmt_antigravity,
	&logfmt_windsurf,
	&logfmt_goose,
	&logfmt_continue,
	&logfmt_hermes,
	&logfmt_muse,
	&logfmt_grok,
	&logfmt_tau,
	&logfmt_inspect,
	&logfmt_promptkit,
	&logfmt_assay,
	&logfmt_openai_chat,
	NULL,
};

const char *
logfmt_row(size_t i, const char **what)
{
	const struct logfmt *row = logfmt_table[i];

	if (row == NULL)
		return NULL;
	*what = row->what;
	return row->name;
}

const struct logfmt *
logfmt_named(const char *name)
{
	for (const struct logfmt *const *f = logfmt_table; *f != NULL; f++)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	return NULL;
}

const struct logfmt *
logfmt_guess(struct logfmt_guess *g, const struct json *record)
{
	const struct logfmt *sure = NULL;

	g->records++;
	for (size_t i = 0; logfmt_table[i] != NULL; i++) {
		assert(i < LOGFMT_MAX);
		g->scores[i] += logfmt_table[i]->score(record);
		if (sure == NULL && g->scores[i] >= LOGFMT_SURE)
			sure = logfmt_table[i];
	}
	return sure;
}

const struct logfmt *
logfmt_likeliest(const struct logfmt_guess *g)
{
	const struct logfmt *best = NULL;
	int score = 0;

	for (size_t i = 0; logfmt_table[i] != NULL; i++) {
		if (g->scores[i] > score) {
			score = g->scores[i];
			best = logfmt_table[i];
		}
	}
	return best;
}

struct place
log_place(struct log *log, const struct json *value)
{
	const char *to = value->text.s;

	if (log->counted < to) {
		log->line += str_count_char(
		    (struct str){ log->counted, (size_t)(to - log->counted) },
		    '\n');
		log->counted = to;
	}
	return (struct place){ .file = log->at.file, .line = log->line };
}

void
log_source(struct log *log, const struct json *value)
{
	struct place at = log_place(log, value);

	builder_source(log->builder, at.file, at.line);
}

void
log_whole_run(struct log *log, const struct json *record)
{
	if (log->one_line)
		builder_run_in(log->builder, record->text);
	else
		builder_run(log->builder);
}

void
log_run(struct log *log, const struct json *id)
{
	if (json_raw(id).n == 0)
		return;
	if (!str_eq(log->id, json_raw(id))) {
		if (log->id.s != NULL)
			builder_run(log->builder);
		log->id = keep_body(log->arena, id);
	}
	builder_set(log->builder, RUN_ID, id);
}
