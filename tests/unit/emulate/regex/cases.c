/*
 * Compares the rows of $SHARED/cases/regex-*.ndjson, which are results of the real
 * engines, with the results of lib/regex/regex.h and of each engine that supports the
 * row.
 */
#include <stdlib.h>

#include "emulate/regex/tree/text.h"
#include "tests/unit/regex_agree.h"
#include "tests/unit/unit.h"
#include "json/json.h"

enum {
	ENGINES_MAX = 8,
};

static const struct file {
	const char *name;
	enum regex_flavour flavour;
} files[] = {
	{ "regex-js", REGEX_JS },
	{ "regex-js-test262", REGEX_JS },
	{ "regex-re2", REGEX_RE2 },
	{ "regex-re2-search", REGEX_RE2 },
	{ "regex-re2-exhaustive", REGEX_RE2 },
	{ "regex-python", REGEX_PYTHON },
};

struct tally {
	size_t agreed, disagreed;
	size_t unicode, bad_flags, lone, names; /* out of scope */
	size_t ran[ENGINES_MAX], gave_up[ENGINES_MAX];
};

struct row {
	const struct file *file;
	size_t line;
	const struct json *json;
	struct str pattern, text;
	unsigned flags;
	bool wrong;
	bool changed; /* the text is not the row's to the byte */
	struct arena *arena;
};

static void
disagree(struct row *r, const char *who, const char *what)
{
	r->wrong = true;
	fprintf(stderr, "%s:%zu: %s: %s: %.*s on %.*s\n", r->file->name,
	    r->line, who, what, STR_FMT(json_get(r->json, "pattern")->text),
	    STR_FMT(json_get(r->json, "input")->text));
}

/* Returns the code unit of a \u escape at i, or 0 if there is none. */
static unsigned long
escaped_unit(struct str raw, size_t i)
{
	char digits[5];

	if (raw.n - i < 6 || raw.s[i] != '\\' || raw.s[i + 1] != 'u')
		return 0;
	snprintf(digits, sizeof digits, "%.4s", raw.s + i + 2);
	return strtoul(digits, NULL, 16);
}

/* Returns whether a text has a lone surrogate, which UTF-8 cannot represent. */
static bool
has_lone_surrogate(const struct json *string)
{
	struct str raw = json_raw(string);

	for (size_t i = 0; i < raw.n; i++) {
		unsigned long unit = escaped_unit(raw, i);

		if (unit >= 0xd800 && unit < 0xdc00 &&
		    escaped_unit(raw, i + 6) >= 0xdc00 &&
		    escaped_unit(raw, i + 6) < 0xe000)
			i += 11;
		else if (unit >= 0xd800 && unit < 0xe000)
			return true;
		else if (raw.s[i] == '\\')
			i++;
	}
	return false;
}

/* Reads JavaScript's flags. Returns false if the row is out of scope. */
static bool
read_flags(struct row *r, struct tally *t)
{
	const struct str letters = STR("dgimsyuv");
	static const unsigned meaning[] = { 0, 0, REGEX_CASELESS,
		REGEX_MULTILINE, REGEX_DOTALL, REGEX_STICKY, 0, 0 };
	struct str flags = json_text(json_get(r->json, "flags"), r->arena);
	bool unicode = false, bad = false;

	r->flags = 0;
	for (size_t i = 0; i < flags.n; i++) {
		size_t at = str_find_char(letters, flags.s[i]);

		if (at == letters.n || str_find_char(flags, flags.s[i]) < i)
			bad = true;
		else
			r->flags |= meaning[at];
		unicode |= flags.s[i] == 'u' || flags.s[i] == 'v';
	}
	if (bad)
		t->bad_flags++;
	else if (unicode)
		t->unicode++;
	return !bad && !unicode;
}

static size_t
utf16_units(const struct text *t, size_t place)
{
	size_t units = 0;

	for (size_t at = 0; at < place; units++)
		text_next(t, &at);
	return units;
}

/* Compares only the extent of Go's matches, not their groups, and only whether Python's
 * match. */
static void
compare_bytes(struct row *r, const char *who, const size_t *spans)
{
	const struct json *whole = json_at(json_get(r->json, "spans"), 0);
	int64_t from, to;

	if (r->file->flavour == REGEX_RE2 && !r->changed &&
	    json_int(json_at(whole, 0), &from) &&
	    json_int(json_at(whole, 1), &to) &&
	    (spans[0] != (size_t)from || spans[1] != (size_t)to))
		disagree(r, who, "matched elsewhere");
}

