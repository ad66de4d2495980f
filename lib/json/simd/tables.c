#include "json/simd/tables.h"

const unsigned char json_usual[16] = { 1, 0, '"', 0, 't', 0, 0, 0, 0, 0, 0, 0,
	'\\', 0, 'n', '/' };

/*
 * UTF-8 validation after Keiser and Lemire, "Validating UTF-8 in less than one
 * instruction per byte" (2020). Every mistake in two adjacent bytes shows in
 * three of their four hexadecimal digits. Each mistake is a bit, which is set
 * in the three tables for the digits that the mistake may have. Whether two
 * bytes 80..BF in a row are the third and fourth bytes of a character or one
 * too many, two bytes do not show: the kernels check that separately.
 */
enum {
	SHORT = 1 << 0,           /* C0..FF, then no 80..BF */
	LONG = 1 << 1,            /* 00..7F, then 80..BF */
	OVERLONG_3 = 1 << 2,      /* E0, then 80..9F */
	SURROGATE = 1 << 3,       /* ED, then A0..BF */
	OVERLONG_2 = 1 << 4,      /* C0 or C1, then 80..BF */
	LARGE = 1 << 5,           /* F4 then 90..BF, or F5..FF then 90..BF */
	LARGE_80 = 1 << 6,        /* F5..FF, then 80..8F; */
	OVERLONG_4 = 1 << 6,      /* F0, then 80..8F */
	TWO = JSON_UTF8_TWO,      /* 80..BF twice */
	ANY = SHORT | LONG | TWO, /* mistakes for which the second digit does
				   * not matter */
	ANY_LARGE = ANY | LARGE | LARGE_80,
};

const unsigned char json_utf8_first[16] = { LONG, LONG, LONG, LONG, LONG, LONG,
	LONG, LONG, TWO, TWO, TWO, TWO, SHORT | OVERLONG_2, SHORT,
	SHORT | OVERLONG_3 | SURROGATE, SHORT | LARGE | LARGE_80 | OVERLONG_4 };
const unsigned char json_utf8_second[16] = { ANY | OVERLONG_2 | OVERLONG_3 |
	    OVERLONG_4,
	ANY | OVERLONG_2, ANY, ANY, ANY | LARGE, ANY_LARGE, ANY_LARGE,
	ANY_LARGE, ANY_LARGE, ANY_LARGE, ANY_LARGE, ANY_LARGE, ANY_LARGE,
	ANY_LARGE | SURROGATE, ANY_LARGE, ANY_LARGE };
const unsigned char json_utf8_third[16] = { SHORT, SHORT, SHORT, SHORT, SHORT,
	SHORT, SHORT, SHORT, LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE_80,
	LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE,
	LONG | OVERLONG_2 | TWO | SURROGATE | LARGE,
	LONG | OVERLONG_2 | TWO | SURROGATE | LARGE, SHORT, SHORT, SHORT,
	SHORT };
