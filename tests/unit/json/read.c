/* What json_read accepts and refuses, where and why, with every kernel that
 * runs here; and that a text read in two parts gives what it gives in one. */
#include <string.h>

#include "tests/unit/unit.h"
#include "json/json.h"
#include "json/kernel.h"

/* Texts that are refused; ^ stands before the byte that is wrong, or behind
 * the text where that is cut. */
static const struct refused {
	const char *between_marks, *why;
} refused[] = {
	{ "^", "text ends where a value was expected" },
	{ "  ^", "text ends where a value was expected" },
	{ "^x", "expected a value" },
	{ "[1,^]", "expected a value" },
	{ "[^,1]", "expected a value" },
	{ "^'a'", "expected a value" },
	{ "^\xef\xbb\xbf{}", "expected a value" },
	{ "[^\x01]", "expected a value" },
	{ "[^\\\"a\"]", "expected a value" },
	{ "1 ^2", "more text after the value" },
	{ "{} ^}", "more text after the value" },
	{ "12^x", "more text after the value" },
	{ "\"a\"^b", "more text after the value" },
	{ "{^", "text ends where a name was expected" },
	{ "{\"a\":1,^", "text ends where a name was expected" },
	{ "{\"a\":1,^}", "expected a name in double quotes" },
	{ "{^a:1}", "expected a name in double quotes" },
	{ "{^1:1}", "expected a name in double quotes" },
	{ "{\"a\"^", "text ends where ':' was expected" },
	{ "{\"a\" ^1}", "expected ':' after a name" },
	{ "{\"a\":^", "text ends where a value was expected" },
	{ "{\"a\":^}", "expected a value" },
	{ "{\"a\":[]^", "text ends where ',' or '}' was expected" },
	{ "{\"a\":1 ^\"b\":2}", "expected ',' or '}'" },
	{ "{\"a\":1^]", "expected ',' or '}'" },
	{ "[\"a\"^", "text ends where ',' or ']' was expected" },
	{ "[1 ^2]", "expected ',' or ']'" },
	{ "[1^}", "expected ',' or ']'" },
	{ "[1^\f]", "expected ',' or ']'" },
	{ "[^", "text ends where a value was expected" },
	{ "[12^", "text ends within a list or an object" },
	{ "[true^", "text ends within a list or an object" },
	{ "-^", "expected a digit" },
	{ "-^a", "expected a digit" },
	{ "1.^", "expected a digit" },
	{ "1.^e1", "expected a digit" },
	{ "1e^", "expected a digit" },
	{ "1e+^", "expected a digit" },
	{ "1E-^x", "expected a digit" },
	{ "0^12", "number with a leading zero" },
	{ "-0^12", "number with a leading zero" },
	{ "^+1", "expected a value" },
	{ "^.5", "expected a value" },
	{ "^NaN", "expected a value" },
	{ "nul^", "text ends within a word" },
	{ "^nan", "expected a value" },
	{ "[^trve]", "expected a value" },
	{ "[^falsE]", "expected a value" },
	{ "[null^s]", "expected ',' or ']'" },
	{ "\"^", "text ends within a string" },
	{ "[\"abc^", "text ends within a string" },
	{ "\"\\^", "text ends within a string" },
	{ "\"\\\"^", "text ends within a string" },
	{ "\"\\u12^", "text ends within a string" },
	{ "\"\xe2\x82^", "text ends within a string" },
	{ "\"a^\tb\"", "unescaped control character in a string" },
	{ "\"a^\nb\"", "unescaped control character in a string" },
	{ "\"a^\x1f\"", "unescaped control character in a string" },
	{ "\"a^\\x\"", "unknown escape in a string" },
	{ "\"a^\\'\"", "unknown escape in a string" },
	{ "\"^\\\n\"", "unknown escape in a string" },
	{ "\"\\\\^\\a\"", "unknown escape in a string" },
	{ "\"^\\u12g4\"", "\\u without four hexadecimal digits" },
	{ "\"^\\u12\"", "\\u without four hexadecimal digits" },
	{ "\"^\\U0041\"", "unknown escape in a string" },
	{ "\"a^\x80\"", "invalid UTF-8" },
	{ "\"^\xc3\"", "invalid UTF-8" },
	{ "\"^\xc3(\"", "invalid UTF-8" },
	{ "\"^\xc0\xaf\"", "invalid UTF-8" },
	{ "\"^\xc1\xbf\"", "invalid UTF-8" },
	{ "\"^\xe0\x9f\xbf\"", "invalid UTF-8" },
	{ "\"^\xe2\x82\"", "invalid UTF-8" },
	{ "\"^\xed\xa0\x80\"", "invalid UTF-8" },
	{ "\"^\xf0\x8f\xbf\xbf\"", "invalid UTF-8" },
	{ "\"^\xf0\x9f\x98\"", "invalid UTF-8" },
	{ "\"^\xf4\x90\x80\x80\"", "invalid UTF-8" },
	{ "\"^\xf5\x80\x80\x80\"", "invalid UTF-8" },
	{ "\"^\xff\"", "invalid UTF-8" },
	{ "\"\xe2\x82\xac^\xac\"", "invalid UTF-8" },
	{ "[^\xc3\xa9]", "expected a value" },
	{ "[\"a^\x01\xff\", x]", "unescaped control character in a string" },
	{ "[^x, \"\xff\"]", "expected a value" },
};

