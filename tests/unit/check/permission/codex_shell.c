/* Codex's reading of shell text: plain texts are taken apart, all others stay whole, and
 * a forced rm is found wherever it is written. */
#include "check/permission/codex_shell.h"

#include "tests/unit/unit.h"

static const struct {
	const char *text, *commands; /* commands: as `written` shows them */
} texts[] = {
	{ "git status", "git status" },
	{ "a 'b c' \"d e\" f\"g\"'h'", "a b c d e fgh" },
	{ "a; b && c || d | e\nf;", "a;b;c;d;e;f" },
	{ "  a\r\n\r\n b \\\n c\r\n", "a;b c" },
	{ "a &&\n b |\n c", "a;b;c" },
	{ "time -p a; coproc b", "time -p a;coproc b" },
	{ "a x=1 --y=\"2\" ! 3 '' \"\\d\" '*' '$x'",
	    "a x=1 --y=2 ! 3  \\d * $x" },
	{ "/bin/x; ./y z", "/bin/x;./y z" },
	{ "", "!" },
	{ " \n", "!" },
	{ "a > f", "!" },
	{ "a < f", "!" },
	{ "a 2>&1", "!" },
	{ "a <<E\nb\nE", "!" },
	{ "a $x", "!" },
	{ "a \"$x\"", "!" },
	{ "a \"\\\"\"", "!" },
	{ "a \"b\\\nc\"", "!" },
	{ "a `b`", "!" },
	{ "a $(b)", "!" },
	{ "a *", "!" },
	{ "a b? [c]", "!" },
	{ "a ~", "!" },
	{ "a HEAD~1", "!" },
	{ "a HEAD^", "!" },
	{ "a {b,c}", "!" },
	{ "a # b", "!" },
	{ "a --x=#1", "!" },
	{ "a b\\ c", "!" },
	{ "a =b", "!" },
	{ "a ''\"\"", "!" },
	{ "a 'b", "!" },
	{ "a & b", "!" },
	{ "a |& b", "!" },
	{ "a;;", "!" },
	{ "a; ;b", "!" },
	{ "a &&", "!" },
	{ "a | | b", "!" },
	{ "; a", "!" },
	{ "a\n| b", "!" },
	{ "(a)", "!" },
	{ "{ a; }", "!" },
	{ "! a", "!" },
	{ "if a; then b; fi", "!" },
	{ "A=1 b", "!" },
	{ "A+=1", "!" },
	{ "\"a\" b", "!" },
	{ "a'b' c", "!" },
	{ "a\\\nb 'c'", "!" },
	{ "a\\\nb c", "a b c" },
	{ "export A=1", "!" },
	{ "unset A", "!" },
};

/* Texts with a forced rm, and (behind a NULL) without. */
static const char *const forced[] = {
	"rm -f x",
	"rm x -rf",
	"rm --force x",
	"/bin/rm -fr x",
	"sudo rm -rf x",
	"env A=1 -i rm -f x",
	"env -- rm -f x",
	"trap 'rm -f x' EXIT",
	"trap -- 'rm -f x' EXIT",
	"bash -c 'rm -f x'",
	"sudo sh -c \"a && rm -f x\"",
	"if false; then rm -f x; fi",
	"for f in *; do rm -f \"$f\"; done",
	"f() { rm -rf \"$1\"; }",
	"echo \"$(rm -f x)\" `b`",
	"cat <<E\n$(rm -f x)\nE",
	"A=1 r'm' $x -f",
	"! rm -f x",
	"rm -f x > f",
	"rm <<< y -f",
	"x=(a $(rm -f y))",
	NULL,
	"rm x",
	"rm -r x",
	"rm -- -f",
	"echo rm -f x",
	"echo 'rm -f x' | sh",
	"r\\m -f x",
	"$x rm -f",
	"time rm -f x",
	"command rm -f x",
	"xargs rm -f",
	"sudo -u a rm -f x",
	"env -u A rm -f x",
	"bash -ec 'rm -f x'",
	"bash -c 'rm -f x' a",
	"trap - EXIT",
	"trap \"rm -f $x\" EXIT",
	"eval 'rm -f x'",
	"if then rm -f x",
	"rm x > f -f",
	"cat <<'E'\n$(rm -f x)\nE",
};

/* Returns the commands of a text, or ! if the text stays whole. */
static struct str
written(struct arena *a, const char *text)
{
	const struct str words[] = { STR("/bin/bash"), STR("-lc"),
		str_of(text) };
	struct codex_commands c = codex_commands_of(a, words, 3);
	struct str out = STR("");

	if (c.n == 1 && c.list->source.s == NULL) {
		CHECK(c.list->n == 3);
		return STR("!");
	}
	for (size_t i = 0; i < c.n; i++)
		out = str_printf(a, "%.*s%s%.*s", STR_FMT(out),
		    i > 0 ? ";" : "",
		    STR_FMT(
			str_join(a, c.list[i].words, c.list[i].n, STR(" "))));
	return out;
}

static void
check_forced(struct arena *a)
{
	bool want = true;

	for (size_t i = 0; i < sizeof forced / sizeof forced[0]; i++) {
		const struct str words[] = { STR("zsh"), STR("-c"),
			str_of(forced[i] == NULL ? "" : forced[i]) };

		want &= forced[i] != NULL;
		if (codex_forces_rm(a, words, 3) != want)
			FAIL(forced[i]);
	}
}

/* Only a shell's text is taken apart, and a list of words is as it is. */
static void
check_lists(struct arena *a)
{
	const struct str words[] = { STR("bash"), STR("-lc"), STR("a; b"),
		STR("x") };
	const struct str others[] = { STR("dash"), STR("-c"), STR("a; b") };
	struct str deep[12];

	CHECK(codex_commands_of(a, words, 4).n == 1);
	CHECK(codex_commands_of(a, words, 3).n == 2);
	CHECK_STR(codex_commands_of(a, words, 3).list[1].source, "b");
	CHECK(codex_commands_of(a, others, 3).n == 1);
	CHECK(codex_commands_of(a, words, 0).n == 0);
	CHECK(!codex_forces_rm(a, words, 0));
	for (size_t i = 0; i < 12; i++)
		deep[i] = STR("sudo");
	CHECK(!codex_forces_rm(a, deep, 8));
	CHECK(codex_forces_rm(a, deep, 12));
}

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (!str_is(written(&a, texts[i].text), texts[i].commands))
			FAIL(texts[i].text);
	check_forced(&a);
	check_lists(&a);
	arena_free(&a);
	return unit_status();
}
