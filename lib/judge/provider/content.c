#include "judge/provider/content.h"

#include "judge/provider/rest.h"

bool
content_has_images(const struct endpoint *endpoint, const struct prompt *p)
{
	return p->n_images != 0 && !(endpoint->refused & REST_NO_IMAGES);
}

static void
put_text(struct out *o, const struct content_form *form, struct str text)
{
	out_text(o, form->text);
	out_quoted(o, text);
	out_text(o, form->text_end);
}

void
content_put(struct out *o, const struct content_form *form,
    const struct endpoint *endpoint, const struct prompt *p, struct str user)
{
	size_t n = content_has_images(endpoint, p) ? p->n_images : 0;

	out_begin(o, '[');
	for (size_t i = 0; i < n; i++) {
		const struct image *image = &p->images[i];
		struct str type = image->type;

		if (form->subtype)
			type = str_from(type, sizeof "image/" - 1);
		put_text(o, form, image->label);
		out_char(o, ',');
		out_text(o, form->type);
		out_str(o, type);
		out_text(o, form->data);
		out_str(o, image->data);
		out_text(o, form->image_end);
		out_char(o, ',');
	}
	put_text(o, form, user);
	out_end(o, ']');
}

void
content_put_member(struct out *o, const struct content_form *form,
    const struct endpoint *endpoint, const struct prompt *p, struct str user)
{
	out_key(o, "content");
	if (content_has_images(endpoint, p))
		content_put(o, form, endpoint, p, user);
	else
		out_json_str(o, user);
}
