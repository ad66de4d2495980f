#include "extract/format/format.h"

#include <string.h>

extern const struct log_format log_format_openhands, log_format_swe_agent,
    log_format_pi, log_format_adk, log_format_autogen, log_format_langchain,
    log_format_vercel_ai, log_format_openai_agents, log_format_openai_traces,
    log_format_cline, log_format_mini_swe_agent, log_format_mcp_agent,
    log_format_managed_agents, log_format_droid, log_format_cohere,
    log_format_bedrock, log_format_kimi, log_format_antigravity,
    log_format_windsurf, log_format_hermes, log_format_muse, log_format_grok,
    log_format_assay, log_format_copilot_vscode, log_format_opencode_events,
    log_format_acp, log_format_pydantic_ai, log_format_llama_index,
    log_format_smolagents, log_format_goose, log_format_braintrust,
    log_format_weave, log_format_continue, log_format_amp, log_format_amazon_q,
    log_format_deepeval;
extern const struct log_format log_format_mcplab, log_format_mcplab_events,
    log_format_mcplab_results, log_format_openai_chat, log_format_claude_code,
    log_format_claude_stream, log_format_codex, log_format_codex_exec,
    log_format_mcp_wire, log_format_openai_stream, log_format_openai_responses,
    log_format_anthropic, log_format_mcp_eval, log_format_otel,
    log_format_langfuse, log_format_langsmith, log_format_copilot,
    log_format_opencode, log_format_gemini_api, log_format_gemini,
    log_format_qwen, log_format_atif, log_format_cursor, log_format_tau,
    log_format_inspect, log_format_promptkit, log_format_promptfoo,
    log_format_gemini_stream, log_format_ollama, log_format_har,
    log_format_vercel_stream, log_format_openai_realtime,
    log_format_gemini_interactions;
extern const struct log_format log_format_cursor_hooks, log_format_ag_ui,
    log_format_agentv, log_format_dsh, log_format_browser_use,
    log_format_chatgpt, log_format_claude_ai, log_format_vscode_debug;
extern const struct log_format log_format_open_webui, log_format_librechat,
    log_format_n8n, log_format_bedrock_agents, log_format_openai_assistants,
    log_format_letta, log_format_strands, log_format_openclaw_telemetry,
    log_format_entire, log_format_trae, log_format_kiro,
    log_format_agent_framework, log_format_junie, log_format_crewai,
    log_format_aider, log_format_toolbench, log_format_bfcl, log_format_crush,
    log_format_zed;

const struct log_format *const log_format_table[] = {
	&log_format_mcplab,
	&log_format_mcplab_events,
	&log_format_mcplab_results,
	&log_format_openhands,
	&log_format_swe_agent,
	&log_format_mini_swe_agent,
	&log_format_pi,
	&log_format_adk,
	&log_format_autogen,
	&log_format_crewai,
	&log_format_agent_framework,
	&log_format_langchain,
	&log_format_pydantic_ai,
	&log_format_llama_index,
	&log_format_smolagents,
	&log_format_browser_use,
	&log_format_crush,
	&log_format_zed,
	&log_format_vercel_ai,
	&log_format_vercel_stream,
	&log_format_openai_agents,
	&log_format_openai_traces,
	&log_format_cline,
	&log_format_amp,
	&log_format_amazon_q,
	&log_format_kiro,
	&log_format_junie,
	&log_format_droid,
	&log_format_dsh,
	&log_format_claude_code,
	&log_format_claude_stream,
	&log_format_claude_ai,
	&log_format_codex,
	&log_format_codex_exec,
	&log_format_acp,
	&log_format_ag_ui,
	&log_format_mcp_wire,
	&log_format_openai_stream,
	&log_format_openai_realtime,
	&log_format_openai_responses,
	&log_format_anthropic,
	&log_format_managed_agents,
	&log_format_bedrock,
	&log_format_cohere,
	&log_format_ollama,
	&log_format_har,
	&log_format_mcp_eval,
	&log_format_mcp_agent,
	&log_format_braintrust,
	&log_format_weave,
	&log_format_deepeval,
	&log_format_promptfoo, /* before otel: its results may include spans */
	&log_format_otel,
	&log_format_langfuse,
	&log_format_langsmith,
	&log_format_copilot,
	&log_format_copilot_vscode,
	&log_format_vscode_debug,
	&log_format_opencode,
	&log_format_opencode_events,
	&log_format_gemini_api,
	&log_format_gemini_interactions,
	&log_format_gemini,
	&log_format_gemini_stream,
	&log_format_qwen,
	&log_format_atif,
	&log_format_trae,
	&log_format_aider,
	&log_format_cursor,
	&log_format_cursor_hooks,
	&log_format_kimi,
	&log_format_antigravity,
	&log_format_windsurf,
	&log_format_goose,
	&log_format_continue,
	&log_format_hermes,
	&log_format_muse,
	&log_format_grok,
	&log_format_tau,
	&log_format_inspect,
	&log_format_promptkit,
	&log_format_assay,
	&log_format_agentv,
	&log_format_entire,
	&log_format_open_webui,
	&log_format_librechat,
	&log_format_n8n,
	&log_format_bedrock_agents,
	&log_format_openai_assistants,
	&log_format_letta,
	&log_format_strands,
	&log_format_openclaw_telemetry,
	&log_format_toolbench,
	&log_format_bfcl,
	&log_format_openai_chat,
	&log_format_chatgpt,
	NULL,
};

