/* Finds the commands that Claude Code runs in every mode since they only read: those that
 * the page "Configure permissions", section "Read-only commands", names, and more of which
 * users report the same. */
#include "check/permission/claude_shell.h"

/* Programs, and the flags with which they write or run something. A program that has
 * such flags gets no file names from a glob, since a name may be a flag. */
struct reader {
	const char *programs, *writes;
};

static const struct reader readers[] = {
	{ "ls cat echo pwd head tail grep egrep fgrep wc which diff stat du df "
	  "id uname "
	  "free basename dirname realpath readlink cut paste tr column nl "
	  "sleep true "
	  "false type",
	    NULL },
	{ "find",
	    "-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf "
	    "-fls" },
	{ "sort", "-o --output --compress-program -T --temporary-directory" },
	{ "rg", "--pre --hostname-bin" },
	{ "file", "-m --magic-file -f --files-from -C --compile" },
	{ "date", "-s --set" },
	{ "sed", "-i --in-place -f --file" },
	{ "git",
	    "--output --ext-diff --textconv -O --open-files-in-pager "
	    "--upload-pack" },
	{ "docker podman", "-H --host -c --context --url --connection" },
};

/* Subcommands that only read: all of them, or those whose next word is one of `first`;
 * without a next word if `bare`. */
struct form {
	const char *program, *names, *first;
	bool bare;
};

static const struct form forms[] = {
	{ "git",
	    "status log diff show blame annotate rev-parse rev-list ls-files "
	    "ls-tree ls-remote cat-file describe shortlog merge-base grep "
	    "for-each-ref show-ref name-rev count-objects check-ignore "
	    "diff-tree version whatchanged --version",
	    NULL, true },
	{ "git", "branch",
	    "-a -r -v -vv --all --remotes --list -l --show-current --contains "
	    "--merged --no-merged",
	    true },
	{ "git", "tag", "-l --list --contains --points-at -n", true },
	{ "git", "remote", "-v --verbose show get-url", true },
	{ "git", "stash worktree", "list show", false },
	{ "git", "reflog", "show", true },
	{ "git", "submodule", "status", true },
	{ "git", "config", "--get --get-all --get-regexp --list -l", false },
	{ "docker podman", "ps images inspect logs version info port top", NULL,
	    true },
};

static bool
is_flag(struct str word)
{
	return word.n > 1 && word.s[0] == '-';
}

/* Returns whether the word is the flag: whole, with a value, shortened, or among others
 * of one letter. */
static bool
has_flag(struct str word, struct str flag)
{
	struct str name = str_slice(word, 0, str_find_char(word, '='));

	if (str_eq(word, flag) || (flag.n > 2 && flag.s[1] != '-'))
		return str_eq(word, flag);
	if (flag.n == 2)
		return !str_starts(word, "--") &&
		    str_find_char(word, flag.s[1]) < word.n;
	return name.n > 3 && str_starts(flag, name);
}

static bool
writes(const struct reader *r, const struct shell_command *c)
{
	struct str rest = str_of(r->writes);

	while (rest.s != NULL) {
		struct str flag = str_cut(&rest, ' ');

		for (size_t i = 1; i < c->n; i++)
			if (is_flag(c->words[i].text) &&
			    has_flag(c->words[i].text, flag))
				return true;
	}
	return false;
}

/* Returns whether the command is one of the forms of its program. */
static bool
is_form(const struct shell_command *c)
{
	struct str program = c->words[0].text;
	size_t at = 1;

	while (at < c->n &&
	    str_is_one_of(
		c->words[at].text, "--no-pager -P --no-optional-locks"))
		at++;
	for (size_t i = 0; at < c->n && i < sizeof forms / sizeof forms[0]; i++)
		if (str_is_one_of(program, forms[i].program) &&
		    str_is_one_of(c->words[at].text, forms[i].names))
			return at + 1 == c->n ? forms[i].bare
					      : forms[i].first == NULL ||
				str_is_one_of(
				    c->words[at + 1].text, forms[i].first);
	return false;
}

/* Returns whether all characters are in the set. */
static bool
is_of(struct str text, const char *set)
{
	for (size_t i = 0; i < text.n; i++)
		if (!ascii_is_among(text.s[i], set))
			return false;
	return true;
}

/* Returns whether a script of sed neither writes nor runs: lines that are printed or
 * left out, or a substitution. */
static bool
script_reads(struct str script)
{
	size_t last = script.n;

	if (script.n > 1 && ascii_is_among(script.s[0], "s/")) {
		char mark = script.s[script.s[0] == 's'];

		while (last > 1 && script.s[last - 1] != mark)
			last--;
		return last > 2 &&
		    is_of(str_from(script, last),
			script.s[0] == 's' ? "gpIi0123456789" : "pdq");
	}
	return is_of(script, "0123456789,$;pdq= ");
}

static bool
sed_reads(const struct shell_command *c)
{
	bool given = false;

	for (size_t i = 1; i < c->n; i++) {
		struct str word = c->words[i].text;

		if (str_is_one_of(word, "-e --expression") && i + 1 < c->n) {
			given = true;
			if (!script_reads(c->words[++i].text))
				return false;
		} else if (is_flag(word)) {
			if (!is_of(str_from(word, 1), "nErsuz"))
				return false;
		} else if (!given) {
			return script_reads(word);
		}
	}
	return given;
}

bool
claude_reads_only(const struct shell_command *c)
{
	struct str program = c->words[0].text;

	for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
		const struct reader *r = &readers[i];

		if (!str_is_one_of(program, r->programs))
			continue;
		for (size_t k = 1; r->writes != NULL && k < c->n; k++)
			if (c->words[k].glob)
				return false;
		if (r->writes != NULL && writes(r, c))
			return false;
		if (str_is_one_of(program, "git docker podman"))
			return is_form(c);
		return !str_is(program, "sed") || sed_reads(c);
	}
	return false;
}

/* Variables that a read-only command may have: what they stand for is no secret of the
 * line. */
static const char known_variables[] =
    "HOME PWD OLDPWD USER LOGNAME SHELL PATH HOSTNAME UID TMPDIR";

bool
claude_knows_expansions(struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		size_t from = i + 1, to;

		if (text.s[i] == '`')
			return false;
		if (text.s[i] == '\\')
			i++;
		if (text.s[i] == '\'')
			i += 1 + str_find_char(str_from(text, i + 1), '\'');
		if (i >= text.n || text.s[i] != '$' || from >= text.n)
			continue;
		from += text.s[from] == '{';
		for (to = from; to < text.n &&
		     (ascii_is_alnum(text.s[to]) || text.s[to] == '_');)
			to++;
		if (to == from) {
			if (!ascii_is_among(text.s[from], "?#$! \""))
				return false;
		} else if (!str_is_one_of(
			       str_slice(text, from, to), known_variables)) {
			return false;
		}
	}
	return true;
}
