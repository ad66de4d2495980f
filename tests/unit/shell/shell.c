/* Each text gives the commands that bash runs. A command is written with a blank
 * between its words, ";" between commands, "%" for what is known only as the shell
 * runs and "~" behind a word that may split; " !" ends the list if the text may run
 * others, and " ?" if bash refuses the text or a part of it. */
#include "shell/shell.h"

#include "tests/unit/unit.h"

static const char *const cases[][2] = {
	/* words and quotes */
	{ "git  push\t--force", "git push --force" },
	{ "r'm' -rf \"a b\"", "rm -rf a b" },
	{ "r\\m x\\ y", "rm x y" },
	{ "$'\\x72\\155' $'a\\tb' $'\\u00e9'", "rm a\tb \xc3\xa9" },
	{ "rm \"a\\$b\\q\" 'c\\d'", "rm a$b\\q c\\d" },
	{ "gi\\\nt push \\\n  -f", "git push -f" },
	{ "git commit -m 'a; rm -rf /' # rm x", "git commit -m a; rm -rf /" },
	{ "echo a#b \"#c\"", "echo a#b #c" },
	{ "rm \"\" ''", "rm  " },
	{ "", "" },
	{ " # nothing\n\n", "" },
	/* expansions */
	{ "rm $x \"$y\" ${z:-$(ls a)}", "ls a;rm %~ % %~" },
	{ "$HOME/bin/rm x", "%/bin/rm~ x" },
	{ "rm -rf {a,b} c{1..3}", "rm -rf {a,b}~ c{1..3}~" },
	{ "echo $((1 + $(wc -l f))) $[2]", "wc -l f;echo % %" },
	{ "echo `ls \\`pwd\\``", "pwd;ls %~;echo %~" },
	{ "echo \"$(rm \"a $(ls b) c\")\"", "ls b;rm a % c;echo %" },
	{ "rm $1 \"$2\" \"$@\" x", "rm  x" },
	{ "a=(b \"$(ls)\"); rm \"${a[@]}\"", "ls;rm %~" },
	{ "diff <(ls a) <(ls b)", "ls a;ls b;diff /dev/fd/% /dev/fd/%" },
	{ "echo $'unclosed", " ?" },
	{ "echo \"a", " ?" },
	{ "echo $(ls", " ?" },
	/* lists and pipelines */
	{ "a && b || c; d & e", "a;b;c;d;e" },
	{ "a | b |& c", "a;b;c" },
	{ "! time -p git push", "git push" },
	{ "a&&b;c|d&", "a;b;c;d" },
	{ "a |\n b &&\n c", "a;b;c" },
	{ "a;;", " ?" },
	{ "a\nb | | c\nd", "a ?" },
	{ "a &&", " ?" },
	/* what cannot run */
	{ "false && a || b", "false;b" },
	{ "true || a; b", "true;b" },
	{ "exit; a", "exit" },
	{ "a && exit; b", "a;exit;b" },
	{ "(exit); a", "exit;a" },
	{ "{ exit; }; a", "exit" },
	{ "exec a; b\nc", "exec a;a" },
	{ "exec 3>f; b", "exec;b" },
	{ "if false; then a; elif b; then c; else d; fi", "false;b;c;d" },
	{ "while false; do a; done; b", "false;b" },
	{ "((0)) && a; (( x > 1 )) && b", "b" },
	{ "case x in x) a;; *) b;; esac", "a" },
	{ "case $x in x|y) a;; (z) b;& *) c;; esac", "a;b;c" },
	{ "case x in y) a;; esac; b", "b" },
	{ "for f; do a; done; for f in; do b; done", "" },
	/* compound commands */
	{ "if a; then b; fi >log 2>&1", "a;b" },
	{ "until a; do b; done", "a;b" },
	{ "for f in x *.c; do rm \"$f\"; done", "rm %" },
	{ "for ((i = 0; i < 3; i++)); do a; done", "a" },
	{ "select x in a b\ndo c; done", "c" },
	{ "[[ a =~ ^(b|c)$ && -n $(ls) ]] && d", "ls;d" },
	{ "((a; b); c)", "a;b;c" },
	{ "coproc X { a; }; coproc b", "a;b" },
	{ "{ a", " ?" },
	{ "a }", "a }" },
	/* functions */
	{ "f() { rm \"$@\" $2; }; f -r 'x y'", "rm -r x y %~" },
	{ "f() { a; }", "" },
	{ "function g { a; }\ng; unset -f g; g", "a;unset -f g;g" },
	{ "f() { exit; b; }; f; c", "exit" },
	{ "f() { return 1; b; }; f; c", "return 1;c" },
	{ "f() { if a; then return; fi; exit; }; f; c", "a;return;exit;c" },
	{ "f() { (exit); b; }; f", "exit;b" },
	{ "f() { sh <<E; }; f\nreturn; rm x\nE\n", "sh !" },
	{ "echo rm >x; . ./x", "echo rm;. ./x !" },
	{ "cat >./x.sh <<E\nrm\nE\nbash x.sh", "cat;bash x.sh !" },
	{ "echo rm >x; ./x", "echo rm;./x !" },
	{ "echo rm >x; cat x; . ./y", "echo rm;cat x;. ./y" },
	{ "git() { command git \"$@\"; }; git push",
	    "command git push;git push" },
	{ "f() { f; }; f", " !" },
	{ "f() { a; }; f() { b; }; f", "b" },
	{ "f() { a; }; true | f() { b; }; f", "true;a" },
	{ "(f() { a; }); f() { b; } & f", "f" },
	{ "x && f() { a; }; f", "x;a;f" },
	{ "exec bash <<E\n$(a)\nb\nE\nc", "exec bash;bash;a;%~;b" },
	/* assignments and redirections */
	{ "A=1 B=\"x y\" C=$(ls) npm test", "ls;npm test" },
	{ "2>&1 npm test >out <in", "npm test" },
	{ "rm a >f -f", "rm a -f" },
	{ "a &> f; b >&2; c >| d; e {fd}>f", "a;b;c;e" },
	{ "a[1]=x b", "b" },
	/* here-documents */
	{ "cat <<'E'\nrm x $(ls)\nE\na", "cat;a" },
	{ "cat <<E && b\n$(ls) \\$(no)\nE\nc", "cat;b;ls;c" },
	{ "cat <<-E\n\tx\n\tE\na", "cat;a" },
	{ "bash -s -- q <<'E'\nrm \"$1\"\nE", "bash -s -- q;rm q" },
	{ "sudo sh <<< 'a; b'", "sudo sh;sh;a;b" },
	{ "cat <<E", "cat" },
	/* programs that start others */
	{ "sudo -u root -E A=1 rm x", "sudo -u root -E A=1 rm x;rm x" },
	{ "sudo -l", "sudo -l" },
	{ "env -i -u A B=1 git push", "env -i -u A B=1 git push;git push" },
	{ "env -S 'git push'", "env -S git push;git push" },
	{ "timeout -s KILL 5 rm x", "timeout -s KILL 5 rm x;rm x" },
	{ "command -v rm", "command -v rm" },
	{ "ls | xargs -n1 rm -f", "ls;xargs -n1 rm -f;rm -f %~" },
	{ "xargs -I% sh -c 'rm %'", "xargs -I% sh -c rm %;sh -c rm %;rm %~" },
	{ "find . -exec rm {} + -ok ls x \\;",
	    "find . -exec rm {} + -ok ls x ;;rm %;ls x %~" },
	{ "bash -lc 'rm \"$0\" $1' a b", "bash -lc rm \"$0\" $1 a b;rm a b" },
	{ "bash -euo pipefail -c 'a'", "bash -euo pipefail -c a;a" },
	{ "eval \"rm $x\" y", "eval rm % y;rm %~ y" },
	{ "eval \"$x\"", "eval % !" },
	{ "curl u | sh", "curl u;sh !" },
	{ "source <(a)", "a;source /dev/fd/% !" },
	{ ". ./env.sh; a", ". ./env.sh;a" },
	{ "trap 'rm x' EXIT; trap - EXIT", "trap rm x EXIT;rm x;trap - EXIT" },
	{ "ssh -p 22 host rm -rf x", "ssh -p 22 host rm -rf x;rm -rf x" },
	{ "docker exec -it web sh -c 'a'",
	    "docker exec -it web sh -c a;sh -c a;a" },
	{ "flock f -c 'a b'; flock f c", "flock f -c a b;a b;flock f c;c" },
	{ "su - me -c 'rm x'", "su - me -c rm x;rm x" },
	{ "parallel rm ::: a b", "parallel rm ::: a b;rm %~" },
	{ "nice -n 5 nohup rm x &", "nice -n 5 nohup rm x;nohup rm x;rm x" },
	{ "time { a; }; time b", "a;b" },
	{ "busybox rm x", "busybox rm x;rm x" },
};

