/* Compiles and searches. regex_compile parses the pattern at once, to check it;
 * the other data that a search needs are computed at the first search, once for
 * all threads. */
#include "emulate/regex/regex.h"

#include <stdatomic.h>

#include "base/utf8.h"
#include "emulate/regex/engine/engine.h"
#include "emulate/regex/flavour/parse.h"
#include "emulate/regex/tree/literals.h"
#include "text/caseless.h"

enum {
	/* Above this text length, PCRE2 may be slow on a pattern with loops
	 * long before its limits stop it. */
	LONG_TEXT = 16384,
};

static regex_parse *const parsers[REGEX_FLAVOURS] = {
	[REGEX_JS] = regex_parse_js,
	[REGEX_RE2] = regex_parse_re2,
	[REGEX_PYTHON] = regex_parse_python,
};

static bool
valid_utf8(struct str text, size_t *bad)
{
	size_t length;

	for (*bad = 0; *bad < text.n; *bad += length) {
		length = utf8_length(text.s + *bad, text.n - *bad);
		if (length == 0)
			return false;
	}
	return true;
}

/* Returns whether PCRE2 can match the text as bytes, which is faster than
 * UTF-8. A lazy repetition may stop in the middle of a character, so that such
 * a pattern cannot if it takes characters beyond ASCII. */
static bool
may_take_bytes(const struct analysis *f)
{
	return !f->counts_bytes && !(f->lazy && f->takes_wide);
}

/* ---- what is made of a pattern ---- */

/* One lazily computed value, and the arena that it lives in. */
struct artifact {
	struct arena arena;
	void *value;
};

enum artifact_kind {
	ARTIFACT_PARSED,
	ARTIFACT_DFA_SEARCH,
	ARTIFACT_PROGRAM,
	ARTIFACTS,
};

struct artifacts {
	_Atomic(struct artifact *) list[ARTIFACTS]; /* NULL: not computed yet */
};

/* Parses the pattern again; regex_compile has found it valid. */
static const struct pattern *
parse_again(struct arena *a, const struct regex *re)
{
	struct regex_error error;

	return parsers[re->flavour](a, re->source, re->flags, &error);
}

static struct str *
copy_list(struct arena *a, const struct str *from, size_t n)
{
	struct str *list = arena_new_n(a, struct str, n);

	for (size_t i = 0; i < n; i++)
		if (from[i].s != NULL)
			list[i] = str_dup(a, from[i]);
	return list;
}

/* Returns a copy of the pattern without its tree. The tree takes more memory
 * than everything else, and few patterns need it a second time. */
static struct pattern *
without_tree(struct arena *a, const struct pattern *pattern)
{
	struct pattern *p = arena_new(a, struct pattern);

	*p = *pattern;
	p->root = NULL;
	p->names = copy_list(a, pattern->names, pattern->groups);
	return p;
}

/* Compiles the pattern with PCRE2. Returns NULL where PCRE2 cannot give the
 * flavour's answer: no version of PCRE2 reads lookbehinds from right to left,
 * or compares as ECMAScript does. */
static struct pcre2_regex *
new_pcre2_regex(
    struct arena *a, const struct pattern *pattern, const struct parsed *p)
{
	const struct analysis *f = &p->analysis;
	unsigned options = (p->bytes ? 0 : PCRE2_REGEX_UTF) |
	    (pattern->anchored ? PCRE2_REGEX_ANCHORED : 0) |
	    (pattern->perl ? 0 : PCRE2_REGEX_UNSET) |
	    (f->misleads ? PCRE2_REGEX_PLAIN : 0);

	if (f->looks_far_behind || f->caseless_backrefs)
		return NULL;
	return pcre2_regex_new(emit_pcre2(a, pattern, p->bytes), options);
}

static struct parsed *
new_parsed(struct arena *a, const struct regex *re)
{
	struct parsed *p = arena_new(a, struct parsed);
	struct arena scratch = { 0 };
	const struct pattern *pattern = parse_again(&scratch, re);

	p->pattern = without_tree(a, pattern);
	p->analysis = analysis_of(pattern);
	p->bytes = may_take_bytes(&p->analysis);
	p->pcre2 = new_pcre2_regex(&scratch, pattern, p);
	arena_free(&scratch);
	return p;
}

