#include "judge/question/quotes.h"

#include "base/ascii.h"
#include "io/out.h"

/* ---- the form in which texts are compared ---- */

/* Quotation marks that are written in another form. */
static const struct {
	const char *mark, *plain;
} folds[] = {
	{ "\u2018", "'" },
	{ "\u2019", "'" },
	{ "\u201c", "\"" },
	{ "\u201d", "\"" },
	{ "\u2026", "..." },
};

/* Appends the first character of the text, which is no white space. Returns its
 * length in bytes. */
static size_t
put_folded(struct out *o, struct str text)
{
	char c = *text.s;

	for (size_t i = 0;
	     (uint8_t)c == 0xe2 && i < sizeof folds / sizeof folds[0]; i++) {
		if (!str_starts(text, folds[i].mark))
			continue;
		out_text(o, folds[i].plain);
		return 3;
	}
	if (c >= 'A' && c <= 'Z')
		c = (char)(c - 'A' + 'a');
	out_char(o, c);
	return 1;
}

/* Appends the text in the form in which texts are compared: with one blank for
 * white space (`blanks`), or without white space and backslashes, so that JSON is
 * the same however it is laid out and escaped. */
static void
put_plain(struct out *o, struct str text, bool blanks)
{
	text = str_trim(text);
	while (text.n != 0) {
		if (*text.s == '\\' && !blanks) {
			text = str_from(text, 1);
			continue;
		}
		if (!json_is_space(*text.s)) {
			text = str_from(text, put_folded(o, text));
			continue;
		}
		if (blanks)
			out_char(o, ' ');
		while (text.n != 0 && json_is_space(*text.s))
			text = str_from(text, 1);
	}
}

static struct str
plain_of(struct arena *a, struct str text, bool blanks)
{
	struct out o;

	out_open_memory(&o);
	put_plain(&o, text, blanks);
	return out_keep(&o, a);
}

struct str
quotes_texts(struct arena *a, struct str data, bool blanks)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *all;
	struct out o;

	if (data.s == NULL)
		return STR("");
	all = json_read(&reader, data, NULL, &error);
	out_open_memory(&o);
	put_plain(&o, data, blanks);
	for (size_t i = 0; all != NULL && i < all->span; i++) {
		out_char(&o, '\0'); /* no text has it */
		if (all[i].type == JSON_STRING)
			put_plain(&o, json_text(&all[i], a), blanks);
	}
	json_reader_free(&reader);
	return out_keep(&o, a);
}

/* Returns the member's JSON in the form of texts without blanks. */
static struct str
plain_member(struct arena *a, const struct json *key)
{
	const struct json *value = json_value(key);
	bool string = json_is(value, JSON_STRING);
	struct str text = string ? json_text(value, a) : value->text;
	const char *mark = string ? "\"" : "";

	return plain_of(a,
	    str_printf(a, "\"%.*s\":%s%.*s%s", STR_FMT(json_text(key, a)), mark,
		STR_FMT(text), mark),
	    false);
}

bool
quotes_repeat(struct arena *a, struct str texts, const struct json *said)
{
	struct str *parts = NULL;
	size_t n = 0;

	for (json_members(key, said))
		*arena_push(a, parts, n) = plain_member(a, key);
	while (texts.n != 0) {
		struct str text = str_cut(&texts, '\0');
		size_t held = 0;

		while (held < n && str_contains(text, parts[held]))
			held++;
		if (held == n)
			return true;
	}
	return false;
}

/* ---- looking up ---- */

/* Returns the text without punctuation at its ends: a quotation may end with
 * the comma of the sentence around it, and has brackets around an omission. */
static struct str
trim_marks(struct str text)
{
	while (text.n != 0 &&
	    ascii_is_among((uint8_t)text.s[text.n - 1], ".,;:!?[( "))
		text.n--;
	while (text.n != 0 && ascii_is_among((uint8_t)*text.s, ".]) "))
		text = str_from(text, 1);
	return text;
}

/* Returns whether the part is in the texts, and does not begin or end within a
 * word. */
static bool
has_words(struct str texts, struct str part)
{
	bool first = part.n != 0 && ascii_is_alnum((uint8_t)*part.s);
	bool last = part.n != 0 && ascii_is_alnum((uint8_t)part.s[part.n - 1]);
	size_t at = 0, end;

	while (part.n != 0) {
		at += str_find(str_from(texts, at), part);
		end = at + part.n;
		if (at >= texts.n)
			return false;
		if (!(first && at > 0 &&
			ascii_is_alnum((uint8_t)texts.s[at - 1])) &&
		    !(last && end < texts.n &&
			ascii_is_alnum((uint8_t)texts.s[end])))
			return true;
		at++;
	}
	return true;
}

