-- Messages of opencode, those of a session and of its sub-agents one after another.
-- The part of a session behind the place to which the user went back is left out, as
-- opencode's export leaves it out. sqlite3 sorts the ids, not the texts.
WITH RECURSIVE tree(id, root, began) AS (
 SELECT id, id, time_created FROM session
 WHERE [session.parent_id] IS NULL OR [session.parent_id] NOT IN (SELECT id FROM session)
 UNION ALL
 SELECT session.id, tree.root, tree.began
 FROM session JOIN tree ON [session.parent_id] = tree.id),
ordered AS MATERIALIZED (
 SELECT message.id AS id, coalesce(root, session_id) AS root
 FROM message LEFT JOIN tree ON tree.id = session_id
 ORDER BY began, 2, message.time_created, message.id),
s AS (
 SELECT id, title, version, directory,
  [session.revert|json_extract(revert, '$.messageID')] AS back,
  [session.revert|json_extract(revert, '$.partID')] AS back_part
 FROM session)
SELECT json_object(
 'info', json_set(m.data, '$.id', m.id, '$.sessionID', root),
 'parts', json((
  SELECT json_group_array(json_set(data, '$.id', id))
  FROM (
   SELECT * FROM part WHERE message_id = m.id
   AND (back IS NULL OR m.id < back OR id < back_part) ORDER BY id))),
 'session', iif(s.id = root,
  json_object('title', title, 'version', version, 'directory', directory), NULL),
 'subagent', nullif(session_id, root))
FROM ordered CROSS JOIN message AS m ON m.id = ordered.id
LEFT JOIN s ON s.id = session_id
WHERE back IS NULL OR m.id < back OR (m.id = back AND back_part IS NOT NULL)
