/* A word that is being read, and its characters; private to this folder. */
#pragma once

#include <string.h>

#include "shell/shell.h"

struct word {
	struct arena *arena;
	char *text;
	size_t n, size;
	struct shell_word flags;
	struct shell_words *words; /* to which the word is appended */
	unsigned groups;           /* open brackets of @( ) and the like */
	bool brace, brace_comma;   /* "{", and a comma or ".." behind it */
	bool bracket;              /* "[" */
};

/* Makes room for `more` characters. */
static inline void
word_reserve(struct word *w, size_t more)
{
	size_t size = w->size == 0 ? 32 : 2 * w->size;
	char *text;

	while (size < w->n + more)
		size *= 2;
	text = arena_room(w->arena, size);
	if (w->n > 0)
		memcpy(text, w->text, w->n);
	w->text = text;
	w->size = size;
}

/* Appends a character. No program gets a NUL, which bash leaves out. */
static inline void
word_put(struct word *w, char c)
{
	if (c == '\0')
		return;
	if (w->n == w->size)
		word_reserve(w, 1);
	w->text[w->n++] = c;
}

/* Appends a text. */
static inline void
word_put_text(struct word *w, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		word_put(w, text.s[i]);
}