static void
compare_extent(struct row *r, const char *who, const size_t *spans)
{
	struct text t = { (const unsigned char *)r->text.s, r->text.n, true };
	int64_t from, to;

	if (r->file->flavour != REGEX_JS)
		compare_bytes(r, who, spans);
	if (!json_int(json_get(r->json, "index"), &from) ||
	    !json_int(json_get(r->json, "end"), &to))
		return;
	if (utf16_units(&t, spans[0]) != (size_t)from ||
	    utf16_units(&t, spans[1]) != (size_t)to)
		disagree(r, who, "matched elsewhere");
}

static bool
same_group(struct str got, const struct json *want, struct arena *a)
{
	if (json_is(want, JSON_NULL))
		return got.s == NULL;
	return got.s != NULL && str_eq(got, json_text(want, a));
}

static void
compare_groups(struct row *r, const char *who, const struct regex_match *m)
{
	const struct json *want = json_get(r->json, "captures");
	size_t i = 0;

	if (want == NULL || r->file->flavour != REGEX_JS)
		return;
	if (json_count(want) != m->n) {
		disagree(r, who, "another number of groups");
		return;
	}
	for (json_each(group, want))
		if (!same_group(m->groups[i++], group, r->arena))
			disagree(r, who, "captured something else");
}

static void
compare_names(
    struct row *r, const struct regex *re, const struct regex_match *m)
{
	for (json_members(key, json_get(r->json, "groups"))) {
		size_t n = regex_group(re, json_text(key, r->arena));

		if (n == 0 ||
		    !same_group(m->groups[n], json_value(key), r->arena))
			disagree(r, "regex_group", "another group");
	}
}

static void
run_public(struct row *r, const struct regex *re, bool want)
{
	struct regex_match m = { 0 };
	enum regex_found found = regex_search(re, r->text, NULL, r->arena);

	if (found != (want ? REGEX_YES : REGEX_NO))
		disagree(r, "regex_search", "another verdict");
	found = regex_search(re, r->text, &m, r->arena);
	if (found != (want ? REGEX_YES : REGEX_NO))
		disagree(r, "regex_search for groups", "another verdict");
	else if (want) {
		compare_groups(r, "regex_search", &m);
		compare_names(r, re, &m);
	}
}

static void
run_engine(struct row *r, const struct regex *re, size_t e, struct tally *t)
{
	bool want = json_is(json_get(r->json, "match"), JSON_TRUE);
	struct query q = { re, r->text, NULL, 0 };
	enum regex_found found;

	if (!engines[e].serves(&q))
		return;
	found = engines[e].search(&q);
	t->ran[e]++;
	t->gave_up[e] += found == REGEX_LIMIT;
	if (found == (want ? REGEX_NO : REGEX_YES))
		disagree(r, engines[e].name, "another verdict");
	q.spans = arena_new_n(
	    r->arena, size_t, 2 * regex_parsed(re)->pattern->groups);
	if (!engines[e].gives_spans || !engines[e].serves(&q))
		return;
	found = engines[e].search(&q);
	if (found == (want ? REGEX_NO : REGEX_YES))
		disagree(r, engines[e].name, "another verdict with spans");
	else if (found == REGEX_YES) {
		struct regex_match m;

		query_match(&q, &m, r->arena);
		compare_extent(r, engines[e].name, q.spans);
		compare_groups(r, engines[e].name, &m);
	}
}

/* Returns the text of a row. Each byte that is no UTF-8 is U+FFFD for Go. */
static struct str
from_hex(struct row *r, struct str hex)
{
	struct str *parts = NULL, bytes;
	char *to = str_c(r->arena, hex);
	size_t n = 0, length;

	for (size_t i = 0; i + 1 < hex.n; i += 2) {
		char digits[3] = { hex.s[i], hex.s[i + 1], 0 };

		to[i / 2] = (char)strtoul(digits, NULL, 16);
	}
	bytes = (struct str){ to, hex.n / 2 };
	for (; bytes.n != 0; bytes = str_from(bytes, length)) {
		uint32_t c = unicode_decode(bytes, &length);

		*arena_push(r->arena, parts, n) = c == UNICODE_REPLACEMENT
		    ? STR("\xef\xbf\xbd")
		    : str_slice(bytes, 0, length);
	}
	r->changed = true;
	return str_join(r->arena, parts, n, STR(""));
}

