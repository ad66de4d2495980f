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
	re->jit = new_jit(a, re);
	re->linear = linear_new(a, re->pattern);
	re->program = program_new(a, re->pattern);
	return re;
}

void
regex_free(struct regex *re)
{
	if (re != NULL)
		jit_free(re->jit);
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
