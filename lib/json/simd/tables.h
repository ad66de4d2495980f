/* Tables of 16 entries, looked up by one hexadecimal digit of a byte. */
#pragma once

/* By the low digit: that of the bytes " \\ / n t which has this low digit; if none
 * of them has, a byte with another low digit, which equals no such byte. */
extern const unsigned char json_usual[16];

/* By the high digit of a byte, by its low digit, and by the high digit of the
 * next byte: a bit for each mistake that the two bytes may make. */
extern const unsigned char json_utf8_first[16], json_utf8_second[16],
    json_utf8_third[16];

/* A bit in all three tables: two bytes 80..BF in a row, which are valid within
 * a character of three or four bytes. */
enum { JSON_UTF8_TWO = 0x80 };