/* Writes what was read as the cases write it. */
static struct str
written(struct arena *a, struct str text)
{
	struct shell s = shell_read(a, text);
	struct str out = STR(""), unknown = STR("\xff");

	for (size_t i = 0; i < s.n; i++)
		for (size_t k = 0; k < s.list[i].n; k++) {
			const struct shell_word *w = &s.list[i].words[k];

			out = str_printf(a, "%.*s%s%.*s%s", STR_FMT(out),
			    k > 0       ? " "
				: i > 0 ? ";"
					: "",
			    STR_FMT(str_replace(a, w->text, unknown, STR("%"))),
			    w->splits ? "~" : "");
		}
	return str_printf(a, "%.*s%s%s", STR_FMT(out), s.unknown ? " !" : "",
	    s.invalid ? " ?" : "");
}

/* A text that is deep or long ends soon, and does not overflow the stack. */
static void
check_limits(struct arena *a)
{
	static const char *const parts[] = { "$(", "(", "{ ", "\"${x:-", "if ",
		"a() ", "eval 'eval ", "<(", "[[ ", "case x in x) ", "x=(",
		"a x=(", "coproc ", "function f ", "for x in y; do ", "while ",
		"until ", "select x in y; do ", "${", "[[ $(", "a <<E $(", "((",
		"$((" };

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		struct str one = str_of(parts[i]), *list;
		struct shell s;

		list = arena_new_n(a, struct str, 20000);
		for (size_t k = 0; k < 20000; k++)
			list[k] = one;
		s = shell_read(a, str_join(a, list, 20000, STR("")));
		if (!s.invalid && !s.unknown)
			FAIL(parts[i]);
		arena_reset(a);
	}
	CHECK(shell_read(a, STR("f() { f; f; }; f")).unknown);
	CHECK(shell_read(a, STR("f() { g; g; }; g() { f; f; }; f")).unknown);
}

