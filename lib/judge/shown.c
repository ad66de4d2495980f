#include "judge/shown.h"

#include "io/out.h"
#include "judge/evidence/choose.h"
#include "judge/evidence/tokens.h"

enum {
	FRAME_TOKENS = 300,    /* of what is around instructions, rubrics and
			       * data */
	ANSWER_TOKENS = 16384, /* of an answer with the thoughts before */
	IMAGE_TOKENS = EXCHANGE_IMAGE_TOKENS,
	IMAGES_MAX = 20,
};

size_t
shown_limit(const struct endpoint *endpoint, size_t context)
{
	size_t known = endpoint->context_tokens;
	size_t answer =
	    endpoint->max_tokens != 0 ? endpoint->max_tokens : ANSWER_TOKENS;

	if (context != 0)
		return context;
	if (known == 0)
		return SIZE_MAX;
	return known - (answer < known / 4 ? answer : known / 4);
}

/* Returns the tokens of all that is sent beside the data. */
static size_t
frame_of(const struct shown_source *from, struct arena *a)
{
	struct prompt p = prompt_make(a, from->checks, from->n, STR("{}"));

	return FRAME_TOKENS + tokens_of(p.rules) + tokens_of(p.list) +
	    tokens_of(prompt_schema(a, &p));
}

/* Lists the images whose marks are in the data, the last `most` of them. */
static void
add_images(
    struct shown *s, struct arena *a, const struct media *media, size_t most)
{
	struct image *end = arena_new_n(a, struct image, most + 1) + most;

	for (size_t i = media->n; i-- != 0 && s->n_images < most;)
		if (str_contains(s->data, media->images[i].label))
			*(end - ++s->n_images) = media->images[i];
	s->images = end - s->n_images;
}

static struct str
record_of(const struct shown *s, const struct choice *c, size_t images,
    struct arena *a, const struct json *data)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_begin(&o, "parts", '[');
	for (json_members(key, data))
		out_json_raw(&o, key->text);
	out_end(&o, ']');
	out_member_size(&o, "bytes", c->bytes);
	out_member_size(&o, "of", c->of);
	out_member_size(
	    &o, "tokens", tokens_of(s->data) + images * IMAGE_TOKENS);
	if (c->gaps != 0)
		out_member_size(&o, "gaps", c->gaps);
	if (images != 0)
		out_member_size(&o, "images", images);
	out_end(&o, '}');
	return out_keep(&o, a);
}

/* Returns the texts whose words are looked for: the rubrics, and what the check's
 * author expected. */
static struct str_list
query_of(
    const struct shown_source *from, struct arena *a, const struct json *data)
{
	const struct json *expected = json_get(data, "expected");
	struct str *texts = arena_new_n(a, struct str, from->n + 1);
	size_t n = 0;

	for (; n < from->n; n++)
		texts[n] = from->checks[n].rubric;
	if (expected != NULL)
		texts[n++] = expected->text;
	return (struct str_list){ texts, n };
}

static struct choice
choice_of(const struct shown_source *from, struct arena *a,
    const struct json *data, size_t images, struct str *why)
{
	struct choice all = { from->whole, from->whole.n, from->whole.n, 0 };
	size_t limit = shown_limit(from->endpoint, from->context), frame, least;

	if (limit == SIZE_MAX)
		return all;
	frame = frame_of(from, a) + images * IMAGE_TOKENS;
	if (frame + tokens_of(from->whole) <= limit)
		return all;
	all = choose(a, data, query_of(from, a, data),
	    frame < limit ? limit - frame : 0, &least);
	if (all.json.s == NULL)
		*why = str_printf(a,
		    "the rubrics and what a judge is always shown (the "
		    "answer, what the user wrote) have some %zu tokens, more "
		    "than the judge's %zu (see --context)",
		    frame + least, limit);
	return all;
}

bool
shown_fit(struct shown *s, struct arena *a, const struct shown_source *from,
    struct str *why)
{
	size_t limit = shown_limit(from->endpoint, from->context);
	size_t images = limit / 4 / IMAGE_TOKENS;
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *data = json_read(&reader, from->whole, NULL, &error);
	struct choice choice;

	*s = (struct shown){ 0 };
	if (images > IMAGES_MAX)
		images = IMAGES_MAX;
	if (!from->media->numbered)
		images = 0;
	else if (images > from->media->n)
		images = from->media->n;
	choice = choice_of(from, a, data, images, why);
	if (why->s == NULL) {
		s->data = choice.json;
		s->gaps = choice.gaps != 0;
		add_images(s, a, from->media, images);
		s->record = record_of(s, &choice, s->n_images, a, data);
		s->unseen = record_of(s, &choice, 0, a, data);
	}
	json_reader_free(&reader);
	return why->s == NULL;
}
