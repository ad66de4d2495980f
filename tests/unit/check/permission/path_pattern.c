/* Patterns of paths, each with paths that fit (+) and that do not (-). A path that ends
 * in a slash is a folder. tests/suite/check/path_patterns compares with git. */
#include "check/permission/path_pattern.h"

#include "tests/unit/unit.h"

static const char *const cases[][2] = {
	{ ".env", "+.env +a/b/.env +.env/x -x.env -.envrc" },
	{ "/.env", "+.env -a/.env" },
	{ "*.env", "+.env +a.env +a/b.env -a.envx" },
	{ "src/a", "+src/a +src/a/b -x/src/a -src/ab" },
	{ "src/", "+src/ +src/a +x/src/a -src" },
	{ "src/**", "+src/a +src/a/b -src/ -x/src/a" },
	{ "**/src/**", "+src/a +x/y/src/a/b -src" },
	{ "**/src", "+src +x/src +x/src/y -xsrc" },
	{ "a/**/b", "+a/b +a/x/b +a/x/y/b -ab -a/xb" },
	{ "docs/*.md", "+docs/a.md -docs/a/b.md -x/docs/a.md" },
	{ "**", "+a +a/b" },
	{ "/**", "+a +a/b" },
	{ "*", "+a +a/b" },
	{ "a/*", "+a/b +a/b/c -a/ -b" },
	{ "a**b/c", "+axb/c -a/xb/c" },
	{ "a?c", "+abc -a/c -ac" },
	{ "[a-c]x", "+ax +cx -dx" },
	{ "[!a-c]x", "+dx -ax" },
	{ "[]x]y", "+]y +xy" },
	{ "[[:digit:]]", "+1 -a" },
	{ "a[", "-a[ -a" },
	{ "\\[a\\]", "+[a] -a" },
	{ "\\*", "+* -a" },
	{ "a\\", "-a -a\\" },
	{ "!a", "-a -!a" },
	{ "\\!a", "+!a" },
	{ "#a", "-#a" },
	{ "a ", "+a" },
	{ "", "-a" },
	{ "A", "-a" },
};

static bool
fits(struct arena *a, struct str pattern, struct str path)
{
	bool folder = str_ends(path, "/");

	path.n -= folder;
	return path_pattern_fits(
	    path_pattern_read(a, pattern), path, folder ? PATH_IS_FOLDER : 0);
}

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str paths = str_of(cases[i][1]), path;

		while (paths.n > 0) {
			path = str_cut(&paths, ' ');
			if (fits(&a, str_of(cases[i][0]), str_from(path, 1)) !=
			    (path.s[0] == '+'))
				FAIL(str_c(&a,
				    str_printf(&a, "%s: %.*s", cases[i][0],
					STR_FMT(path))));
		}
	}
	CHECK(path_pattern_fits(path_pattern_read(&a, STR("/src/a")),
	    STR("x/y/src/a"), PATH_ANYWHERE));
	arena_free(&a);
	return unit_status();
}
