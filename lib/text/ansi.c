/*
 * The states of a VT500 terminal's parser, as in charmbracelet/x/ansi, by which
 * evolve strips texts. Single bytes that are C1 controls are left out, since
 * UTF-8 does not have them.
 */
#include "text/ansi.h"

enum {
	BEL = 0x07,
	CAN = 0x18,
	SUB = 0x1a,
	ESC = 0x1b,
	DEL = 0x7f,
};

enum state {
	GROUND,
	ESCAPE,
	ESCAPE_INTERMEDIATE,
	CSI,
	CSI_INTERMEDIATE,
	DCS,
	DCS_PARAMETERS,
	DCS_INTERMEDIATE,
	OSC,
	STRING, /* of DCS, SOS, PM or APC */
};

static bool
is_string(enum state s)
{
	return s == OSC || s == STRING;
}

static enum state
behind_escape(unsigned char c)
{
	switch (c) {
	case '[':
		return CSI;
	case ']':
		return OSC;
	case 'P':
		return DCS;
	case 'X':
	case '^':
	case '_':
		return STRING;
	default:
		return c < '0' ? ESCAPE_INTERMEDIATE : GROUND;
	}
}

/* Returns the state after a printable character. */
static enum state
behind(enum state s, unsigned char c)
{
	switch (s) {
	case ESCAPE:
		return behind_escape(c);
	case ESCAPE_INTERMEDIATE:
		return c < '0' ? s : GROUND;
	case CSI:
		return c < '0' ? CSI_INTERMEDIATE : c < '@' ? s : GROUND;
	case CSI_INTERMEDIATE: /* a parameter ends the sequence here */
		return c < '0' ? s : GROUND;
	case DCS:
	case DCS_PARAMETERS:
		return c < '0' ? DCS_INTERMEDIATE
		    : c < '@'  ? DCS_PARAMETERS
			       : STRING;
	case DCS_INTERMEDIATE:
		return c < '0' ? s : STRING;
	default:
		return s;
	}
}

/* Moves to the state after a control character. Returns whether the character
 * stays in the text. */
static bool
control(enum state *s, unsigned char c)
{
	enum state old = *s;

	if (c == CAN || c == SUB) {
		*s = GROUND;
		return !is_string(old);
	}
	if (c == ESC) /* tmux wraps sequences in DCS */
		*s = old == DCS ? STRING : ESCAPE;
	else if (c == BEL && old == OSC)
		*s = GROUND;
	else if (old == DCS && c >= '\b' && c <= '\r')
		*s = STRING;
	return c != ESC && (c != DEL || old == GROUND) && old < DCS;
}

/* Moves to the state after any byte. Returns whether the byte stays. */
static bool
stays(enum state *s, unsigned char c)
{
	enum state old = *s;

	if (c < ' ' || c == DEL)
		return control(s, c);
	if (c > DEL) { /* of a character beyond ASCII */
		if (!is_string(old))
			*s = GROUND;
		return !is_string(old);
	}
	*s = behind(old, c);
	return old == GROUND;
}

struct str
ansi_strip(struct arena *a, struct str text)
{
	size_t n = str_find_char(text, ESC);
	enum state s = GROUND;
	char *copy;

	if (n == text.n)
		return text;
	copy = arena_alloc(a, text.n);
	n = 0;
	for (size_t i = 0; i < text.n; i++)
		if (stays(&s, (unsigned char)text.s[i]))
			copy[n++] = text.s[i];
	return (struct str){ copy, n };
}
