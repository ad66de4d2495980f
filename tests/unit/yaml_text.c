/* Where libyaml's characters stand in a text that was mended. */
#include "../../lib/yaml_text.h"

#include "unit.h"

/* Every character's place: by its number, and by its offset in the copy. */
static void
check_places(const struct yaml_text *t)
{
	size_t character = 0, at = 0, added = 0;

	for (size_t i = 0; i < t->original.n; i++) {
		if (added < t->n_doubled && t->doubled[added] == i) {
			CHECK(t->mended.s[at] == '\\');
			at++;
			character++;
			added++;
		}
		CHECK(t->mended.s[at] == t->original.s[i]);
		CHECK(yaml_text_unmend(t, at) == i);
		at++;
		if (((unsigned char)t->original.s[i] & 0xc0) != 0x80)
			CHECK(yaml_text_offset(t, character++) == i);
	}
	CHECK(at == t->mended.n && added == t->n_doubled);
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
		text = str_cat(&a, text, STR("k\xc3\xa9: \"\\s\\n\\\"\\d\"\n"));
	yaml_text_set(&t, &a, text);
	check_places(&t);
	for (size_t i = 0, quote = 4; i < 200; i++, quote += 15) {
		CHECK(yaml_text_mend(&t, &a, quote));
		CHECK(!yaml_text_mend(&t, &a, quote));
		quote += 2;
	}
	CHECK(t.n_doubled == 400);
	check_places(&t);
	arena_free(&a);
	return unit_status();
}
