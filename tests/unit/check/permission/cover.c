/* The words that a line should name of a command, and what cannot be undone. */
#include "check/permission/cover.h"

#include "tests/unit/unit.h"

/* The command, the words that a line names, whether these can do what cannot be
 * undone. */
static const struct {
	const char *command, *named;
	bool irrevocable;
} cases[] = {
	{ "ls -la", "ls", false },
	{ "rm -rf x", "rm", true },
	{ "/bin/rm x", "/bin/rm", true },
	{ "git diff --stat", "git diff", false },
	{ "git -C dir diff", "git -C dir diff", false },
	{ "git push origin main", "git push", true },
	{ "git push-notes x", "git push-notes", false },
	{ "git", "git", true },
	{ "git stash list", "git stash list", false },
	{ "git stash drop", "git stash drop", true },
	{ "git stash", "git stash", true },
	{ "npm test", "npm test", false },
	{ "npm run build -- --watch", "npm run build", false },
	{ "npm --prefix app run build", "npm --prefix app run build", false },
	{ "npm publish", "npm publish", true },
	{ "npx tsc --noEmit", "npx tsc", false },
	{ "npx --yes rimraf x", "npx --yes rimraf", true },
	{ "npm exec -- rimraf x", "npm exec -- rimraf", true },
	{ "npm exec tsc", "npm exec tsc", false },
	{ "npm run deploy:prod", "npm run deploy:prod", true },
	{ "exec rm x", "exec", true },
	{ "source a.sh x", "source a.sh", false },
	{ "xargs -a list git add", "xargs -a list git add", false },
	{ "xargs -a list", "xargs -a list", true },
	{ "git \xff x", "git \xff", true },
	{ "git -c alias.p=push p", "git -c alias.p=push p", true },
	{ "git submodule foreach x", "git submodule foreach", true },
	{ "git bisect run x", "git bisect run", true },
	{ "time -p npm publish", "time -p npm publish", true },
	{ "time -p npm test", "time -p npm test", false },
	{ "command -p git push", "command -p git push", true },
	{ "flock -n l git push", "flock -n l git push", true },
	{ "timeout -k 5 9 git push", "timeout -k 5 9 git push", true },
	{ "strace -f -o t git push", "strace -f -o t git push", true },
	{ "setsid -w rm x", "setsid -w rm", true },
	{ "env -S x", "env -S x", true },
	{ "sudo make install", "sudo make install", true },
	{ "docker run -v /:/h img rm", "docker run -v /:/h img", true },
	{ "kubectl exec pod", "kubectl exec", true },
	{ "conda run pytest x", "conda run pytest", false },
	{ "npx", "npx", true },
	{ "xargs -n 1 rm", "xargs -n 1 rm", true },
	{ "sudo -u me git reset --hard", "sudo -u me git reset", true },
	{ "timeout -s KILL 5 git diff x", "timeout -s KILL 5 git diff", false },
	{ "env A=1 npm run x y", "env A=1 npm run x", false },
	{ "docker compose up -d", "docker compose up", false },
	{ "docker compose down", "docker compose down", true },
	{ "docker exec web npm test x", "docker exec web npm test", false },
	{ "kubectl delete pod x", "kubectl delete", true },
	{ "kubectl get pods", "kubectl get", false },
	{ "kubectl -n x get pods", "kubectl -n x get", false },
	{ "gh pr view 1", "gh pr view", false },
	{ "gh pr merge 1", "gh pr merge", true },
	{ "aws s3 ls s3://x", "aws s3 ls", false },
	{ "aws ec2 terminate-instances --ids x", "aws ec2 terminate-instances",
	    true },
	{ "terraform plan", "terraform plan", false },
	{ "terraform destroy", "terraform destroy", true },
	{ "psql -c x", "psql", true },
	{ "sh", "sh", true },
	{ "sh x.sh y", "sh x.sh", false },
	{ "bash -c x", "bash -c", true },
	{ "python3 -m pytest x", "python3 -m pytest", false },
	{ "python3 a.py b", "python3 a.py", false },
	{ "python3 manage.py test a", "python3 manage.py test", false },
	{ "python3 -c x", "python3 -c", true },
	{ "mkfs.ext4 /dev/x", "mkfs.ext4", true },
};

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str rest = str_of(cases[i].command), words[16];
		size_t n = 0, named;

		while (rest.s != NULL)
			words[n++] = str_cut(&rest, ' ');
		named = permission_cover_words(words, n);
		CHECK_STR(str_join(&a, words, named, STR(" ")), cases[i].named);
		if (permission_irrevocable(words, named) !=
		    cases[i].irrevocable)
			FAIL(cases[i].command);
	}
	arena_free(&a);
	return unit_status();
}
