/* Makes of a pattern what runs it: a parser checks it at once, and the rest is
 * made when it is first asked for, once for all threads. */
#include "regex/regex.h"

#include <stdatomic.h>

#include "base/utf8.h"
#include "regex/engine/emit_pcre2.h"
#include "regex/engine/engine.h"
#include "regex/flavour/parse.h"
#include "regex/tree/literals.h"
#include "text/caseless.h"

enum {
	/* Beyond this a pattern that loops may be slow in PCRE2 long before
	 * its limits strike. */
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

/* Bytes are faster. A repetition that stops as soon as it can may stop within
 * a character. */
static bool
may_take_bytes(const struct analysis *f)
{
	return !f->counts_bytes && !(f->lazy && f->takes_wide);
}

/* ---- what is made of a pattern ---- */

/* Something, and the memory that it lives in. */
struct made {
	struct arena arena;
	void *thing;
};

enum thing {
	PARSED,
	LINEAR,
	PROGRAM,
	THINGS,
};

struct things {
	_Atomic(struct made *) made[THINGS]; /* NULL: not yet */
};

/* Reads the pattern once more; it was found good. */
static const struct pattern *
read_again(struct arena *a, const struct regex *re)
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

/* The tree takes more room than all else; few patterns need it twice. */
static struct pattern *
without_tree(struct arena *a, const struct pattern *pattern)
{
	struct pattern *p = arena_new(a, struct pattern);

	*p = *pattern;
	p->root = NULL;
	p->names = copy_list(a, pattern->names, pattern->groups);
	return p;
}

/* No version of PCRE2 reads lookbehinds from right to left, or compares as
 * ECMAScript does. */
static struct jit *
new_jit(struct arena *a, const struct pattern *pattern, const struct parsed *p)
{
	const struct analysis *f = &p->facts;
	unsigned options = (p->bytes ? 0 : JIT_UTF) |
	    (pattern->anchored ? JIT_ANCHORED : 0) |
	    (pattern->perl ? 0 : JIT_UNSET) | (f->misleads ? JIT_PLAIN : 0);

	if (f->looks_far_behind || f->caseless_backrefs)
		return NULL;
	return jit_new(emit_pcre2(a, pattern, p->bytes), options);
}

static struct parsed *
new_parsed(struct arena *a, const struct regex *re)
{
	struct parsed *p = arena_new(a, struct parsed);
	struct arena moment = { 0 };
	const struct pattern *pattern = read_again(&moment, re);

	p->pattern = without_tree(a, pattern);
	p->facts = analysis_of(pattern);
	p->bytes = may_take_bytes(&p->facts);
	p->jit = new_jit(&moment, pattern, p);
	arena_free(&moment);
	return p;
}

static struct made *
make(const struct regex *re, enum thing which)
{
	struct arena a = { 0 };
	struct made *made = arena_new(&a, struct made);

	switch (which) {
	case PARSED:
		made->thing = new_parsed(&a, re);
		break;
	case LINEAR:
		made->thing = dfa_search_new(&a, read_again(&a, re));
		break;
	default:
		made->thing = program_new(&a, read_again(&a, re));
	}
	made->arena = a;
	return made;
}

static void
unmake(struct made *made, enum thing which)
{
	struct arena a;

	if (made == NULL)
		return;
	if (which == PARSED)
		jit_free(((struct parsed *)made->thing)->jit);
	a = made->arena;
	arena_free(&a);
}

/* Nobody waits for another thread that makes the same: the first one's is
 * kept. */
static void *
thing(const struct regex *re, enum thing which)
{
	_Atomic(struct made *) *place = &re->things->made[which];
	struct made *made = atomic_load_explicit(place, memory_order_acquire);
	struct made *mine;

	if (made != NULL)
		return made->thing;
	mine = make(re, which);
	if (atomic_compare_exchange_strong(place, &made, mine))
		return mine->thing;
	unmake(mine, which);
	return made->thing;
}

const struct parsed *
regex_parsed(const struct regex *re)
{
	return thing(re, PARSED);
}

struct dfa_search *
regex_linear(const struct regex *re)
{
	return thing(re, LINEAR);
}

struct program *
regex_program(const struct regex *re)
{
	return thing(re, PROGRAM);
}

/* ---- patterns ---- */

/* NULL if the flavour does not take the pattern. */
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
	struct arena moment = { 0 };
	const struct pattern *p;

	*re = (struct regex){
		.flavour = flavour, .flags = flags, .source = pattern
	};
	p = parse(&moment, re, error);
	if (p == NULL) {
		error->why = str_dup(a, error->why);
	} else {
		re->key = key_of(a, re);
		re->source = str_from(re->key, KEY_HEAD);
		re->factors = literals_of(&moment, p);
		re->factors.list =
		    copy_list(a, re->factors.list, re->factors.n);
		re->whole = literals_whole(a, p);
		re->things = arena_new(a, struct things);
	}
	arena_free(&moment);
	return p == NULL ? NULL : re;
}

struct str_list
regex_literals(const struct regex *re)
{
	return re->factors;
}

bool
regex_is_ready(const struct regex *re)
{
	return re->whole.s != NULL ||
	    atomic_load(&re->things->made[PARSED]) != NULL;
}

void
regex_share(struct regex *re, struct hash_table *seen)
{
	void **things = hash_put(seen, re->key);

	if (*things == NULL)
		*things = re->things;
	re->things = *things;
}

/* Those who share are freed one by one: nothing is made of them any more. */
void
regex_free(struct regex *re)
{
	for (int i = 0; re != NULL && i < THINGS; i++)
		unmake(
		    atomic_exchange(&re->things->made[i], NULL), (enum thing)i);
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

/* What the machine makes of it; REGEX_LIMIT also if it is not the one to ask,
 * or its answer is none to what is asked. */
static enum regex_found
ask(const struct engine *e, const struct query *q)
{
	bool risky = regex_parsed(q->re)->facts.loops && q->text.n > LONG_TEXT;
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

	if (match == NULL && re->whole.s != NULL)
		return caseless_has(str_from(text, from), re->whole) ? REGEX_YES
								     : REGEX_NO;
	if (match != NULL)
		q.spans = arena_new_n(
		    a, size_t, 2 * regex_parsed(re)->pattern->groups);
	for (size_t i = 0; i < engines_n && found == REGEX_LIMIT; i++)
		found = ask(&engines[i], &q);
	if (found == REGEX_YES && match != NULL)
		query_match(&q, match, a);
	return found;
}

enum regex_found
regex_search(const struct regex *re, struct str text, struct regex_match *match,
    struct arena *a)
{
	return regex_search_from(re, text, 0, match, a);
}