/* Reads the pattern and the text of a row as the real engine got them. */
static void
read_texts(struct row *r)
{
	bool lowered = json_get(r->json, "pattern_lower") != NULL;
	struct str hex = json_text(json_get(r->json, "input_hex"), r->arena);

	r->pattern = json_text(
	    json_get(r->json, lowered ? STR("pattern_lower") : STR("pattern")),
	    r->arena);
	r->text = json_text(
	    json_get(r->json, lowered ? STR("input_lower") : STR("input")),
	    r->arena);
	if (hex.s != NULL)
		r->text = from_hex(r, hex);
}

static void
compare_error(struct row *r, const struct regex_error *error)
{
	struct str want = json_text(json_get(r->json, "error"), r->arena);

	if (r->file->flavour != REGEX_JS && want.s != NULL &&
	    !str_eq(want, error->why))
		disagree(r, "regex_compile", "another reason");
}

/* Checks that a text which matches contains a literal that regex_literals requires. */
static void
run_factors(struct row *r, const struct regex *re)
{
	if (!regex_holds(re, unicode_lower_js(r->arena, r->text)) ||
	    !regex_holds(re, unicode_lower_go(r->arena, r->text)))
		disagree(r, "regex_factors", "a match is ruled out");
}

static void
run_row(struct row *r, struct tally *t)
{
	const struct json *match = json_get(r->json, "match");
	struct regex_error error;
	struct regex *re;

	if (!read_flags(r, t))
		return;
	if (has_lone_surrogate(json_get(r->json, "pattern")) ||
	    has_lone_surrogate(json_get(r->json, "input"))) {
		t->lone++;
		return;
	}
	read_texts(r);
	if (r->file->flavour == REGEX_PYTHON &&
	    str_contains(r->pattern, "\\N{")) {
		t->names++;
		return;
	}
	re = regex_compile(
	    r->arena, r->file->flavour, r->pattern, r->flags, &error);
	if (json_is(match, JSON_STRING)) {
		if (re != NULL)
			disagree(r, "regex_compile", "accepted");
		else
			compare_error(r, &error);
	} else if (re == NULL) {
		disagree(r, "regex_compile", "refused");
	} else {
		run_public(r, re, json_is(match, JSON_TRUE));
		for (size_t e = 0; e < engines_n; e++)
			run_engine(r, re, e, t);
		if (json_is(match, JSON_TRUE))
			run_factors(r, re);
	}
	regex_free(re);
	*(r->wrong ? &t->disagreed : &t->agreed) += 1;
}

static void
print_counts(const struct file *file, const struct tally *t)
{
	printf("%s: %zu agreed, %zu disagreed, %zu out of scope"
	       " (%zu flag u or v, %zu invalid flags, %zu lone surrogate,"
	       " %zu character names)\n",
	    file->name, t->agreed, t->disagreed,
	    t->unicode + t->bad_flags + t->lone + t->names, t->unicode,
	    t->bad_flags, t->lone, t->names);
	printf("%s: rows run by", file->name);
	for (size_t e = 0; e < engines_n; e++)
		printf(
		    "%s %s %zu", e == 0 ? "" : ",", engines[e].name, t->ran[e]);
	printf("\n");
}

static void
run_file(const struct file *file, FILE *f)
{
	struct json_reader reader = { 0 };
	struct arena arena = { 0 };
	struct tally t = { 0 };
	char *line = NULL;
	size_t size = 0, lines = 0;
	ssize_t n;

	while ((n = getline(&line, &size, f)) >= 0) {
		struct json_error error;
		struct row r = {
			.file = file, .line = ++lines, .arena = &arena
		};

		r.json = json_read(
		    &reader, (struct str){ line, (size_t)n }, NULL, &error);
		CHECK(r.json != NULL);
		if (r.json != NULL)
			run_row(&r, &t);
		arena_reset(&arena);
	}
	free(line);
	json_reader_free(&reader);
	arena_free(&arena);
	print_counts(file, &t);
	CHECK(t.agreed > 0 && t.disagreed == 0);
}

int
main(void)
{
	const char *shared = getenv("SHARED");
	char path[4096];

	CHECK(engines_n <= ENGINES_MAX);
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		FILE *f;

		snprintf(path, sizeof path, "%s/cases/%s.ndjson",
		    shared == NULL ? "../shared" : shared, files[i].name);
		f = fopen(path, "r");
		if (f == NULL) {
			snprintf(path, sizeof path, "testdata/cases/%s.ndjson",
			    files[i].name);
			f = fopen(path, "r");
		}
		if (f == NULL) {
			printf("regex_cases: no %s, not run\n", path);
			continue;
		}
		run_file(&files[i], f);
		fclose(f);
	}
	return unit_status();
}
