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
	s->found = s->in_block;
	s->ends = 0;
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
	s->kernel->scan(&s->state, copy + JSON_BEFORE, 1, &s->in_block[i]);
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
		    inner - i, &s->in_block[i]);
		i = inner;
	}
	for (; i < s->blocks; i++)
		scan_edge(s, i);
	s->in_block[s->blocks].ends = 1;
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
		s->bad = s->window;
	return true;
}

/* The next block from there on in which a string ends. */
static const struct json_found *
with_end(const struct json_found *found)
{
	while (found->ends == 0)
		found++;
	return found;
}

bool
json_strings_on(struct json_strings *s)
{
	const struct json_found *found = s->found;

	if (found != s->in_block + s->blocks)
		found = with_end(found + 1);
	while (found == s->in_block + s->blocks) {
		if (!scan_more(s))
			return false;
		found = with_end(s->in_block);
	}
	s->found = found;
	s->ends = found->ends;
	s->block = s->window + (found - s->in_block) * JSON_BLOCK;
	return true;
}
