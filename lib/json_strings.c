#include "json_strings.h"

#include <string.h>

void
json_strings_start(struct json_strings *s, const struct json_kernel *kernel,
    struct str text, const char *from)
{
	s->kernel = kernel;
	s->start = text.s;
	s->end = s->bad = text.s + text.n;
	s->window = from;
	s->blocks = 0;
	s->state = (struct json_scan){ 0 };
}

static size_t
at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

/* Scans a block that reaches over an edge of the text, as if spaces lay
 * there. */
static void
scan_edge(struct json_strings *s, size_t i)
{
	const char *from = s->window + i * JSON_BLOCK;
	size_t before = at_most((size_t)(from - s->start), JSON_BEFORE);
	size_t rest =
	    at_most((size_t)(s->end - from), JSON_BLOCK + JSON_BEHIND);
	char copy[JSON_BEFORE + JSON_BLOCK + JSON_BEHIND];

	memset(copy, ' ', sizeof copy);
	memcpy(copy + JSON_BEFORE - before, from - before, before + rest);
	s->kernel->scan(&s->state, copy + JSON_BEFORE, 1, &s->found[i]);
}

/* Scans the window's blocks; those within the text without copying them. */
static void
scan_window(struct json_strings *s)
{
	size_t rest = (size_t)(s->end - s->window), i = 0, inner = 0;

	if (rest >= JSON_BEHIND)
		inner = at_most((rest - JSON_BEHIND) / JSON_BLOCK, s->blocks);
	if (s->window < s->start + JSON_BEFORE)
		scan_edge(s, i++);
	if (i < inner) {
		s->kernel->scan(&s->state, s->window + i * JSON_BLOCK,
		    inner - i, &s->found[i]);
		i = inner;
	}
	for (; i < s->blocks; i++)
		scan_edge(s, i);
	s->found[s->blocks].quote = 1;
}

static const char *
first_bad(const struct json_strings *s)
{
	size_t i = 0;

	while (!s->found[i].bad)
		i++;
	return s->window + i * JSON_BLOCK;
}

/* Scans the next blocks. False at the end of the text. */
static bool
scan_more(struct json_strings *s)
{
	size_t rest;

	s->window += s->blocks * JSON_BLOCK;
	if (s->window >= s->end)
		return false;
	rest = (size_t)(s->end - s->window);
	/* Less at first: after a small value may come another text. */
	s->blocks = at_most((rest + JSON_BLOCK - 1) / JSON_BLOCK,
	    s->blocks == 0 ? JSON_WINDOW / 4 : JSON_WINDOW);
	scan_window(s);
	if (s->state.bad && s->bad == s->end)
		s->bad = first_bad(s);
	return true;
}

const char *
json_strings_far_end(struct json_strings *s, const char *p)
{
	size_t at = (size_t)(p + 1 - s->window), i = at / JSON_BLOCK;
	uint64_t quote;

	while (i >= s->blocks) {
		i -= s->blocks;
		if (!scan_more(s))
			return s->end;
	}
	quote = s->found[i].quote & UINT64_MAX << at % JSON_BLOCK;
	while (quote == 0) {
		quote = s->found[++i].quote;
		if (i == s->blocks) {
			if (!scan_more(s))
				return s->end;
			i = 0;
			quote = s->found[0].quote;
		}
	}
	return s->window + i * JSON_BLOCK + __builtin_ctzll(quote);
}
