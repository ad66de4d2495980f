#include "query/jsonpath/token.h"

/* -?[0-9]*, which is absent if it has no digits. */
static void
slice_part(struct str part, bool *has, int64_t *value)
{
	const int64_t most = (int64_t)1 << 53;
	size_t i = part.n > 0 && *part.s == '-';

	*value = 0;
	*has = i < part.n;
	for (; i < part.n; i++)
		if (*value < most)
			*value = *value * 10 + (part.s[i] - '0');
	if (part.n > 0 && *part.s == '-')
		*value = -*value;
}

static bool
is_slice(struct str text, struct selector *s)
{
	struct str rest = text, parts[3] = { { 0 }, { 0 }, { 0 } };
	size_t n = 0;
	bool has_step;

	while (rest.s != NULL && n < 3)
		parts[n++] = str_cut(&rest, ':');
	if (rest.s != NULL || n < 2)
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t minus = parts[i].n > 0 && *parts[i].s == '-';

		for (size_t k = minus; k < parts[i].n; k++)
			if (parts[i].s[k] < '0' || parts[i].s[k] > '9')
				return false;
	}
	s->kind = SELECT_SLICE;
	slice_part(parts[0], &s->has_start, &s->start);
	slice_part(parts[1], &s->has_end, &s->end);
	slice_part(parts[2], &has_step, &s->step);
	if (!has_step)
		s->step = 1;
	return true;
}

/* Without quotes: -1 and the like. */
static bool
is_negative_index(struct str text, int64_t *index)
{
	bool has;

	if (text.n < 2 || text.n > 15 || *text.s != '-' || text.s[1] == '0')
		return false;
	for (size_t i = 1; i < text.n; i++)
		if (text.s[i] < '0' || text.s[i] > '9')
			return false;
	slice_part(text, &has, index);
	return true;
}

static void
token_selector(struct selector *s, struct str text, bool quoted)
{
	if (str_is(text, "*")) {
		s->kind = SELECT_ALL;
	} else if (str_is(text, "$")) {
		s->kind = SELECT_SELF;
	} else if (!is_slice(text, s)) {
		s->kind = SELECT_PROPERTY;
		s->name = text;
		if (text.n > 0 && *text.s == '`')
			s->first = str_from(text, 1);
		s->has_index = !quoted && is_negative_index(text, &s->index);
	}
}

void
jsonpath_token_segment(
    struct segment *s, struct arena *a, struct str text, bool quoted)
{
	struct str rest = text;

	s->kind = str_is(text, "..") ? SEGMENT_DEEP
	    : str_is(text, "^")      ? SEGMENT_PARENT
	    : str_is(text, "~")      ? SEGMENT_KEY
				     : SEGMENT_CHILDREN;
	while (rest.s != NULL && s->kind == SEGMENT_CHILDREN) {
		struct str part = rest;

		if (!quoted && !str_starts(text, "`"))
			part = str_cut(&rest, ',');
		else
			rest.s = NULL;
		token_selector(arena_push(a, s->selectors, s->n), part, quoted);
	}
}