static const char *const accepted[] = {
	"null",
	" true ",
	"\tfalse\r\n",
	"0",
	"-0",
	"10",
	"-1.5e+10",
	"1E-2",
	"0.1e1",
	"123456789012345678901234567890.5e-400",
	"\"\"",
	"\"a\\\"b\\\\\"",
	"\"\\\\\\\\\\\"\\\\\"",
	"\"\\b\\f\\n\\r\\t\\/\\u00e9\\uABCD\"",
	"\"\\ud800\"",
	"\"\\udc00\\ud800\"",
	"\"\x7f\"",
	"\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"",
	"\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"",
	"[]",
	"{}",
	"[ ]",
	"{ }",
	"[[],{},[{}]]",
	"[1,\"a\",null,true,false,[1],{\"a\":1}]",
	"{\"a\":1,\"a\":2}",
	"{\"\":\"\"}",
	" { \"a\" : [ 1 , 2 ] , \"b\" : { } } ",
	"{\n\t\"a\": [\n\t\t1,\n\t\t\"x\"\n\t]\n}\n",
};

/* The text behind so many spaces: wherever the blocks of a scan begin, it is
 * to be read in the same way. */
enum { PADS = 140 };

static struct str
pad(struct arena *a, size_t spaces, struct str text)
{
	return str_printf(a, "%*s%.*s", (int)spaces, "", STR_FMT(text));
}

static void
is_refused(struct json_reader *reader, const struct refused *want)
{
	struct str between_marks = str_of(want->between_marks);
	size_t wrong = str_find_char(between_marks, '^');
	struct arena a = { 0 };
	struct str text = str_cat(&a, str_slice(between_marks, 0, wrong),
	    str_from(between_marks, wrong + 1));

	for (size_t n = 0; n < PADS; n++) {
		struct json_error e = { 0 };

		if (json_read(reader, pad(&a, n, text), NULL, &e) == NULL &&
		    e.offset == n + wrong && strcmp(e.why, want->why) == 0 &&
		    e.cut == (wrong == text.n))
			continue;
		FAIL("not refused as it should be");
		fprintf(stderr, "%s, %zu spaces, %s: at %zu: %s%s\n",
		    reader->kernel->name, n, want->between_marks, e.offset - n,
		    e.why, e.cut ? " (cut)" : "");
		break;
	}
	arena_free(&a);
}

/* Returns how many values are in the text. */
static size_t
count(const struct json *v)
{
	size_t n = 1;

	for (json_each(element, v))
		n += count(element);
	for (json_members(key, v))
		n += 1 + count(json_value(key));
	return n;
}

static void
is_accepted(struct json_reader *reader, const char *text)
{
	struct arena a = { 0 };

	for (size_t n = 0; n < PADS; n++) {
		struct str padded = pad(&a, n, str_of(text));
		struct str value = str_trim(padded);
		const struct json *v = json_read(reader, padded, NULL, NULL);
		size_t end = 0;

		CHECK(v != NULL && str_eq(v->text, value));
		CHECK(v != NULL && v->span == count(v));
		v = json_read(reader, padded, &end, NULL);
		CHECK(v != NULL && padded.s + end == value.s + value.n);
	}
	arena_free(&a);
}

