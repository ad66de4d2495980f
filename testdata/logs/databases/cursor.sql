SELECT substr(c.key, 14) AS session, c.value ->> '$.name' AS title,
 c.value ->> '$.modelConfig.modelName' AS model,
 b.value ->> '$.type' AS type, b.value ->> '$.text' AS text,
 b.value ->> '$.createdAt' AS ts,
 nullif(b.value ->> '$.tokenCount.inputTokens', 0) AS input,
 nullif(b.value ->> '$.tokenCount.outputTokens', 0) AS output,
 b.value ->> '$.toolFormerData.name' AS tool,
 b.value ->> '$.toolFormerData.toolCallId' AS id,
 coalesce(b.value ->> '$.toolFormerData.rawArgs',
  b.value ->> '$.toolFormerData.params') AS args,
 b.value ->> '$.toolFormerData.result' AS result,
 b.value ->> '$.toolFormerData.status' AS status
FROM (SELECT key, CAST(value AS TEXT) AS value FROM cursorDiskKV
  WHERE key LIKE 'composerData:%' AND value IS NOT NULL) AS c
JOIN json_each(c.value, '$.fullConversationHeadersOnly') AS h
JOIN (SELECT key, CAST(value AS TEXT) AS value FROM cursorDiskKV) AS b
 ON b.key = 'bubbleId:' || substr(c.key, 14) || ':' || (h.value ->> '$.bubbleId')
ORDER BY c.value ->> '$.createdAt', session, h.key;
