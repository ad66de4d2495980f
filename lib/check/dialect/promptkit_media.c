/* PromptKit Arena's assertions about images, sounds and films: read, so that
 * mistakes are told, and skipped, since no trace holds any. */
#include "check/dialect/promptkit_assertion.h"
#include "check/kind/kind.h"

static struct check
finish(struct fields *e, struct fields *p, const char *medium)
{
	const struct str nothing = { 0 };

	return promptkit_finish(
	    e, p, media_check(e->arena, medium, p->object), nothing);
}

static struct check
format(struct fields *e, const char *medium)
{
	struct fields p = promptkit_params(e, true);

	(void)promptkit_texts(&p, "formats");
	return finish(e, &p, medium);
}

static struct check
duration(struct fields *e, const char *medium)
{
	struct fields p = promptkit_params(e, true);

	(void)fields_number_if(&p, "min_seconds");
	(void)fields_number_if(&p, "max_seconds");
	return finish(e, &p, medium);
}

static void
read_sizes(struct fields *p, const char *const keys[])
{
	for (; *keys != NULL; keys++)
		(void)fields_int_if(p, *keys);
}

static const char *const bounds[] = { "min_width", "max_width", "min_height",
	"max_height", NULL };

static struct check
image_dimensions(struct fields *e)
{
	static const char *const exact[] = { "width", "height", NULL };
	struct fields p = promptkit_params(e, true);

	read_sizes(&p, exact);
	read_sizes(&p, bounds);
	return finish(e, &p, "image");
}

static struct check
video_resolution(struct fields *e)
{
	struct fields p = promptkit_params(e, true);

	read_sizes(&p, bounds);
	(void)fields_strs(&p, fields_list_if(&p, "presets"), "presets");
	return finish(e, &p, "video");
}

static struct check
image_format(struct fields *e)
{
	return format(e, "image");
}

static struct check
audio_format(struct fields *e)
{
	return format(e, "audio");
}

static struct check
audio_duration(struct fields *e)
{
	return duration(e, "audio");
}

static struct check
video_duration(struct fields *e)
{
	return duration(e, "video");
}

const struct promptkit_type promptkit_media[] = {
	{ "audio_duration", audio_duration, PROMPTKIT_TURN },
	{ "audio_format", audio_format, PROMPTKIT_TURN },
	{ "image_dimensions", image_dimensions, PROMPTKIT_TURN },
	{ "image_format", image_format, PROMPTKIT_TURN },
	{ "video_duration", video_duration, PROMPTKIT_TURN },
	{ "video_resolution", video_resolution, PROMPTKIT_TURN },
	{ NULL, NULL, 0 },
};
