/* The user's message with the prompt's images, as a list of parts in the form of
 * a protocol. */
#pragma once

#include "io/out.h"
#include "judge/provider/provider.h"

/* The JSON around a text and around an image: before its type, before its base64
 * and behind. */
struct content_form {
	const char *text, *text_end;
	const char *type, *data, *image_end;
	bool subtype; /* the type is "png", not "image/png" */
};

/* Returns whether the message has images, which the server was not found to
 * refuse. */
bool content_has_images(const struct endpoint *, const struct prompt *);

/* Writes the list: each image behind its label, then the text. */
void content_put(struct out *, const struct content_form *,
    const struct endpoint *, const struct prompt *, struct str user);

/* Writes the member "content": the list, or a string if there are no images. */
void content_put_member(struct out *, const struct content_form *,
    const struct endpoint *, const struct prompt *, struct str user);
