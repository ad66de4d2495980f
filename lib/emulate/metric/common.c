#include "emulate/metric/common.h"

#include "text/unicode.h"

size_t
common_length(struct arena *a, struct symbols x, struct symbols y)
{
	size_t *row = arena_new_n(a, size_t, y.n + 1);

	if (y.n != 0 && x.n > COMMON_STEPS / y.n)
		return SIZE_MAX;
	for (size_t i = 0; i < x.n; i++) {
		size_t diagonal = 0;

		for (size_t k = 0; k < y.n; k++) {
			size_t above = row[k + 1];

			if (x.list[i] == y.list[k])
				row[k + 1] = diagonal + 1;
			else if (row[k] > above)
				row[k + 1] = row[k];
			diagonal = above;
		}
	}
	return row[y.n];
}

static struct symbols
characters_of(struct arena *a, struct str text)
{
	struct symbols s = { .list = arena_new_n(a, uint32_t, text.n + 1) };
	size_t length;

	for (; text.n != 0; text = str_from(text, length))
		s.list[s.n++] = unicode_decode(text, &length);
	return s;
}

double
common_ratio(struct arena *a, struct str x, struct str y)
{
	struct symbols of_x = characters_of(a, x), of_y = characters_of(a, y);
	size_t n = common_length(a, of_x, of_y);

	if (n == SIZE_MAX)
		return -1;
	return of_x.n + of_y.n == 0 ? 1
				    : 2 * (double)n / (double)(of_x.n + of_y.n);
}
