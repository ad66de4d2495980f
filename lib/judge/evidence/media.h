/* Finds images and other binary data that a log holds as base64, and puts a mark
 * in their place: a judge cannot read base64, and pays for each byte. */
#pragma once

#include "json/json.h"

struct image {
	struct str type;  /* "image/png" */
	struct str data;  /* base64, without line ends and escapes */
	struct str label; /* the mark: "[image 1: image/png, 300 kB]" */
};

struct media {
	struct arena *arena;
	bool numbered; /* the marks of images have numbers */
	struct image *images;
	size_t n;
};

/*
 * Returns the value's source with a mark in place of base64: "[image/png, 300 kB]"
 * (or "[image 1: image/png, 300 kB]"), with the size of the decoded bytes; in the
 * arena if there is any. Images of the types that judges take (PNG, JPEG, GIF,
 * WebP) are recognised by their first bytes, whatever is around them, and are added
 * to the list. Other data is recognised by a data URL (RFC 2397), as a PDF document,
 * or as 512 characters of base64 with letters of both cases and digits.
 */
struct str media_mark(struct media *, const struct json *value);
