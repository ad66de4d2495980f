/* lib/judge/http/upload: a file between two texts, in reads of any size. */
#include "judge/http/upload.h"

#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

static struct str
read_all(struct upload *p, size_t size, char *buf)
{
	size_t at = 0, n;

	while (upload_read(p, buf + at, size, &n) && n != 0)
		at += n;
	return (struct str){ buf, at };
}

static void
test_read(const char *file, const char *all)
{
	for (size_t size = 1; size < 20; size++) {
		struct upload p;
		char buf[64];

		CHECK(upload_open(&p, STR("before"), file, STR("after")));
		CHECK(upload_size(&p) == str_of(all).n);
		CHECK_STR(read_all(&p, size, buf), all);
		upload_rewind(&p);
		CHECK_STR(read_all(&p, 64, buf), all);
		upload_close(&p);
	}
}

int
main(void)
{
	struct temporary middle = temporary_file(STR("middle"));
	struct temporary empty = temporary_file(STR(""));
	struct upload p;
	char buf[64];
	size_t n;

	test_read(middle.path, "beforemiddleafter");
	test_read(empty.path, "beforeafter");
	test_read(NULL, "beforeafter");
	CHECK(!upload_open(&p, STR(""), "/nowhere/at/all", STR("")));
	CHECK(upload_open(&p, STR(""), middle.path, STR("")));
	CHECK(truncate(middle.path, 3) == 0);
	CHECK(upload_read(&p, buf, 64, &n) && n == 3);
	CHECK(!upload_read(&p, buf, 64, &n)); /* it is shorter now */
	upload_close(&p);
	unlink(middle.path);
	unlink(empty.path);
	return unit_status();
}
