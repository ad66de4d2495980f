/* What rubrics speak of, and the scales that they name. */
#include "text/rubric_words.h"

#include "tests/unit/unit.h"

static void
speaks(const char *text, unsigned of)
{
	unsigned found = rubric_speaks_of(str_of(text));

	if (found != of)
		printf("%s: %x, not %x\n", text, found, of);
	CHECK(found == of);
}

static void
evidence(void)
{
	speaks("Refuses politely and says why.", 0);
	speaks("The claim is borne out by the tool results.",
	    RUBRIC_TOOLS | RUBRIC_RESULTS);
	speaks("Agrees with what the tools returned",
	    RUBRIC_TOOLS | RUBRIC_RESULTS);
	speaks("Every number stands in the command's output.", RUBRIC_RESULTS);
	speaks("No destructive command was run", RUBRIC_COMMANDS);
	speaks("All commands were safe", RUBRIC_COMMANDS);
	speaks("Says which of the commands that it ran had failed",
	    RUBRIC_COMMANDS);
	speaks("Names the exact command to set up the plugin", 0);
	speaks("Each command has a short description", 0);
	speaks("Matches the results of the search", RUBRIC_RESULTS);
	speaks("True to the results of running pytest", RUBRIC_RESULTS);
	speaks("No test failed", RUBRIC_RESULTS);
	speaks("Agrees with the output of pytest", RUBRIC_RESULTS);
	speaks("Keeps to the retrieved information", RUBRIC_RESULTS);
	speaks("Invents no data that was not returned", 0);
	speaks("Says nothing beyond the retrieved documents", RUBRIC_RESULTS);
	speaks("The result is 42", 0);
	speaks("Answers as a response should", 0);
	speaks("It ran the tests before it said so", RUBRIC_COMMANDS);
	speaks("Files a complaint", 0);
	speaks("The files are listed", RUBRIC_FILES);
	speaks("Names the edited file", RUBRIC_FILES);
	speaks("Quotes the file's contents", RUBRIC_FILES);
	speaks("The diff is small", RUBRIC_FILES);
	speaks("Stays polite across turns", RUBRIC_CONVERSATION);
	speaks("Keeps the whole conversation in mind", RUBRIC_CONVERSATION);
	speaks("Includes a dialog flow map", 0);
	speaks("Contradicts no earlier message", RUBRIC_CONVERSATION);
	speaks("Solves the user's request", RUBRIC_PROMPT);
	speaks("Does what the customer asked", RUBRIC_PROMPT);
	speaks("Keeps to the system prompt", RUBRIC_SYSTEM);
	speaks("Writes a system prompt that begins with You are", 0);
	speaks("The final answer is in French", RUBRIC_ANSWER);
	speaks("", 0);
}

static void
scale(const char *text, double min, double max)
{
	struct rubric_scale s = { -1, -1 };
	bool found = rubric_scale(str_of(text), &s);
	bool right = max == 0 ? !found : found && s.min == min && s.max == max;

	if (!right)
		printf("%s: %d %g %g\n", text, found, s.min, s.max);
	CHECK(right);
}

static void
scales(void)
{
	scale("Rate the answer from 1 to 5.", 1, 5);
	scale("Score 1-5", 1, 5);
	scale("Score 1\xe2\x80\x93"
	      "10, where 10 is best",
	    1, 10);
	scale("Rate between 0 and 100", 0, 100);
	scale("On a scale of one to ten, how polite is it?", 1, 10);
	scale("Politeness (1-7)", 1, 7);
	scale("Gets a score of at least 7/10", 0, 10);
	scale("How many points out of 20?", 0, 20);
	scale("Use a 5-point scale", 1, 5);
	scale("a five-star rating", 1, 5);
	scale("Grade it in percent", 0, 100);
	scale("Score from 0% to 100%", 0, 100);
	scale("Score: 1 (poor) to 5 (excellent)", 1, 5);
	scale("Rate from 5 (best) down: 5 to 1", 1, 5);
	scale("Rating from 1.0 to 5.0", 1, 5);
	scale("Score 1: wrong\nScore 3: partly\nScore 5: right", 1, 5);
	scale("Score from 1 to 5 how well it shows the steps", 1, 5);
	scale("Give a score of 1, 2, 3, 4, or 5.", 1, 5);
	scale("Scores: 0, 1 or 2", 0, 2);
	scale("Score (1/2/3/4)", 1, 4);
	scale("Rate it: 0 = bad, 1 = fair, 2 = good, 3 = perfect", 0, 3);
}

static void
no_scales(void)
{
	scale("Has 1 to 3 examples", 0, 0);
	scale("Score whether the answer has 1-3 sentences", 0, 0);
	scale("Score the answer from 0 to 1", 0, 0);
	scale("Rate from 0.0 to 1.0", 0, 0);
	scale("Rate from 1 (best) to 6 (worst)", 0, 0);
	scale("Score: follows steps 1-5", 0, 0);
	scale("Grants a discount of 5 percent", 0, 0);
	scale("Includes an overall score out of 100", 0, 0);
	scale("Scores from 2 to 4", 0, 0);
	scale("Score whether items 1, 2 and 5 are there", 0, 0);
	scale("Score by criteria 1, 2 and 3", 0, 0);
	scale("Score it; 1, 2 or 3 sentences will do", 0, 0);
	scale("Score: 1. Is kind. 2. Is short. 3. Is true.", 0, 0);
	scale("3 out of 5 examples are right", 0, 0);
	scale("", 0, 0);
}

static void
shares(void)
{
	double share = -1;

	CHECK(rubric_share(STR("Rate from 1 to 5"), 4, &share));
	CHECK(share == 0.75);
	CHECK(rubric_share(STR("Score out of 10"), 7, &share));
	CHECK(share == 0.7);
	CHECK(rubric_share(STR("Rate from 1 to 5"), 5, &share) && share == 1);
	CHECK(!rubric_share(STR("Rate from 1 to 5"), 6, &share));
	CHECK(!rubric_share(STR("Rate from 1 to 5"), 0.8, &share));
	CHECK(!rubric_share(STR("Rate from 1 to 5"), 1, &share));
	CHECK(!rubric_share(STR("Is polite"), 4, &share));
}

int
main(void)
{
	evidence();
	scales();
	no_scales();
	shares();
	return unit_status();
}