static struct artifact *
new_artifact(const struct regex *re, enum artifact_kind which)
{
	struct arena a = { 0 };
	struct artifact *made = arena_new(&a, struct artifact);

	switch (which) {
	case ARTIFACT_PARSED:
		made->value = new_parsed(&a, re);
		break;
	case ARTIFACT_DFA_SEARCH:
		made->value = dfa_search_new(&a, parse_again(&a, re));
		break;
	default:
		made->value = program_new(&a, parse_again(&a, re));
	}
	made->arena = a;
	return made;
}

static void
free_artifact(struct artifact *made, enum artifact_kind which)
{
	struct arena a;

	if (made == NULL)
		return;
	if (which == ARTIFACT_PARSED)
		pcre2_regex_free(((struct parsed *)made->value)->pcre2);
	a = made->arena;
	arena_free(&a);
}

/* Computes the artifact. No thread waits for another thread that computes the same
 * artifact: the first result is kept, any other is freed. */
static __attribute__((noinline)) struct artifact *
first_artifact(const struct regex *re, enum artifact_kind which)
{
	struct artifact *mine = new_artifact(re, which), *made = NULL;

	if (atomic_compare_exchange_strong(
		&re->artifacts->list[which], &made, mine))
		return mine;
	free_artifact(mine, which);
	return made;
}

/* Returns the artifact of this kind, and computes the artifact first if no
 * thread has. */
static inline void *
artifact(const struct regex *re, enum artifact_kind which)
{
	struct artifact *made = atomic_load_explicit(
	    &re->artifacts->list[which], memory_order_acquire);

	if (made == NULL)
		made = first_artifact(re, which);
	return made->value;
}

const struct parsed *
regex_parsed(const struct regex *re)
{
	return artifact(re, ARTIFACT_PARSED);
}

struct dfa_search *
regex_dfa_search(const struct regex *re)
{
	return artifact(re, ARTIFACT_DFA_SEARCH);
}

struct program *
regex_program(const struct regex *re)
{
	return artifact(re, ARTIFACT_PROGRAM);
}

/* ---- patterns ---- */

/* Returns NULL if the flavour refuses the pattern. */
static const struct pattern *
parse(struct arena *a, const struct regex *re, struct regex_error *error)
{
	*error = (struct regex_error){ 0 };
	if (!valid_utf8(re->source, &error->offset)) {
		error->why = STR("invalid UTF-8");
		return NULL;
	}
	return parsers[re->flavour](a, re->source, re->flags, error);
}

/* Returns whether JSON needs no escapes for the texts. */
static bool
are_written_alike(struct str_list texts)
{
	for (size_t i = 0; i < texts.n; i++)
		for (size_t k = 0; k < texts.list[i].n; k++)
			if ((unsigned char)texts.list[i].s[k] < ' ' ||
			    strchr("\"\\", texts.list[i].s[k]) != NULL)
				return false;
	return true;
}

enum { KEY_HEAD = 2 }; /* bytes before the pattern */

static struct str
key_of(struct arena *a, const struct regex *re)
{
	const char head[KEY_HEAD] = { (char)re->flavour, (char)re->flags };

	return str_cat(a, (struct str){ head, KEY_HEAD }, re->source);
}

struct regex *
regex_compile(struct arena *a, enum regex_flavour flavour, struct str pattern,
    unsigned flags, struct regex_error *error)
{
	struct regex *re = arena_new(a, struct regex);
	struct arena scratch = { 0 };
	const struct pattern *p;

	*re = (struct regex){
		.flavour = flavour, .flags = flags, .source = pattern
	};
	p = parse(&scratch, re, error);
	if (p == NULL) {
		error->why = str_dup(a, error->why);
	} else {
		re->key = key_of(a, re);
		re->source = str_from(re->key, KEY_HEAD);
		re->literals = literals_of(&scratch, p);
		re->literals.list =
		    copy_list(a, re->literals.list, re->literals.n);
		re->set = caseless_set_of(a, re->literals);
		re->written_alike = are_written_alike(re->literals);
		re->plain_text = literals_plain_text(a, p);
		re->artifacts = arena_new(a, struct artifacts);
	}
	arena_free(&scratch);
	return p == NULL ? NULL : re;
}

