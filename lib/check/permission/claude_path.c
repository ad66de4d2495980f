/* The paths of Read and Edit: where a pattern begins, and which files it fits (section
 * "Read and Edit" of the page "Configure permissions"). Links are not followed: a log
 * does not say where they lead. */
#include "base/ascii.h"
#include "check/permission/claude.h"
#include "trace/workspace.h"

/* ---- patterns ---- */

/* Takes the sign of the anchor off the pattern, which then begins with a slash unless
 * the anchor is the folder of the run. */
static void
read_anchor(struct claude_entry *e, struct str *text)
{
	if (str_starts(*text, "//")) {
		e->anchor = CLAUDE_ROOT;
		*text = str_from(*text, 1);
	} else if (str_starts(*text, "~/")) {
		e->anchor = CLAUDE_HOME;
		*text = str_from(*text, 1);
	} else if (str_starts(*text, "/")) {
		e->anchor = CLAUDE_SOURCE;
	}
	for (;;) {
		if (str_starts(*text, "./")) {
			*text = str_from(*text, 2);
		} else if (str_starts(*text, "../")) {
			*text = str_from(*text, 3);
			e->up++;
		} else {
			return;
		}
	}
}

void
claude_path_read(
    struct claude_entry *e, enum permission decision, struct arena *a)
{
	struct str text = e->value;
	bool tree;

	read_anchor(e, &text);
	e->floats = str_starts(text, "/**/");
	tree = str_ends(text, "/**");
	/* A folder and all that is in it; a single one at any depth, but not in an
	 * allow. */
	if (tree) {
		text.n -= 3;
		if (decision == PERMISSION_ALLOW && text.n > 0 &&
		    str_find_char(text, '/') == text.n)
			text = str_cat(a, STR("/"), text);
	}
	if (text.n == 0)
		return;
	/* Above the folder of the run, a name is not one of any depth. */
	if (e->up > 0 && !str_starts(text, "/"))
		text = str_cat(a, STR("/"), text);
	e->path = text;
	e->pattern = path_pattern_read(a, text);
}

/* ---- paths ---- */

static bool
is_windows(struct str path)
{
	return str_starts(path, "\\\\") ||
	    (path.n > 1 && ascii_is_letter((unsigned char)path.s[0]) &&
		path.s[1] == ':' &&
		(path.n == 2 ||
		    ascii_is_among((unsigned char)path.s[2], "\\/")));
}

/* Returns a path of Windows in the form of POSIX: /c/Users for C:\Users. */
static struct str
posix(struct str path, bool windows, struct arena *a)
{
	char *to;

	if (!windows)
		return path;
	path = is_windows(path) && path.s[1] == ':'
	    ? str_printf(
		  a, "/%c%.*s", path.s[0] | 0x20, STR_FMT(str_from(path, 2)))
	    : path;
	to = str_c(a, path);
	for (size_t i = 0; i < path.n; i++)
		if (to[i] == '\\')
			to[i] = '/';
	return (struct str){ to, path.n };
}

/* Returns whether the absolute path has no ".", ".." and empty name. */
static bool
is_clean(struct str path)
{
	return path.n == 1 ||
	    (str_find(path, "//") == path.n && str_find(path, "/.") == path.n &&
		!str_ends(path, "/") && str_find_char(path, '\0') == path.n);
}

/* Returns an absolute path without "." and "..". */
static struct str
cleaned(struct str path, struct arena *a)
{
	struct str clean;

	if (is_clean(path))
		return path;
	if (!workspace_clean(a, path, &clean))
		return path;
	return str_is(clean, ".") ? STR("/") : str_cat(a, STR("/"), clean);
}

/* Returns the home of the user in whose folder the path is; absent: not known. */
static struct str
home_of(struct str path)
{
	static const char *const parents[] = { "/home/", "/Users/",
		"/var/home/" };
	struct str rest;
	size_t n = 0;

	if (str_is(path, "/root") || str_starts(path, "/root/"))
		return str_slice(path, 0, strlen("/root"));
	for (size_t i = 0; i < sizeof parents / sizeof parents[0] && n == 0;
	     i++)
		if (str_starts(path, parents[i]))
			n = strlen(parents[i]);
	if (path.n > 2 && path.s[2] == '/' &&
	    str_starts(str_from(path, 2), "/Users/"))
		n = 2 + strlen("/Users/");
	rest = str_from(path, n);
	rest = str_cut(&rest, '/');
	return n != 0 && rest.n != 0 ? str_slice(path, 0, n + rest.n)
				     : (struct str){ 0 };
}