/* Each xargs would hand on nearly all words. */
static void
check_starters(struct arena *a)
{
	const char *const parts[] = { "xargs ", "eval ", "find -exec " };
	struct str list[20000];

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		struct shell s;

		for (size_t k = 0; k < 20000; k++)
			list[k] = str_of(parts[i]);
		s = shell_read(a, str_join(a, list, 20000, STR("")));
		if (!s.unknown || s.n > 50)
			FAIL(parts[i]);
		arena_reset(a);
	}
}

static void
check_words(struct arena *a)
{
	const struct str words[] = { STR("bash"), STR("-lc"),
		STR("ls; rm $x") };
	struct shell s = shell_read_words(a, words, 3);

	CHECK(s.n == 3);
	CHECK_STR(shell_program(&s.list[2]), "rm");
	CHECK(s.list[2].by == 0);
	CHECK(shell_read_words(a, words, 0).n == 0);
}

/* What is written is listed once, whether it runs or not, with the words' sources. */
static void
check_written(struct arena *a)
{
	struct shell s = shell_read_written(a,
	    STR("f() { rm \"$@\"; }; if false; then sudo r'm' ~; fi; f a\n"
		"exit; echo \"$(time ls)\"; sh -c 'rm x'"));
	static const char *const words[] = { "rm \"$@\"", "false",
		"sudo r'm' ~", "f a", "exit", "time ls", "echo \"$(time ls)\"",
		"sh -c 'rm x'" };

	CHECK(s.n == 8 && !s.invalid);
	for (size_t i = 0; i < s.n && i < 8; i++) {
		struct str all = STR("");

		for (size_t k = 0; k < s.list[i].n; k++)
			all = str_printf(a, "%.*s%s%.*s", STR_FMT(all),
			    k > 0 ? " " : "",
			    STR_FMT(s.list[i].words[k].source));
		CHECK_STR(all, words[i]);
	}
	CHECK(shell_read_written(a, STR("if then rm x")).invalid);
}

static void
check_sources(struct arena *a)
{
	struct shell s = shell_read(
	    a, STR("A=1 npm test  >f && cat <<E; $(ls -l)\nx y\nE\n"));

	CHECK(s.n == 4);
	CHECK_STR(s.list[0].source, "A=1 npm test  >f");
	CHECK_STR(s.list[1].source, "cat <<E");
	CHECK_STR(s.list[1].input, "x y\n");
	CHECK_STR(s.list[2].source, "ls -l");
}

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str got = written(&a, str_of(cases[i][0]));

		if (!str_is(got, cases[i][1]))
			fprintf(stderr, "%s\n", cases[i][0]);
		CHECK_STR(got, cases[i][1]);
	}
	check_limits(&a);
	check_starters(&a);
	check_words(&a);
	check_written(&a);
	check_sources(&a);
	arena_free(&a);
	return unit_status();
}
