/* URI references (RFC 3986): their parts, resolution, and percent-encoding. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* The parts of a reference, as slices of its text. A part that the reference
 * lacks is absent. */
struct uri {
	struct str scheme, authority, path, query, fragment;
};

/* Splits a reference into its parts. */
struct uri uri_of(struct str);

/* Resolves the reference against the base, and returns the URI without its
 * fragment, in the arena. */
struct str uri_resolve(struct arena *, struct str base, struct str reference);

/* Returns the reference that names a file, in the arena: file:///... for an
 * absolute path, else a relative reference. */
struct str uri_of_path(struct arena *, struct str path);

/* Returns a copy of the text, in the arena, with each %XX decoded. */
struct str uri_decode(struct arena *, struct str);

/* Returns a copy of the text, in the arena, that is safe in any part of a URI:
 * all bytes but letters, digits and -._~ become %XX. */
struct str uri_encode(struct arena *, struct str);