/* Cut anywhere, the text is either refused as cut, and can be read on, or
 * (a number) whole. */
static void
can_be_cut(struct json_reader *reader, const char *text)
{
	struct arena a = { 0 };
	struct str whole = pad(&a, 3, str_of(text)), part, copy;
	struct json_error e;
	const struct json *v;

	for (size_t n = 0; n < whole.n; n++) {
		part = str_slice(whole, 0, n);
		if (json_read(reader, part, NULL, &e) != NULL)
			continue;
		CHECK(e.cut && e.offset == n);
		copy = str_dup(&a, whole);
		v = json_read_on(reader, copy, NULL, &e);
		CHECK(v != NULL && str_eq(v->text, str_trim(whole)));
		CHECK(v != NULL && v->text.s >= copy.s &&
		    v->text.s <= copy.s + copy.n);
		CHECK(v != NULL && v->span == count(v));
	}
	arena_free(&a);
}

/* byte by byte */
static void
can_be_cut_often(struct json_reader *reader)
{
	const char *text =
	    "{\"a\":[1,2.5,{\"b\\n\":\"c\\u0041d\"}],\"e\":true}";
	size_t length = strlen(text);
	struct arena a = { 0 };
	struct json_error e;
	const struct json *v = json_read(reader, STR(""), NULL, &e);

	for (size_t n = 1; n <= length; n++) {
		struct str part = str_dup(&a, (struct str){ text, n });

		CHECK(v == NULL && e.cut);
		v = json_read_on(reader, part, NULL, &e);
	}
	CHECK_STR(json_path(v, "a")->text, "[1,2.5,{\"b\\n\":\"c\\u0041d\"}]");
	CHECK(json_is(json_path(v, "e"), JSON_TRUE));
	arena_free(&a);
}

static void
stops_at_the_end_of_the_value(struct json_reader *reader)
{
	struct str text = STR(" {\"a\":1}\xff\x01 \"");
	size_t end = 0;

	CHECK(json_read(reader, text, &end, NULL) != NULL && end == 8);
	CHECK(json_read(reader, STR("12x"), &end, NULL) != NULL && end == 2);
	CHECK(json_read(reader, STR("[]]"), &end, NULL) != NULL && end == 2);
	CHECK(json_read(reader, STR("\"a\"\"\xff"), &end, NULL) != NULL);
	CHECK(end == 3);
}

static void
limits_depth(struct json_reader *reader)
{
	enum { DEEPER = JSON_DEPTH_MAX + 1 };
	struct arena a = { 0 };
	char *text = arena_alloc_n(&a, DEEPER, 2);
	struct json_error e;

	memset(text, '[', DEEPER);
	memset(text + DEEPER, ']', DEEPER);
	CHECK(json_read(reader,
		  (struct str){ text + 1, (size_t)JSON_DEPTH_MAX * 2 }, NULL,
		  &e) != NULL);
	CHECK(json_read(reader, (struct str){ text, (size_t)DEEPER * 2 }, NULL,
		  &e) == NULL);
	CHECK(e.offset == JSON_DEPTH_MAX && !e.cut);
	CHECK_STR(str_of(e.why), "nested too deeply");
	arena_free(&a);
}

/* A string that is longer than what is scanned at a time, with something at
 * every place of it. */
static void
reads_long_string(struct json_reader *reader, struct str some, bool good)
{
	enum { LONG = 9000 };
	char text[LONG];
	struct json_error e;

	for (size_t i = 1; i < LONG - 8; i += 7) {
		const struct json *v;

		memset(text, 'x', LONG);
		text[0] = text[LONG - 1] = '"';
		memcpy(text + i, some.s, some.n);
		v = json_read(reader, (struct str){ text, LONG }, NULL, &e);
		CHECK((v != NULL) == good);
		CHECK(v == NULL || v->text.n == LONG);
		CHECK(v == NULL ||
		    v->flags == (some.s[0] == '\\' ? JSON_ESCAPED : 0));
		CHECK(v != NULL || e.offset == i);
	}
}

