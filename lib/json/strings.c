#include "json/strings.h"

#include <string.h>

void
json_strings_start(struct json_strings *s, const struct json_kernel *kernel,
    struct str text, struct str around, const char *from)
{
	s->kernel = kernel;
	s->end = text.s + text.n;
	s->around = around;
	s->window = from;
	s->blocks = 0;
	s->next = s->right = s->ends.at;
	s->state = (struct json_scan){ 0 };
}

static size_t
at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

/* Returns the number of bytes that may be read from there on. */
static size_t
readable(const struct json_strings *s, const char *from)
{
	return (size_t)(s->around.s + s->around.n - from);
}

/* Scans a block that crosses an edge of the readable memory, as if there were
 * spaces beyond the edge. */
static void
scan_edge(struct json_strings *s, size_t i)
{
	const char *from = s->window + i * JSON_BLOCK;
	size_t before = at_most((size_t)(from - s->around.s), JSON_BEFORE);
	size_t rest = at_most(readable(s, from), JSON_BLOCK + JSON_BEHIND);
	char copy[JSON_BEFORE + JSON_BLOCK + JSON_BEHIND];

	memset(copy, ' ', sizeof copy);
	memcpy(copy + JSON_BEFORE - before, from - before, before + rest);
	s->kernel->scan(&s->state, copy + JSON_BEFORE, 1, &s->ends);
}

/* Scans the blocks of the window; blocks within the readable memory are not
 * copied. */
static void
scan_window(struct json_strings *s)
{
	size_t rest = readable(s, s->window), i = 0, inner = 0;

	if (rest >= JSON_BEHIND)
		inner = at_most((rest - JSON_BEHIND) / JSON_BLOCK, s->blocks);
	if (s->window < s->around.s + JSON_BEFORE)
		scan_edge(s, i++);
	if (i < inner) {
		s->kernel->scan(
		    &s->state, s->window + i * JSON_BLOCK, inner - i, &s->ends);
		i = inner;
	}
	for (; i < s->blocks; i++)
		scan_edge(s, i);
}

/* Scans the next blocks. Returns false at the end of the text. */
static bool
scan_more(struct json_strings *s)
{
	size_t rest;

	s->window += s->blocks * JSON_BLOCK;
	s->state.paired -= s->blocks * JSON_BLOCK;
	if (s->window >= s->end)
		return false;
	rest = (size_t)(s->end - s->window);
	/* Fewer at first: another text may follow a small value. */
	s->blocks = at_most((rest + JSON_BLOCK - 1) / JSON_BLOCK,
	    s->blocks == 0 ? JSON_WINDOW / 4 : JSON_WINDOW);
	s->state.blocks = s->state.ends = 0;
	scan_window(s);
	while (s->state.ends > 0 && s->ends.at[s->state.ends - 1] >= rest)
		s->state.ends--; /* this end is behind the text */
	s->next = s->ends.at;
	s->right = s->next + (s->state.bad ? 0 : s->state.ends);
	return true;
}

bool
json_strings_more(struct json_strings *s)
{
	while (s->next == s->ends.at + s->state.ends) {
		if (!scan_more(s))
			return false;
	}
	return s->next < s->right;
}
