/* Classes in Python's patterns. */
#include "regex/flavour/python.h"
#include "text/unicode.h"

/* What one item of a class is: a character, or a set. */
struct item {
	const struct set *set;
	uint32_t character;
	size_t from;
};

static struct item
class_item(struct python *p, size_t open)
{
	struct item item = { .from = p->at };

	item.character = python_next(p);
	if (item.character == PYTHON_END)
		python_fail_c(p, open, "unterminated character set");
	if (item.character == '\\')
		item.set = python_class_escape(p, item.from, &item.character);
	return item;
}

/* What Python calls the item that begins there: of an escape no more than its
 * letter. */
static struct str
item_name(const struct python *p, size_t from)
{
	struct python end = *p;

	end.at = from;
	python_token(&end);
	return str_slice(p->pattern, from, end.at);
}

/* Python takes the range to be as long as the names of its ends. */
static void
fail_range(struct python *p, size_t low_from, size_t high_from)
{
	struct str low = item_name(p, low_from), high = item_name(p, high_from);
	size_t n = low.s[0] == '\\' ? 2 : 1, m = high.s[0] == '\\' ? 2 : 1;

	python_fail(p, python_back(p, n + 1 + m),
	    str_printf(p->arena, "bad character range %.*s-%.*s", STR_FMT(low),
		STR_FMT(high)));
}

static void
add_range(struct python *p, struct set *set, struct item low, size_t open)
{
	struct item high = class_item(p, open);

	if (p->failed)
		return;
	if (low.set != NULL || high.set != NULL ||
	    high.character < low.character)
		fail_range(p, low.from, high.from);
	else
		set_add(p->arena, set, low.character, high.character);
}

static void
add_item(struct python *p, struct set *set, struct item item)
{
	if (item.set != NULL)
		set_add_all(p->arena, set, item.set);
	else
		set_add(p->arena, set, item.character, item.character);
}

const struct set *
python_class(struct python *p)
{
	size_t open = p->at;
	struct set *set = arena_new(p->arena, struct set);
	bool invert, first = true;

	python_next(p);
	invert = python_skip(p, '^');
	for (; !p->failed && (first || !python_skip(p, ']')); first = false) {
		struct item item = class_item(p, open);

		if (p->failed)
			break;
		if (!python_skip(p, '-')) {
			add_item(p, set, item);
		} else if (python_skip(p, ']')) {
			add_item(p, set, item);
			set_add(p->arena, set, '-', '-');
			break;
		} else {
			add_range(p, set, item, open);
		}
	}
	return python_complete(p, set, invert);
}
