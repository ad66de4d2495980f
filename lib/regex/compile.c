#include <stdatomic.h>

#include "../unicode.h"
#include "emit.h"
#include "engine.h"
#include "parse.h"

static regex_parse *const parsers[] = {
	[REGEX_JS] = regex_parse_js,
	[REGEX_RE2] = regex_parse_re2,
	[REGEX_PYTHON] = regex_parse_python,
	[REGEX_PCRE] = NULL,
};

static bool
valid_utf8(struct str text, size_t *bad)
{
	size_t length;

	for (*bad = 0; *bad < text.n; *bad += length)
		if (unicode_decode(str_from(text, *bad), &length) ==
			UNICODE_REPLACEMENT &&
		    length == 1)
			return false;
	return true;
}

/* Bytes are faster. A repetition that stops as soon as it can may stop within
 * a character. */
static bool
may_take_bytes(const struct facts *f)
{
	return !f->counts_bytes && !(f->lazy && f->takes_wide);
}

/* ---- machines ---- */

/* What a machine runs, and the memory that it lives in. */
struct made {
	struct arena arena;
	void *machine;
};

enum machine {
	JIT,
	LINEAR,
	PROGRAM,
	MACHINES,
};

struct machines {
	_Atomic(struct made *) made[MACHINES]; /* NULL: not yet */
};

/* No version of PCRE2 reads lookbehinds from right to left, or compares as
 * ECMAScript does. */
static struct jit *
new_jit(struct arena *a, const struct regex *re)
{
	const struct facts *f = &re->facts;
	unsigned options = (re->bytes ? 0 : JIT_UTF) |
	    (re->pattern->anchored ? JIT_ANCHORED : 0) |
	    (re->pattern->perl ? 0 : JIT_UNSET) | (f->misleads ? JIT_PLAIN : 0);

	if (f->looks_far_behind || f->caseless_backrefs)
		return NULL;
	return jit_new(a, emit_pcre2(a, re->pattern, re->bytes), options);
}

static struct made *
make(const struct regex *re, enum machine which)
{
	struct arena a = { 0 };
	struct made *made = arena_new(&a, struct made);

	switch (which) {
	case JIT:
		made->machine = new_jit(&a, re);
		break;
	case LINEAR:
		made->machine = linear_new(&a, re->pattern);
		break;
	default:
		made->machine = program_new(&a, re->pattern);
	}
	made->arena = a;
	return made;
}

static void
unmake(struct made *made, enum machine which)
{
	struct arena a;

	if (made == NULL)
		return;
	if (which == JIT)
		jit_free(made->machine);
	a = made->arena;
	arena_free(&a);
}

/* Nobody waits for another thread that makes the same: the first one's is
 * kept. */
static void *
machine(const struct regex *re, enum machine which)
{
	_Atomic(struct made *) *place = &re->machines->made[which];
	struct made *made = atomic_load_explicit(place, memory_order_acquire);
	struct made *mine;

	if (made != NULL)
		return made->machine;
	mine = make(re, which);
	if (atomic_compare_exchange_strong(place, &made, mine))
		return mine->machine;
	unmake(mine, which);
	return made->machine;
}

struct jit *
regex_jit(const struct regex *re)
{
	return machine(re, JIT);
}

struct linear *
regex_linear(const struct regex *re)
{
	return machine(re, LINEAR);
}

struct program *
regex_program(const struct regex *re)
{
	return machine(re, PROGRAM);
}

/* ---- patterns ---- */

struct regex *
regex_compile(struct arena *a, enum regex_flavour flavour, struct str pattern,
    unsigned flags, struct regex_error *error)
{
	struct regex *re = arena_new(a, struct regex);

	*error = (struct regex_error){ 0 };
	if (!valid_utf8(pattern, &error->offset)) {
		error->why = STR("invalid UTF-8");
		return NULL;
	}
	if (parsers[flavour] == NULL) {
		error->why = STR("no parser for this flavour");
		return NULL;
	}
	re->pattern = parsers[flavour](a, pattern, flags, error);
	if (re->pattern == NULL)
		return NULL;
	re->facts = facts_of(re->pattern);
	re->bytes = may_take_bytes(&re->facts);
	re->machines = arena_new(a, struct machines);
	return re;
}

void
regex_free(struct regex *re)
{
	for (int i = 0; re != NULL && i < MACHINES; i++)
		unmake(atomic_load(&re->machines->made[i]), (enum machine)i);
}

size_t
regex_group(const struct regex *re, struct str name)
{
	for (size_t i = 1; i < re->pattern->groups; i++)
		if (re->pattern->names[i].s != NULL &&
		    str_eq(re->pattern->names[i], name))
			return i;
	return 0;
}
