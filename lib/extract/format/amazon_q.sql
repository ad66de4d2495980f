-- Conversations of Amazon Q's command line, one for each folder.
SELECT iif(json_valid(value), json(value), value) FROM conversations ORDER BY key
