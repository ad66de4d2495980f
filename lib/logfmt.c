#include "logfmt.h"

#include <string.h>

extern const struct logfmt logfmt_mcplab, logfmt_mcplab_events,
    logfmt_mcplab_results, logfmt_openai_chat, logfmt_claude_code;

const struct logfmt *const logfmt_table[] = {
	&logfmt_mcplab,
	NULL,
};

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
