#include "yaml/policy.h"

#include <stdarg.h>

#include "io/in.h"
#include "text/unicode.h"

size_t
policy_most(const struct policy *p)
{
	return p == NULL || p->most < IN_MAX_LINE ? IN_MAX_LINE : p->most;
}

void
policy_begin_file(struct policy *p, struct arena *a)
{
	p->lost = NULL;
	p->nlost = 0;
	p->levels = NULL;
	p->reported = (struct hash_table){ .arena = a };
}

/* Counts a mistake. Returns whether it is an error, and no warning. */
static bool
count(struct policy *p, enum mistake kind)
{
	if (p == NULL)
		return kind != MISTAKE_REMARK;
	if (kind == MISTAKE_REMARK && !p->strict)
		return false;
	if (p->keep_going)
		p->forgiven++;
	else if (kind == MISTAKE_SPOILS)
		p->spoilt++;
	return !p->keep_going;
}

/* Returns whether the message was reported before: a part of a file may be read
 * several times. */
static bool
is_reported(struct policy *p, struct place at, struct str text)
{
	void **slot;

	if (p == NULL || p->reported.arena == NULL || at.file == NULL)
		return false;
	slot = hash_put(&p->reported,
	    str_printf(p->reported.arena, "%s:%zu:%zu: %.*s", at.file,
		(size_t)at.line, (size_t)at.column, STR_FMT(text)));
	if (*slot != NULL)
		return true;
	*slot = p;
	return false;
}

bool
policy_report(struct policy *p, enum mistake kind, struct place at,
    const char *format, ...)
{
	va_list args;
	bool mistake;

	va_start(args, format);
	mistake = policy_vreport(p, kind, at, format, args);
	va_end(args);
	return mistake;
}

bool
policy_vreport(struct policy *p, enum mistake kind, struct place at,
    const char *format, va_list args)
{
	struct arena a = { 0 };
	struct str text = str_vprintf(&a, format, args);

	if (is_reported(p, at, text))
		;
	else if (count(p, kind))
		diag_error(at, "%.*s", STR_FMT(text));
	else
		diag_warn(at, "%.*s", STR_FMT(text));
	arena_free(&a);
	return kind != MISTAKE_REMARK || (p != NULL && p->strict);
}

bool
policy_is_note(struct str key)
{
	return str_is_one_of(key,
	    "$schema description notes version name tags category metadata");
}

bool
policy_turns_or_bounds(struct str key)
{
	if (str_is_one_of(key,
		"not negate negated invert inverted min max at_least at_most "
		"atLeast atMost exactly"))
		return true;
	return key.n > 3 &&
	    (str_starts(key, "min") || str_starts(key, "max")) &&
	    (key.s[3] == '_' || key.s[3] == '-' ||
		(key.s[3] >= 'A' && key.s[3] <= 'Z'));
}

const char *
policy_level_of(const struct policy *p, struct str key)
{
	const struct key_level *row = p == NULL ? NULL : p->levels;

	for (; row != NULL && row->keys != NULL; row++)
		if (str_is_one_of(key, row->keys))
			return row->level;
	return NULL;
}

/* Returns whether an author may take the key for a check that is made. */
static bool
looks_like_check(struct arena *a, struct str key)
{
	static const char *const signs[] = { "assert", "expect", "must",
		"should", "check", "criteri", "rubric", "verif", "forbid",
		"require", "contain", "match", "pass", "fail", "score",
		"threshold", "test", "valid", "judge", "grade" };
	struct str lower = unicode_lower_go(a, key);

	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (str_contains(lower, str_of(signs[i])))
			return true;
	return false;
}

bool
policy_report_unknown(
    struct policy *p, struct place at, struct str where, struct str key)
{
	struct arena *a = p->reported.arena;
	bool is_check = looks_like_check(a, key);
	void **known;

	known = hash_put(&p->reported, key);
	if (*known != NULL)
		return p->strict;
	*known = p;
	if (is_check)
		*arena_push(a, p->lost, p->nlost) = key;
	return policy_report(p, MISTAKE_REMARK, at,
	    is_check
		? "%.*s: unknown key '%.*s' looks like a check, but is ignored"
		: "%.*s: unknown key '%.*s' is ignored",
	    STR_FMT(where), STR_FMT(key));
}
