/* (?flags) and (?flags:...) in Python's patterns. */
#include <string.h>

#include "lang/py.h"
#include "regex/flavour/python.h"

unsigned
python_flag(uint32_t c)
{
	static const struct {
		char letter;
		unsigned flag;
	} flags[] = {
		{ 'a', PYTHON_ASCII },
		{ 'i', PYTHON_FOLD },
		{ 'm', PYTHON_LINES },
		{ 's', PYTHON_DOT_ALL },
		{ 'u', PYTHON_UNICODE },
		{ 'x', PYTHON_VERBOSE },
		{ 'L', PYTHON_LOCALE },
	};

	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (c == (uint32_t)flags[i].letter)
			return flags[i].flag;
	return 0;
}

/* What is wrong with a character that is no flag; `missing` is what Python
 * would have liked there. */
static void
no_flag(struct python *p, uint32_t c, const char *missing)
{
	if (c == PYTHON_END)
		python_fail_c(p, p->at, missing);
	else
		python_fail_c(p, python_back(p, 1),
		    py_isalpha(c) ? "unknown flag" : missing);
}

static const char *
why_not(unsigned flag, unsigned set, bool off)
{
	const unsigned types = PYTHON_ASCII | PYTHON_UNICODE;

	if (off)
		return flag & (types | PYTHON_LOCALE)
		    ? "cannot turn off flags 'a', 'u' and 'L'"
		    : NULL;
	if (flag == PYTHON_LOCALE)
		return "cannot use 'L' flag with a str pattern";
	return (set & types) == types
	    ? "flags 'a', 'u' and 'L' are incompatible"
	    : NULL;
}

/* Letters of flags, from c on, that are turned on or off; returns what ends
 * them. */
static uint32_t
letters(struct python *p, uint32_t c, unsigned *set, bool off)
{
	const char *stop = off ? ":" : ")-:", *why;

	for (;;) {
		unsigned flag = python_flag(c);

		*set |= flag;
		why = why_not(flag, *set, off);
		if (why != NULL)
			python_fail(p, p->at,
			    str_printf(p->arena, "bad inline flags: %s", why));
		c = python_next(p);
		if (c < 0x80 && c != 0 && strchr(stop, (int)c) != NULL)
			return c;
		if (python_flag(c) == 0 || p->failed) {
			no_flag(p, c, off ? "missing :" : "missing -, : or )");
			return PYTHON_END;
		}
	}
}

/* Flags turned off, behind the '-' and up to the ':'. */
static unsigned
flags_off(struct python *p, unsigned on)
{
	unsigned off = 0;
	uint32_t c = python_next(p);

	if (python_flag(c) == 0) {
		no_flag(p, c, "missing flag");
		return 0;
	}
	letters(p, c, &off, true);
	if (on & off)
		python_fail_c(
		    p, p->at - 1, "bad inline flags: flag turned on and off");
	return off;
}

/*
 * (?flags) and (?flags:...), behind the "(?" and its first letter c. The first
 * kind, which holds for the whole pattern, gives NULL.
 */
struct tree *
python_flags(struct python *p, size_t open, uint32_t c, bool first)
{
	unsigned on = 0, off = 0, outside = p->flags;
	struct tree *t;

	if (c != '-')
		c = letters(p, c, &on, false);
	if (c == ')') {
		if (!first)
			python_fail_c(p, open,
			    "global flags not at the start of the expression");
		p->flags |= on;
		return NULL;
	}
	if (c == '-')
		off = flags_off(p, on);
	if (on & PYTHON_ASCII)
		p->flags &= ~(unsigned)PYTHON_UNICODE;
	if (on & PYTHON_UNICODE)
		p->flags &= ~(unsigned)PYTHON_ASCII;
	p->flags = (p->flags | on) & ~off;
	t = python_within(p, open);
	p->flags = outside;
	return t;
}
