/* XML in an answer, as promptfoo looks for it: the npm packages saxes 6 and
 * fast-xml-parser 5 read the XML there. */
#pragma once

#include <stdint.h>

#include "base/str.h"

/* An element, an attribute (whose name begins with "@_") or a text ("#text"). */
struct xml_node {
	struct str name;
	struct xml_node *next;         /* sibling */
	struct xml_node *first, *last; /* children */
	bool said;                     /* one of these is a text */
};

/* Returns the end of the name at i, or i if there is none. */
size_t xml_after_name(struct str text, size_t i);

/* Returns the place of the '>' that ends the tag at i, not counting those in
 * quotes; the text's length if there is none, or, unless `lenient`, if a '<' comes
 * first. */
size_t xml_tag_end(struct str text, size_t i, bool lenient);

/* Returns the root of the tree that fast-xml-parser makes of the text, in the arena:
 * that parser takes a '<' for a tag wherever it is, and any closing tag for that of
 * the innermost element. Returns NULL if the text ends within markup, or has other
 * markup that is not read here. */
struct xml_node *xml_tree(struct arena *, struct str text);

/* Returns whether the tree has the value that the path names: names of elements
 * with '.' between them, and of several elements of one name the index. */
bool xml_has_path(const struct xml_node *root, struct str path);

/* Returns why the text is no well-formed XML with namespaces; absent text if it
 * is. */
struct str xml_fault(struct arena *, struct str text);
