/* Each kernel must read a text in the same way, whole and in two parts: the same
 * result, place of an error, and values. All functions must accept these values. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "json/json.h"
#include "json/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct result {
	struct json_reader reader;
	const struct json *value;
	struct json_error error;
	size_t end;
};

static void
same(const struct result *a, const struct result *b)
{
	assert((a->value == NULL) == (b->value == NULL));
	if (a->value == NULL) {
		assert(a->error.offset == b->error.offset);
		assert(a->error.cut == b->error.cut);
		assert(strcmp(a->error.why, b->error.why) == 0);
		return;
	}
	assert(a->end == b->end && a->value->span == b->value->span);
	for (size_t i = 0; i < a->value->span; i++) {
		const struct json *v = a->value + i, *w = b->value + i;

		assert(v->text.s == w->text.s && v->text.n == w->text.n);
		assert(v->span == w->span && v->type == w->type);
		/* JSON_LONE says that there may be such an escape, also if
		 * a half ends within one, or one is behind the value. */
		assert((v->flags | JSON_LONE) == (w->flags | JSON_LONE));
	}
}

static void
ask(const struct json *root, struct arena *a)
{
	for (const struct json *v = root; v < root + root->span; v++) {
		struct str text = json_text(v, a);
		int64_t whole;

		assert(json_is(v, JSON_STRING) == (text.s != NULL));
		assert(text.s == NULL || json_str_is(v, text));
		assert(!json_int(v, &whole) || (double)whole == json_double(v));
		assert(json_at(v, json_count(v)) == NULL);
	}
	assert(json_equal(root, json_keep(a, root)));
}

static struct result
read_with(const struct json_kernel *kernel, struct str text)
{
	struct result r = { .reader.kernel = kernel };

	r.value = json_read(&r.reader, text, &r.end, &r.error);
	return r;
}

/* Reads the first half of a text, and then the whole text. A half that is refused for
 * another reason than its end is refused with any continuation. */
static struct result
read_in_two(const struct json_kernel *kernel, struct str text)
{
	struct result r = read_with(kernel, str_slice(text, 0, text.n / 2));

	if (r.value != NULL)
		r.value = json_read(&r.reader, text, &r.end, &r.error);
	else if (r.error.cut)
		r.value = json_read_on(&r.reader, text, &r.end, &r.error);
	return r;
}

static void
compare(const struct result *first, struct result other)
{
	same(first, &other);
	json_reader_free(&other.reader);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct result first = read_with(json_kernel(), text);
	struct arena a = { 0 };

	if (first.value != NULL)
		ask(first.value, &a);
	for (size_t k = 0; json_kernels[k] != NULL; k++) {
		if (!json_kernels[k]->runs())
			continue;
		compare(&first, read_with(json_kernels[k], text));
		compare(&first, read_in_two(json_kernels[k], text));
	}
	json_reader_free(&first.reader);
	arena_free(&a);
	return 0;
}
