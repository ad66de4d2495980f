/* Makes paths of files comparable, for the arguments that a role calls `path`. */
#include "check/rule/run.h"
#include "trace/workspace.h"

/* Returns the folder that the run worked in; absent if the log does not say it. */
static struct str
folder_of(struct rule_run *run)
{
	const struct json *cwd =
	    json_get(json_get(run->view->trace->record, "meta"), "cwd");
	struct str folder = json_text(cwd, run->arena);

	return json_is(cwd, JSON_STRING) && str_starts(folder, "/")
	    ? folder
	    : (struct str){ 0 };
}

/* Returns the path, cleaned and from the run's folder on if the folder is known. */
static struct str
clean(struct rule_run *run, struct str path)
{
	struct arena *a = run->arena;
	struct str folder, cleaned;

	if (path.n == 0 || *path.s == '~' || str_contains(path, STR("://")))
		return path;
	if (*path.s != '/' && (folder = folder_of(run)).n != 0)
		path = str_join(a, (struct str[]){ folder, path }, 2, STR("/"));
	if (!workspace_clean(a, path, &cleaned))
		return path;
	if (*path.s != '/')
		return cleaned;
	return str_is(cleaned, ".") ? STR("/") : str_cat(a, STR("/"), cleaned);
}

const struct json *
rule_path_value(struct rule_run *run, const struct json *v)
{
	struct str path, cleaned;

	if (!json_is(v, JSON_STRING))
		return v;
	path = json_text(v, run->arena);
	cleaned = clean(run, path);
	return str_eq(path, cleaned) ? v : rule_text_value(run->arena, cleaned);
}

struct str
rule_path_within(struct rule_run *run, struct str path)
{
	struct str folder = folder_of(run);

	if (folder.n == 0)
		return folder;
	folder = clean(run, folder);
	return str_starts(path, folder) && path.n > folder.n &&
		path.s[folder.n] == '/'
	    ? str_from(path, folder.n + 1)
	    : (struct str){ 0 };
}
