/* URI references. */
#include "base/uri.h"
#include "tests/unit/unit.h"

int
main(void)
{
	struct arena a = { 0 };

	CHECK_STR(uri_of_path(&a, STR("logs/a.b/c-d_e~1.jsonl")),
	    "logs/a.b/c-d_e~1.jsonl");
	CHECK_STR(uri_of_path(&a, STR("/tmp/a b")), "file:///tmp/a%20b");
	CHECK_STR(uri_of_path(&a, STR("c:/50%?x#y")), "c%3A/50%25%3Fx%23y");
	CHECK_STR(uri_of_path(&a, STR("\xc3\xa4\0z")), "%C3%A4%00z");
	CHECK_STR(uri_decode(&a, uri_of_path(&a, STR("r\xc3\xa9 100%"))),
	    "r\xc3\xa9 100%");
	arena_free(&a);
	return unit_status();
}
