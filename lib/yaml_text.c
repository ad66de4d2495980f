#include "yaml_text.h"

#include <string.h>

enum { MARK_EVERY = 256 };

static bool
begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static void
mark_characters(struct yaml_text *t)
{
	size_t characters = 0;

	t->n_marks = 0;
	for (size_t i = 0; i < t->mended.n; i++)
		if (begins_character(t->mended.s[i]) &&
		    characters++ % MARK_EVERY == 0)
			t->marks[t->n_marks++] = i;
}

void
yaml_text_set(struct yaml_text *t, struct arena *a, struct str text)
{
	*t = (struct yaml_text){ .original = text, .mended = text };
	/* Room for a text whose every byte is a backslash to be doubled. */
	t->marks = arena_new_n(a, size_t, 2 * text.n / MARK_EVERY + 1);
	mark_characters(t);
}

static size_t
mended_offset(const struct yaml_text *t, size_t character)
{
	size_t mark = character / MARK_EVERY, left = character % MARK_EVERY;
	size_t at;

	if (mark >= t->n_marks)
		return t->mended.n;
	for (at = t->marks[mark]; left > 0 && at < t->mended.n; left--)
		do
			at++;
		while (at < t->mended.n && !begins_character(t->mended.s[at]));
	return at;
}

size_t
yaml_text_unmend(const struct yaml_text *t, size_t at)
{
	size_t low = 0, high = t->n_doubled;

	/* The i-th added backslash stands at doubled[i] + i + 1. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->doubled[middle] + middle + 1 <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return at - low;
}

size_t
yaml_text_offset(const struct yaml_text *t, size_t character)
{
	return yaml_text_unmend(t, mended_offset(t, character));
}

/* Whether a backslash before this begins an escape of YAML 1.2. */
static bool
known_escape(char c)
{
	return c != '\0' && strchr("0abt\tnvfre \"/\\N_LPxuU\n\r", c) != NULL;
}

/* Adds the unknown escapes of the quoted scalar to `doubled`. */
static void
find_unknown(struct yaml_text *t, struct arena *a, size_t quote)
{
	struct str s = t->original;

	for (size_t i = quote + 1; i + 1 < s.n && s.s[i] != '"'; i++) {
		if (s.s[i] != '\\')
			continue;
		if (!known_escape(s.s[i + 1]))
			*arena_push(a, t->doubled, t->n_doubled) = i;
		i++;
	}
}

bool
yaml_text_mend(struct yaml_text *t, struct arena *a, size_t character)
{
	size_t before = t->n_doubled, from = 0, n = 0;
	size_t quote = yaml_text_offset(t, character);
	struct str s = t->original;

	if (before == 0 || t->doubled[before - 1] < quote)
		find_unknown(t, a, quote);
	if (t->n_doubled == before)
		return false;
	if (t->copy == NULL)
		t->copy = arena_alloc(a, 2 * s.n);
	for (size_t i = 0; i < t->n_doubled; from = t->doubled[i++]) {
		memcpy(t->copy + n, s.s + from, t->doubled[i] - from);
		n += t->doubled[i] - from;
		t->copy[n++] = '\\';
	}
	memcpy(t->copy + n, s.s + from, s.n - from);
	t->mended = (struct str){ t->copy, n + s.n - from };
	mark_characters(t);
	return true;
}
