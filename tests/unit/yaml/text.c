/* The places of libyaml's characters in a text that was repaired. */
#include "yaml/text.h"

#include "tests/unit/unit.h"

/* Every character's place: by its number, and by its offset in the copy. */
static void
check_places(struct yaml_text *t)
{
	size_t character = 0, at = 0, i = 0, mends = 0;

	while (i < t->original.n) {
		const struct yaml_repair *m =
		    mends < t->n_mends ? &t->mends[mends] : NULL;
		bool mended = m != NULL && m->at == i;
		size_t put = mended ? m->put.n : 1;

		CHECK(mended || t->mended.s[at] == t->original.s[i]);
		for (size_t end = at + put; at < end; at++) {
			CHECK(yaml_text_restore(t, at) == i);
			if (((unsigned char)t->mended.s[at] & 0xc0) != 0x80)
				CHECK(yaml_text_offset(t, character++) == i);
		}
		i += mended ? m->taken : 1;
		mends += mended;
	}
	CHECK(at == t->mended.n && mends == t->n_mends);
	CHECK(yaml_text_offset(t, character) == t->original.n);
	CHECK(yaml_text_offset(t, character + 1000) == t->original.n);
}

int
main(void)
{
	struct arena a = { 0 };
	struct yaml_text t;
	struct str text = STR("");

	yaml_text_set(&t, &a, text);
	check_places(&t);
	for (int i = 0; i < 200; i++)
		text = str_cat(&a, text,
		    STR("k\xc3\xa9: \"\\s\\n\\\"\\d\\uD83d\\udE00\\\"\"\n"));
	yaml_text_set(&t, &a, text);
	check_places(&t);
	/* Each line has 20 characters when it is mended. */
	for (size_t i = 0, quote = 4; i < 200; i++, quote += 20) {
		CHECK(yaml_text_repair(&t, &a, quote));
		CHECK(!yaml_text_repair(&t, &a, quote));
	}
	CHECK(t.n_mends == 600);
	check_places(&t);
	arena_free(&a);
	return unit_status();
}