_Static_assert(
    sizeof log_format_table / sizeof *log_format_table - 1 <= LOG_FORMAT_MAX,
    "struct log_format_guess has too few scores");

const struct log_format *
log_format_named(const char *name)
{
	for (const struct log_format *const *f = log_format_table; *f != NULL;
	     f++)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	return NULL;
}

const struct log_format *
log_format_rival(struct log_format_guess *g, const struct log_format *format,
    const struct json *record)
{
	size_t i;

	while (log_format_set_take(&g->asked, &i)) {
		if ((g->index->table[i]->common && !format->common) ||
		    !format_index_is_sure(g->index, i, record))
			continue;
		g->scores[i] += LOG_FORMAT_SURE;
		return g->index->table[i];
	}
	return NULL;
}

const struct log_format *
log_format_guess(struct log_format_guess *g, const struct json *record)
{
	size_t i;

	g->records++;
	g->asked = format_index_find(g->index, record);
	while (log_format_set_take(&g->asked, &i)) {
		g->scores[i] += format_index_score(g->index, i, record);
		if (g->scores[i] >= LOG_FORMAT_SURE)
			return g->index->table[i];
	}
	return NULL;
}

bool
log_format_counts(const struct log_format_guess *g, const struct json *record)
{
	struct log_format_set asked = format_index_find(g->index, record);
	size_t i, sure = 0;
	bool known = false;

	while (log_format_set_take(&asked, &i)) {
		int score = format_index_score(g->index, i, record);
		bool candidate = g->scores[i] >= LOG_FORMAT_SURE;

		if (score >= LOG_FORMAT_SURE && !candidate)
			return false;
		known |= candidate && score > 0;
		sure += score >= LOG_FORMAT_SURE;
	}
	return known && sure != 1;
}

void
log_format_add_scores(struct log_format_guess *g, const struct json *record)
{
	struct log_format_set asked = format_index_find(g->index, record);
	size_t i;

	while (log_format_set_take(&asked, &i))
		g->scores[i] += format_index_score(g->index, i, record);
}

const struct log_format *
log_format_claims(const struct format_index *index, const struct json *record)
{
	struct log_format_guess g = { .index = index };

	return log_format_guess(&g, record);
}

const struct log_format *
log_format_likeliest(const struct log_format_guess *g)
{
	const struct log_format *const *table = g->index->table;
	const struct log_format *best = NULL;
	int score = 0;

	for (size_t i = 0; table[i] != NULL; i++) {
		if (g->scores[i] > score) {
			score = g->scores[i];
			best = table[i];
		}
	}
	return best;
}

const struct log_format *
log_format_of(const struct format_index *index, const struct json *record)
{
	struct log_format_guess g = { .index = index };

	log_format_guess(&g, record);
	return log_format_likeliest(&g);
}