/* Returns the folder of the run as an absolute path; absent: not recorded. */
static struct str
folder_of(struct str folder, struct arena *a)
{
	folder = posix(folder, is_windows(folder), a);
	return str_starts(folder, "/") ? cleaned(folder, a) : (struct str){ 0 };
}

struct str
claude_path_of(struct str folder, struct str path, struct arena *a)
{
	struct str base = folder_of(folder, a), clean;

	if (str_starts(path, "file://"))
		path = str_from(path, strlen("file://"));
	path = posix(path, is_windows(path) || is_windows(folder), a);
	if (str_is(path, "~") || str_starts(path, "~/")) {
		base = home_of(base);
		if (base.s == NULL)
			return path;
		path = str_from(path, 1);
	} else if (str_starts(path, "/")) {
		return cleaned(path, a);
	}
	if (base.s != NULL)
		return cleaned(
		    str_join(a, (struct str[]){ base, path }, 2, STR("/")), a);
	return workspace_clean(a, path, &clean) ? clean : path;
}

bool
claude_path_is_below(struct str folder, struct str path, struct str *below)
{
	if (str_is(folder, "/"))
		folder.n = 0;
	if (!str_starts(path, folder) ||
	    (path.n > folder.n && path.s[folder.n] != '/'))
		return false;
	*below = str_from(path, folder.n + 1);
	return true;
}

/* Returns the folder in which the pattern of the line begins; absent: not known. */
static struct str
base_of(const struct permission_line *line, struct str folder, struct arena *a)
{
	const struct claude_entry *e = line->of;
	struct str base = folder_of(folder, a), source = line->source->folder;

	if (e->anchor == CLAUDE_ROOT)
		return STR("/");
	if (e->anchor == CLAUDE_HOME)
		return home_of(base);
	if (e->anchor == CLAUDE_SOURCE && source.s != NULL)
		base = claude_path_of(folder, source, a);
	if (!str_starts(base, "/"))
		return (struct str){ 0 };
	for (size_t i = 0; i < e->up; i++)
		base = str_cat(a, base, STR("/.."));
	return cleaned(base, a);
}

static bool
fits_below(const struct claude_entry *e, struct str below, unsigned how)
{
	return e->pattern == NULL || path_pattern_fits(e->pattern, below, how);
}

/* Returns whether the line's pattern begins where a relative path does. */
static bool
begins_with_run(const struct permission_line *line)
{
	const struct claude_entry *e = line->of;

	return e->up == 0 &&
	    (e->anchor == CLAUDE_FOLDER ||
		(e->anchor == CLAUDE_SOURCE && line->source->folder.s == NULL));
}

enum rule_fit
claude_path_fits(const struct permission_line *line, struct str folder,
    struct str path, unsigned how, struct arena *a)
{
	const struct claude_entry *e = line->of;
	struct str base = base_of(line, folder, a), below;
	bool is_home = e->anchor == CLAUDE_HOME && str_starts(path, "~/");

	/* No system has such a path, and the agent's answer is not known. */
	if (path.n > PATH_LENGTH_MAX)
		return RULE_MAYBE;
	if (str_starts(path, "/") && base.s != NULL)
		return claude_path_is_below(base, path, &below) &&
			fits_below(e, below, how)
		    ? RULE_YES
		    : RULE_NO;
	if (is_home || (begins_with_run(line) && !str_starts(path, "/")))
		return !str_starts(path, "../") &&
			fits_below(e, str_from(path, is_home ? 2 : 0), how)
		    ? RULE_YES
		    : RULE_NO;
	if (e->floats && !str_starts(path, "/"))
		return fits_below(e, path, how) ? RULE_YES : RULE_NO;
	if (!str_starts(path, "/"))
		return RULE_MAYBE;
	/* The home is not known, but the folder of the settings below it. */
	if (e->anchor == CLAUDE_SOURCE &&
	    str_starts(line->source->folder, "~/")) {
		below = str_cat(a, str_from(line->source->folder, 1), STR("/"));
		below = str_from(path, str_find(path, below) + below.n);
		return below.n > 0 && fits_below(e, below, how) ? RULE_MAYBE
								: RULE_NO;
	}
	return fits_below(e, str_from(path, 1), how | PATH_ANYWHERE)
	    ? RULE_MAYBE
	    : RULE_NO;
}

