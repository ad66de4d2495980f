/* Tables of sixteen, looked up by a digit of a byte. */
#pragma once

/* By the low digit: the byte with it that most often follows a backslash, else
 * a byte with another low digit. */
extern const unsigned char json_usual[16];

/* By the high digit of a byte, by its low one, and by the high one of the byte
 * that follows: a bit for each mistake that the two may be. */
extern const unsigned char json_utf8_first[16], json_utf8_second[16],
    json_utf8_third[16];

/* In all three: two bytes 80..BF, which are right within three or four. */
enum { JSON_UTF8_TWO = 0x80 };
