/* (?flags) and (?flags:...) in Python's patterns. */
#include <string.h>

#include "python.h"

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

static bool
is_letter(uint32_t c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* What is wrong with a character that is no flag; `missing` is what Python
 * would have liked there. */
static void
no_flag(struct python *p, uint32_t c, const char *missing)
{
	size_t at = p->at;

	if (c != PYTHON_END)
		while (at > 0 &&
		    ((unsigned char)p->pattern.s[--at] & 0xc0) == 0x80)
			;
	python_fail_c(
	    p, at, c != PYTHON_END && is_letter(c) ? "unknown flag" : missing);
}

/* Letters of flags, from c on, up to one of the characters in `stop`, which is
 * returned. */
static uint32_t
letters(struct python *p, uint32_t c, unsigned *set, const char *stop,
    const char *missing)
{
	const unsigned types = PYTHON_ASCII | PYTHON_UNICODE;

	for (;;) {
		unsigned flag = python_flag(c);

		if (flag == PYTHON_LOCALE)
			python_fail_c(p, p->at,
			    "bad inline flags: cannot use 'L' flag with a str "
			    "pattern");
		*set |= flag;
		if ((*set & types) == types)
			python_fail_c(p, p->at,
			    "bad inline flags: flags 'a', 'u' and 'L' are "
			    "incompatible");
		c = python_next(p);
		if (c < 0x80 && c != 0 && strchr(stop, (int)c) != NULL)
			return c;
		if (python_flag(c) == 0 || p->failed) {
			no_flag(p, c, missing);
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
	letters(p, c, &off, ":", "missing :");
	if (off & (PYTHON_ASCII | PYTHON_UNICODE | PYTHON_LOCALE))
		python_fail_c(p, p->at,
		    "bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
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
		c = letters(p, c, &on, ")-:", "missing -, : or )");
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
