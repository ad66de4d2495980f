#include "report/mcplab/similarity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/lang/js.h"
#include "text/unicode.h"

/* ---- texts ---- */

static bool
is_kept(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	    (c != 0 && c < 0x80 && strchr("-_.:/ ", (int)c) != NULL);
}

/* Returns the text in lower case (JavaScript's), with a run of white space as
 * one blank, with anything but a-z, 0-9 and -_.:/ as blanks, and trimmed. */
static struct str
fold(struct arena *a, struct str text)
{
	struct str lower = unicode_lower_js(a, text);
	char *to = arena_alloc(a, lower.n + 1);
	size_t n = 0, used;
	bool space = false;

	for (; lower.n != 0; lower = str_from(lower, used)) {
		uint32_t c = unicode_decode(lower, &used);

		if (!js_is_space(c)) {
			to[n++] = (char)(is_kept(c) ? c : ' ');
			/* A character beyond U+FFFF is two code units, so two
			 * blanks. */
			if (c > 0xffff)
				to[n++] = ' ';
		} else if (!space) {
			to[n++] = ' ';
		}
		space = js_is_space(c);
	}
	return str_trim((struct str){ to, n });
}

struct str_list
similarity_words(struct arena *a, struct str text)
{
	struct str rest = fold(a, text), *list = NULL;
	size_t n = 0, kept = 0;

	while (rest.s != NULL) {
		struct str word = str_cut(&rest, ' ');

		if (word.n > 2)
			*arena_push(a, list, n) = word;
	}
	if (n != 0)
		qsort(list, n, sizeof list[0], str_compare);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || !str_eq(list[i], list[kept - 1]))
			list[kept++] = list[i];
	return (struct str_list){ list, kept };
}

double
similarity_overlap(struct str_list a, struct str_list b)
{
	size_t both = 0, i = 0, j = 0;

	while (i < a.n && j < b.n) {
		int c = str_cmp(a.list[i], b.list[j]);

		both += c == 0;
		i += c <= 0;
		j += c >= 0;
	}
	if (a.n + b.n == 0)
		return 1;
	return (double)both / (double)(a.n + b.n - both);
}

/* ---- values ---- */

static struct similarity_value
boolean(bool value)
{
	return (struct similarity_value){
		.kind = SIMILARITY_BOOLEAN,
		.number = value,
		.text = value ? STR("true") : STR("false"),
	};
}

static struct similarity_value
number(double value, struct arena *a)
{
	char room[JS_NUMBER_SIZE];

	return (struct similarity_value){
		.kind = SIMILARITY_NUMBER,
		.number = value,
		.text = str_dup(a, js_number(value, room)),
	};
}

struct similarity_value
similarity_value_of(struct str text, struct arena *a)
{
	struct str trimmed = js_trim(text);
	double value;

	if (str_is(trimmed, "true") || str_is(trimmed, "false"))
		return boolean(str_is(trimmed, "true"));
	if (trimmed.n != 0 && js_to_number(trimmed, &value, a))
		return number(value, a);
	return (
	    struct similarity_value){ .kind = SIMILARITY_TEXT, .text = text };
}

struct similarity_value
similarity_value_read(const struct json *v, struct arena *a)
{
	if (json_is(v, JSON_TRUE) || json_is(v, JSON_FALSE))
		return boolean(json_is(v, JSON_TRUE));
	if (json_is(v, JSON_NUMBER))
		return number(json_double(v), a);
	if (json_is(v, JSON_STRING))
		return (struct similarity_value){ .kind = SIMILARITY_TEXT,
			.text = json_text(v, a) };
	return (struct similarity_value){ .kind = SIMILARITY_NULL };
}

static double
of_numbers(double expected, double found)
{
	double scale = expected == 0 ? 1 : fabs(expected);
	double off = fabs(found - expected) / scale;

	return off <= 0.05 ? 1 : off <= 0.15 ? 0.6 : 0;
}

double
similarity_of_values(struct similarity_value expected,
    struct similarity_value found, struct arena *a)
{
	struct str x, y;

	if (expected.kind == SIMILARITY_NULL || found.kind == SIMILARITY_NULL)
		return expected.kind == found.kind;
	if (expected.kind == found.kind && expected.kind == SIMILARITY_NUMBER)
		return of_numbers(expected.number, found.number);
	if (expected.kind == found.kind && expected.kind == SIMILARITY_BOOLEAN)
		return expected.number == found.number;
	x = fold(a, expected.text);
	y = fold(a, found.text);
	if (str_eq(x, y))
		return 1;
	return str_contains(x, y) || str_contains(y, x) ? 0.75 : 0;
}