struct str
regex_error_text(struct arena *a, const struct regex_error *e)
{
	/* Python's reason ends with the offset in characters. */
	struct str why =
	    str_slice(e->why, 0, str_find(e->why, " at position "));

	if (e->unsupported != NULL)
		why = str_printf(a, "%s is not supported by RE2: %.*s",
		    e->unsupported, STR_FMT(why));
	return str_printf(a, "%.*s (at offset %zu)", STR_FMT(why), e->offset);
}

struct str_list
regex_literals(const struct regex *re)
{
	return re->literals;
}

void
regex_share(struct regex *re, struct hash_table *seen)
{
	void **artifacts = hash_put(seen, re->key);

	if (*artifacts == NULL)
		*artifacts = re->artifacts;
	if (*artifacts != re->artifacts)
		regex_free(re);
	re->artifacts = *artifacts;
}

/* Regexes that share artifacts are freed one by one: an artifact that was freed
 * is not computed again. */
void
regex_free(struct regex *re)
{
	for (int i = 0; re != NULL && i < ARTIFACTS; i++)
		free_artifact(atomic_exchange(&re->artifacts->list[i], NULL),
		    (enum artifact_kind)i);
}

size_t
regex_group(const struct regex *re, struct str name)
{
	const struct pattern *p = regex_parsed(re)->pattern;

	for (size_t i = 1; i < p->groups; i++)
		if (p->names[i].s != NULL && str_eq(p->names[i], name))
			return i;
	return 0;
}

/* ---- searching ---- */

/* Runs one engine. Returns REGEX_LIMIT also if the engine does not serve this
 * query, or cannot give all that the query asks for. */
static enum regex_found
ask(const struct engine *e, const struct query *q)
{
	bool risky =
	    regex_parsed(q->re)->analysis.loops && q->text.n > LONG_TEXT;
	enum regex_found found;

	if ((risky && !e->bounded) || !e->serves(q))
		return REGEX_LIMIT;
	found = e->search(q);
	if (found == REGEX_YES && q->spans != NULL && !e->gives_spans)
		return REGEX_LIMIT;
	return found;
}

enum regex_found
regex_search_from(const struct regex *re, struct str text, size_t from,
    struct regex_match *match, struct arena *a)
{
	struct query q = { re, text, NULL, from };
	enum regex_found found = REGEX_LIMIT;

	if (match == NULL && re->plain_text.s != NULL)
		return caseless_has(str_from(text, from), re->plain_text)
		    ? REGEX_YES
		    : REGEX_NO;
	if (re->set != NULL &&
	    caseless_set_misses(re->set, str_from(text, from)))
		return REGEX_NO;
	if (match != NULL)
		q.spans = arena_new_n(
		    a, size_t, 2 * regex_parsed(re)->pattern->groups);
	for (size_t i = 0; i < engines_n && found == REGEX_LIMIT; i++)
		found = ask(&engines[i], &q);
	if (found == REGEX_YES && match != NULL)
		query_match(&q, match, a);
	return found;
}

/* Returns whether the JSON may have an escape that its text does not need. */
static bool
has_free_escape(struct str json)
{
	while (str_cut(&json, '\\').s != NULL && json.s != NULL)
		if (json.n != 0 && (json.s[0] == 'u' || json.s[0] == '/'))
			return true;
	return false;
}

bool
regex_misses_json(const struct regex *re, struct str json)
{
	return re->set != NULL && re->written_alike &&
	    caseless_set_misses(re->set, json) && !has_free_escape(json);
}

enum regex_found
regex_search(const struct regex *re, struct str text, struct regex_match *match,
    struct arena *a)
{
	return regex_search_from(re, text, 0, match, a);
}
