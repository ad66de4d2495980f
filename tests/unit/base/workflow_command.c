/* The bytes of a line that open a command of GitHub's runner. */
#include <string.h>

#include "base/workflow_command.h"
#include "tests/unit/unit.h"

/* Expects the index of the first byte that opens a command; -1: none. */
static void
check(const char *text, int want)
{
	struct workflow_command line = { 0 };
	int found = -1;

	for (int i = 0; text[i] != '\0' && found < 0; i++)
		if (workflow_command_opens(&line, (unsigned char)text[i]))
			found = i;
	CHECK(found == want);
}

/* Returns the places of the bytes that open a command, as bits. */
static uint64_t
places(const char *text, size_t n, bool skip)
{
	struct workflow_command line = { 0 };
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++) {
		if (skip)
			i += workflow_command_skip(&line, text + i, n - i);
		if (i < n &&
		    workflow_command_opens(&line, (unsigned char)text[i]))
			found |= UINT64_C(1) << i;
	}
	return found;
}

/* Skipped bytes change nothing. */
static void
skipping(void)
{
	static const char bytes[] =
	    "#####[[::: \n\rabcdefg\xc2\xad\xe4\xb8\xad";
	uint32_t state = 1;
	char text[64];

	for (int round = 0; round < 20000; round++) {
		for (size_t i = 0; i < sizeof text; i++) {
			state = state * 1664525 + 1013904223;
			text[i] = 'x';
			if (state >> 28 >= 10)
				text[i] =
				    bytes[(state >> 8) % (sizeof bytes - 1)];
		}
		CHECK(places(text, sizeof text, true) ==
		    places(text, sizeof text, false));
	}
}

int
main(void)
{
	skipping();
	check("::error::x", 1);
	check(" \t ::error::x", 4);
	check("a\n::error::x", 3);
	check("a\r::error::x", 3);
	check("\xc2\xa0::x", 3);
	check("\xe3\x80\x80::x", 4);
	check(":\xc2\xad:x", 3);
	check(":\n::x", 3);
	check("##[error]x", 2);
	check("a ##[error]x", 4);
	check("###[error]x", 3);
	check("#\xef\xb8\x8f#[error]x", 5);
	check("::##[x]", 1);

	check(": :error::x", -1);
	check("a::error::x", -1);
	check("\xc3\xa4::error::x", -1);
	check("\xe4\xb8\xad::error::x", -1);
	check("\xc3\xa4:", -1);
	check(":", -1);
	check("#[x] # #[x] ##a[x] ##\xc3\xa4[x] [##]", -1);
	check("# #[x]\n#[x]", -1);
	return unit_status();
}
