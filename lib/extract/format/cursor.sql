-- Messages of Cursor's editor in the order of their session's list. A message is a
-- value of its own or, in older versions, a part of the session. A message that the
-- list names and that is not there is a record with `missing`.
WITH kv AS NOT MATERIALIZED (
 SELECT key, CAST(value AS TEXT) AS value FROM cursorDiskKV),
s AS MATERIALIZED (
 SELECT key FROM kv WHERE key GLOB 'composerData:*' AND json_valid(value)
 ORDER BY json_extract(value, '$.createdAt'), key)
SELECT json_object(
 'composerId', substr(key, 14),
 'title', json_extract(session, '$.name'),
 'model', coalesce(json_extract(v, '$.modelInfo.modelName'),
  json_extract(session, '$.modelConfig.modelName')),
 'bubbleId', json_extract(listed, '$.bubbleId'),
 'missing', iif(v IS NULL, json_object('type', 'tool_call', 'name', 'unknown'), NULL),
 'type', json_extract(v, '$.type'),
 'text', json_extract(v, '$.text'),
 'createdAt', coalesce(json_extract(v, '$.createdAt'),
  json_extract(v, '$.timingInfo.clientStartTime')),
 'input', nullif(json_extract(v, '$.tokenCount.inputTokens'), 0),
 'output', nullif(json_extract(v, '$.tokenCount.outputTokens'), 0),
 'toolFormerData', json_extract(v, '$.toolFormerData'))
FROM (
 SELECT c.key AS key, c.value AS session, h.value AS listed,
  coalesce(b.value, iif(json_extract(h.value, '$.text') IS NULL, NULL, h.value)) AS v
 FROM s CROSS JOIN kv AS c ON c.key = s.key
 CROSS JOIN json_each(c.value,
  CASE WHEN json_array_length(c.value, '$.fullConversationHeadersOnly') > 0
  THEN '$.fullConversationHeadersOnly' ELSE '$.conversation' END) AS h
 LEFT JOIN kv AS b ON b.key = 'bubbleId:' || substr(c.key, 14) || ':' ||
  json_extract(h.value, '$.bubbleId') AND json_valid(b.value))
