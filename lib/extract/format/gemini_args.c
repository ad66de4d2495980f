#include "extract/format/gemini_args.h"

#include "extract/value/copy.h"
#include "extract/value/fields.h"
#include "extract/value/unflatten.h"

/* $.order.items[0] as unflatten has it. */
static struct str
name_of(struct arena *a, struct str path)
{
	char *to = arena_room(a, path.n + 2), *s = to;

	*s++ = 'p';
	for (size_t i = 0; i < path.n; i++) {
		char c = path.s[i];

		if (c == '[')
			*s++ = '.';
		else if (c != ']' && c != '$')
			*s++ = c;
	}
	return (struct str){ to, (size_t)(s - to) };
}

static struct gemini_arg *
arg_at(struct gemini_args *args, struct arena *a, struct str path)
{
	struct gemini_arg *arg;
	void **slot;

	args->by_path.arena = a;
	slot = hash_put_copy(&args->by_path, path);
	if (*slot != NULL)
		return *slot;
	*slot = arg = arena_new(a, struct gemini_arg);
	arg->path = name_of(a, path);
	if (args->first == NULL)
		args->first = arg;
	else
		args->last->next = arg;
	args->last = arg;
	return arg;
}

/* A string may come in several parts. */
static void
add(struct gemini_args *args, struct arena *a, const struct json *part)
{
	const struct json *string =
	    field_find(part, "stringValue string_value");
	const struct json *other =
	    field_find(part, "numberValue number_value boolValue bool_value");
	struct gemini_arg *arg =
	    arg_at(args, a, json_raw(field_find(part, "jsonPath json_path")));

	if (string != NULL) {
		arg->string = true;
		text_more(a, &arg->value, json_raw(string));
	} else if (arg->value.n == 0) {
		text_more(
		    a, &arg->value, other == NULL ? STR("null") : other->text);
	}
}

static const struct json *
whole(const struct gemini_args *args, struct arena *a)
{
	struct str *parts = NULL;
	size_t n = 0;

	for (const struct gemini_arg *arg = args->first; arg != NULL;
	     arg = arg->next) {
		const struct str member[] = { STR("\""), arg->path, STR("\":"),
			arg->string ? STR("\"") : STR(""),
			{ arg->value.s, arg->value.n },
			arg->string ? STR("\"") : STR("") };

		*arena_push(a, parts, n) = str_join(a, member, 6, STR(""));
	}
	return unflatten(a,
	    copy_parsed(a,
		str_printf(
		    a, "{%.*s}", STR_FMT(str_join(a, parts, n, STR(","))))),
	    STR("p."));
}

void
gemini_args_read(
    struct gemini_args *args, struct builder *b, const struct json *call)
{
	struct arena *a = &b->run_arena;

	if (call == NULL && args->first == NULL)
		return;
	if (json_raw(json_get(call, "name")).n != 0)
		*args = (struct gemini_args){ 0 };
	for (json_each(part, field_find(call, "partialArgs partial_args")))
		add(args, a, part);
	if (args->first == NULL ||
	    json_is(field_find(call, "willContinue will_continue"), JSON_TRUE))
		return;
	builder_args(b, NULL, whole(args, a));
	*args = (struct gemini_args){ 0 };
}
