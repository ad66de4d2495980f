#include "report/tally/pair.h"

#include "base/hash.h"
#include "text/layout.h"

struct str
tally_text(struct str text, struct arena *a)
{
	struct str cut;

	if (text.n <= TALLY_TEXT_MAX)
		return text;
	cut = layout_cut(a, text, TALLY_TEXT_MAX);
	return str_printf(a, "%.*s %016llx", STR_FMT(cut),
	    (unsigned long long)hash_add(HASH_START, text));
}

static void
add_pair(struct bounded_map *bounded_map, struct str key, size_t times,
    struct arena *a)
{
	struct tally_pair *p;
	bool fresh;

	p = bounded_map_put(bounded_map, key, sizeof *p, a, &fresh);
	if (p == NULL)
		return;
	if (fresh) {
		struct str texts[2];

		hash_key_split(p->item.key.text, texts, 2);
		p->name = texts[0];
		p->text = texts[1];
		p->times = 0;
	}
	p->times += times;
}

void
tally_pair_add(struct bounded_map *bounded_map, struct tally_pair pair,
    struct arena *a, struct arena *moment)
{
	const struct str texts[] = { tally_text(pair.name, moment),
		tally_text(pair.text, moment) };

	add_pair(bounded_map, hash_key(moment, texts, 2), pair.times, a);
}

void
tally_pair_restore(
    struct bounded_map *bounded_map, struct tally_pair pair, struct arena *a)
{
	const struct str texts[] = { pair.name, pair.text };

	add_pair(bounded_map, hash_key(a, texts, 2), pair.times, a);
}

void
tally_pairs_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *a)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tally_pair *p = from->list[i];

		add_pair(to, p->item.key.text, p->times, a);
	}
	to->full |= from->full;
}
