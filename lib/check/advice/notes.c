#include "check/advice/notes.h"
#include "check/advice/advice.h"

#include <stdlib.h>
#include <string.h>

#include "text/unicode.h"
#include "text/visible.h"

const struct advice advice_table[ADVICE_COUNT] = {
#define ADVICE(name, id, priority, why) { (id), ADVICE_##priority, (why) },
#include "check/advice/notes.inc"
#undef ADVICE
};

const char *
advice_priority_name(enum advice_priority p)
{
	static const char *const names[ADVICE_PRIORITIES] = {
		[ADVICE_CRITICAL] = "critical",
		[ADVICE_PREVENTION] = "error prevention",
		[ADVICE_PERFORMANCE] = "performance",
		[ADVICE_QUALITY] = "quality",
		[ADVICE_NICE] = "nice to have",
	};

	return names[p];
}

bool
advice_select(unsigned *priorities, struct str name)
{
	for (int i = 0; i < ADVICE_PRIORITIES; i++) {
		const char *own = advice_priority_name(i);
		size_t k = 0;

		while (k < name.n && own[k] != '\0' &&
		    name.s[k] == (own[k] == ' ' ? '-' : own[k]))
			k++;
		if (k == name.n && own[k] == '\0') {
			*priorities |= 1U << i;
			return true;
		}
	}
	return false;
}

/* Returns the text on one line, with escapes for hidden characters. */
static struct str
printable(struct arena *a, struct str text)
{
	struct out o;

	text = str_squeeze(a, text);
	out_open_memory(&o);
	while (text.n != 0) {
		size_t length;
		uint32_t c = unicode_decode(text, &length);

		if (visible_is_hidden(c))
			out_printf(&o, "\\u%04x", (unsigned)c);
		else
			out_str(&o, str_slice(text, 0, length));
		text = str_from(text, length);
	}
	return out_keep(&o, a);
}

void
advice_add(struct advice_notes *notes, enum advice_id id, struct place at,
    const char *format, ...)
{
	struct arena *a = notes->arena;
	struct advice_note note = { .at = at, .id = id, .number = notes->n };
	va_list args;

	va_start(args, format);
	note.what = printable(a, str_vprintf(a, format, args));
	va_end(args);
	notes->known.arena = a;
	if (hash_is_new(&notes->known,
		str_printf(a, "%d:%zu:%zu:%s:%.*s", (int)id, at.line, at.column,
		    at.file, STR_FMT(note.what))))
		*arena_push(a, notes->list, notes->n) = note;
}

static int
by_size(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int
by_place(const void *a, const void *b)
{
	const struct advice_note *x = a, *y = b;
	enum advice_priority first = advice_table[x->id].priority,
			     second = advice_table[y->id].priority;
	int files =
	    x->at.file == y->at.file ? 0 : strcmp(x->at.file, y->at.file);

	if (first != second)
		return by_size(first, second);
	if (files != 0)
		return files;
	if (x->at.line != y->at.line)
		return by_size(x->at.line, y->at.line);
	if (x->at.column != y->at.column)
		return by_size(x->at.column, y->at.column);
	if (x->id != y->id)
		return by_size(x->id, y->id);
	return by_size(x->number, y->number);
}

void
advice_sort(struct advice_notes *notes)
{
	if (notes->n != 0)
		qsort(notes->list, notes->n, sizeof *notes->list, by_place);
}