static void
flags_escapes(struct json_reader *reader)
{
	const struct json *v = json_read(reader,
	    STR("[\"a\",\"\\n\",\"\\\\\",\"b\",\"x\\\"\",\"\",{\"\\u0041\":"
		"\"\"}]"),
	    NULL, NULL);

	CHECK(json_at(v, 0)->flags == 0);
	CHECK(json_at(v, 1)->flags == JSON_ESCAPED);
	CHECK(json_at(v, 2)->flags == JSON_ESCAPED);
	CHECK(json_at(v, 3)->flags == 0);
	CHECK(json_at(v, 4)->flags == JSON_ESCAPED);
	CHECK(json_at(v, 5)->flags == 0);
	CHECK(json_first(json_at(v, 6))->flags == JSON_ESCAPED);
	CHECK(json_value(json_first(json_at(v, 6)))->flags == 0);
}

/* Texts of a string, and the same with U+FFFD for each lone surrogate; NULL: there
 * is none. */
static const struct {
	const char *text, *mended;
} surrogates[] = {
	{ "\\ud83d\\ude00", NULL },
	{ "\\uD83D\\uDE00\\uDBFF\\udfff", NULL },
	{ "\\ud7ff\\ue000\\u00e9\\n", NULL },
	{ "\\\\ud83d\\\\ude00", NULL },
	{ "\\ud83d", "\\ufffd" },
	{ "\\uDE00", "\\ufffd" },
	{ "\\ud83d\\n\\ude00", "\\ufffd\\n\\ufffd" },
	{ "\\ude00\\ud83d", "\\ufffd\\ufffd" },
	{ "\\ud83d\\ud83d\\ude00", "\\ufffd\\ud83d\\ude00" },
	{ "\\ud83d\\ude00\\ude00", "\\ud83d\\ude00\\ufffd" },
	{ "\\\\ud83d\\ude00", "\\\\ud83d\\ufffd" },
	{ "\\ud83d\\\\ude00", "\\ufffd\\\\ude00" },
};

/* Reads each of these at many offsets, also where it crosses the edge of a block
 * and of a window. */
static void
finds_lone_surrogates(struct json_reader *reader)
{
	enum { LONG = 9000, EDGE = 2048 };
	char text[LONG], want[LONG];
	struct arena a = { 0 };

	for (size_t k = 0; k < sizeof surrogates / sizeof *surrogates; k++)
		for (size_t i = 1;
		     i<LONG - 30; i += i> EDGE - 30 && i < EDGE + 2 ? 1 : 7) {
			struct str some = str_of(surrogates[k].text);
			const char *mended = surrogates[k].mended;
			const struct json *v;
			struct str got;

			memset(text, 'x', LONG);
			text[0] = text[LONG - 1] = '"';
			memcpy(want, text, LONG);
			memcpy(text + i, some.s, some.n);
			memcpy(
			    want + i, mended == NULL ? some.s : mended, some.n);
			v = json_read(
			    reader, (struct str){ text, LONG }, NULL, NULL);
			CHECK(
			    ((v->flags & JSON_LONE) != 0) == (mended != NULL));
			got = json_mend_surrogates(&a, v->text);
			CHECK(str_eq(got, (struct str){ want, LONG }));
			arena_reset(&a);
		}
	arena_free(&a);
}

int
main(void)
{
	for (size_t k = 0; json_kernels[k] != NULL; k++) {
		struct json_reader reader = { .kernel = json_kernels[k] };

		if (!reader.kernel->runs())
			continue;
		for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
			is_refused(&reader, &refused[i]);
		for (size_t i = 0; i < sizeof accepted / sizeof *accepted;
		     i++) {
			is_accepted(&reader, accepted[i]);
			can_be_cut(&reader, accepted[i]);
		}
		can_be_cut_often(&reader);
		stops_at_the_end_of_the_value(&reader);
		limits_depth(&reader);
		reads_long_string(&reader, STR("\\n"), true);
		reads_long_string(&reader, STR("\xe2\x82\xac"), true);
		reads_long_string(&reader, STR("\\u00e9"), true);
		reads_long_string(&reader, STR("\xff"), false);
		reads_long_string(&reader, STR("\x01"), false);
		reads_long_string(&reader, STR("\\x"), false);
		flags_escapes(&reader);
		finds_lone_surrogates(&reader);
		json_reader_free(&reader);
	}
	return unit_status();
}
