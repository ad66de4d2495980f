/* URI references (RFC 3986): their parts, and resolving one against a base. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* An absent part has s NULL. */
struct uri {
	struct str scheme, authority, path, query, fragment;
};

struct uri uri_of(struct str);

/* The reference as seen from the base, without its fragment, in the arena. */
struct str uri_resolve(struct arena *, struct str base, struct str reference);

/* The reference that names a file: relative as the path is, or file:///... */
struct str uri_of_path(struct arena *, struct str path);

/* The text with %XX decoded. */
struct str uri_decode(struct arena *, struct str);

/* The text as it can stand for itself anywhere: all but letters, digits and
 * -._~ as %XX. */
struct str uri_encode(struct arena *, struct str);