/* Returns whether each part of the text between omissions is in the texts. */
static bool
is_in(struct str texts, struct str text, struct arena *a)
{
	static const struct str gap = { "...", 3 };
	struct str rest = plain_of(a, text, true);
	bool any = false;

	if (rest.n != 0 && has_words(texts, rest))
		return true;
	while (rest.n != 0) {
		size_t at = str_find(rest, gap);
		struct str part = trim_marks(str_slice(rest, 0, at));

		if (!has_words(texts, part))
			return false;
		any |= part.n != 0;
		rest = str_from(rest, at < rest.n ? at + gap.n : at);
	}
	return any;
}

static void
add(struct quotes *q, struct str text, int where)
{
	for (size_t i = 0; i < q->n; i++)
		if (str_eq(q->list[i].text, text))
			return;
	*arena_push(q->arena, q->list, q->n) = (struct quote){
		.text = str_dup(q->arena, text),
		.found = is_in(q->texts, text, q->arena),
		.where = where,
	};
}

static const struct {
	const char *open, *close;
	bool apostrophe; /* the mark is one in a word */
} marks[] = {
	{ "\"", "\"", false },
	{ "\u201c", "\u201d", false },
	{ "\u201e", "\u201c", false },
	{ "\u00ab", "\u00bb", false },
	{ "\u300c", "\u300d", false },
	{ "'", "'", true },
	{ "\u2018", "\u2019", true },
};

/* Returns the text in the quotation marks with which `rest` begins, and moves
 * `rest` behind them; an absent text if it begins otherwise. */
static struct str
take_marked(struct str *rest)
{
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		struct str close = str_of(marks[i].close), inner;
		size_t at;

		if (!str_starts(*rest, marks[i].open))
			continue;
		inner = str_from(*rest, str_of(marks[i].open).n);
		at = str_find(inner, close);
		while (marks[i].apostrophe && at + close.n < inner.n &&
		    ascii_is_alnum((uint8_t)inner.s[at + close.n]))
			at += close.n +
			    str_find(str_from(inner, at + close.n), close);
		if (at >= inner.n)
			continue;
		*rest = str_from(inner, at + close.n);
		return str_slice(inner, 0, at);
	}
	return (struct str){ 0 };
}

void
quotes_add(
    struct quotes *q, const struct json *listed, struct str reason, bool wanted)
{
	struct str left = reason;
	bool in_word = false; /* a mark within a word is no beginning: 5" */

	for (json_each(v, listed))
		add(q, json_text(v, q->arena), QUOTE_LISTED);
	while (left.n != 0) {
		struct str rest = left;
		struct str text =
		    !in_word ? take_marked(&rest) : (struct str){ 0 };

		if (text.s != NULL && str_trim(text).n != 0)
			add(q, text, QUOTE_MARKED);
		in_word = text.s == NULL && ascii_is_alnum((uint8_t)*left.s);
		left = text.s != NULL ? rest : str_from(left, 1);
	}
	if (wanted && q->n == 0)
		add(q, reason, QUOTE_REASON);
}

const struct quote *
quotes_missing(const struct quotes *q, bool all, struct str rubric)
{
	struct str texts = quotes_texts(q->arena, rubric, true);

	for (size_t i = 0; i < q->n; i++) {
		const struct quote *one = &q->list[i];

		if (!one->found &&
		    (one->where == QUOTE_LISTED ||
			(all && one->where == QUOTE_MARKED &&
			    !is_in(texts, one->text, q->arena))))
			return one;
	}
	return NULL;
}

struct str
quotes_json(const struct quotes *q)
{
	struct out o;

	if (q->n == 0)
		return (struct str){ 0 };
	out_open_memory(&o);
	out_begin(&o, '[');
	for (size_t i = 0; i < q->n; i++) {
		out_begin(&o, '{');
		out_key(&o, "text");
		out_json_str(&o, q->list[i].text);
		out_member_bool(&o, "found", q->list[i].found);
		out_end(&o, '}');
	}
	out_end(&o, ']');
	return out_keep(&o, q->arena);
}
