#include "json_scan.h"

#include "utf8.h"

bool
json_is_hex(char c)
{
	return (c >= '0' && c <= '9') ||
	    ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

bool
json_bad_digits(const char *block, uint64_t u)
{
	for (; u != 0; u &= u - 1) {
		const char *p = block + __builtin_ctzll(u);

		if (!json_is_hex(p[1]) || !json_is_hex(p[2]) ||
		    !json_is_hex(p[3]) || !json_is_hex(p[4]))
			return true;
	}
	return false;
}

/* Where the first character begins whose end is in the block. */
static int
first_character(const char *block)
{
	for (int back = 1; back < 4; back++) {
		unsigned char c = (unsigned char)block[-back];

		if (c >= 0xc0)
			return -back;
		if (c < 0x80)
			break;
	}
	return 0;
}

bool
json_bad_utf8(const char *block, uint64_t high)
{
	int i = first_character(block);

	for (;;) {
		/* ASCII needs no look */
		if (i >= 0 && (high >> i & 1) == 0) {
			if (high >> i == 0)
				return false;
			i += __builtin_ctzll(high >> i);
		}
		size_t n = utf8_length(block + i, 4);
		if (n == 0)
			return true;
		i += (int)n;
		if (i >= JSON_BLOCK)
			return false;
	}
}