enum rule_fit
claude_path_is_inside(const struct permission_set *set, struct str folder,
    struct str path, struct arena *a)
{
	const struct claude_settings *settings = set->of;
	struct str_list more =
	    settings != NULL ? settings->folders : (struct str_list){ 0 };
	struct str base = folder_of(folder, a), below;

	for (size_t i = 0; i < more.n; i++)
		if (claude_path_is_below(
			claude_path_of(folder, more.list[i], a), path, &below))
			return RULE_YES;
	if (base.s != NULL && str_starts(path, "/"))
		return claude_path_is_below(base, path, &below) ? RULE_YES
								: RULE_NO;
	return base.s == NULL && !str_starts(path, "/") &&
		!str_starts(path, "..") && !str_starts(path, "~")
	    ? RULE_YES
	    : RULE_MAYBE;
}

bool
claude_path_is_protected(struct str folder, struct str path, struct arena *a)
{
	/* Section "Protected paths" of the page "Permission modes". */
	static const char *const folders = ".git .vscode .idea .husky .claude";
	static const char *const files =
	    ".gitconfig .gitmodules .bashrc .bash_profile .zshrc .zprofile "
	    ".profile .ripgreprc .mcp.json .claude.json";
	static const char *const free = "commands agents skills worktrees";
	struct str rest = path, name;

	if (!claude_path_is_below(folder_of(folder, a), path, &rest))
		rest = path;
	while (rest.s != NULL && rest.n > 0) {
		name = str_cut(&rest, '/');
		if (rest.s == NULL)
			return str_is_one_of(name, files);
		if (str_is(name, ".claude") &&
		    str_is_one_of(
			str_slice(rest, 0, str_find_char(rest, '/')), free))
			return false;
		if (str_is_one_of(name, folders))
			return true;
	}
	return false;
}

/* Returns the name with a backslash before what a pattern or an entry reads otherwise. */
static struct str
escaped(struct str name, struct arena *a)
{
	char *to = arena_room(a, 2 * name.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < name.n; i++) {
		if (ascii_is_among((unsigned char)name.s[i], "*?[]()\\"))
			to[n++] = '\\';
		to[n++] = name.s[i];
	}
	return (struct str){ to, n };
}

struct permission_cover
claude_path_cover(
    const char *tool, struct str folder, struct str path, struct arena *a)
{
	struct str base = folder_of(folder, a), below = path, beside;
	struct permission_cover cover = { .irrevocable =
					      str_starts(path, "/dev/") };
	bool home = str_starts(path, "~");
	bool inside = !home &&
	    (!str_starts(path, "/") ||
		(base.s != NULL && claude_path_is_below(base, path, &below)));
	size_t parent = below.n;

	cover.line = cover.exact = str_printf(
	    a, "%s(%s%.*s)", tool, home ? "" : "/", STR_FMT(escaped(below, a)));
	if (inside) {
		parent = str_find_char(below, '/');
		parent += parent < below.n;
	}
	while (parent > 0 && below.s[parent - 1] != '/')
		parent--;
	beside = str_slice(below, 0, parent);
	/* All of a folder beside the root, or in the home, would be too much. */
	if (inside ? parent != 0
		   : str_count_char(beside, '/') > (home ? 1 : 2) ||
		    str_is(beside, "/tmp/"))
		cover.line = str_printf(a, "%s(%s%.*s**)", tool,
		    home ? "" : "/", STR_FMT(escaped(beside, a)));
	return cover;
}
