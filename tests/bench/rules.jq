# MCPLab's rules in jq: jq -r -f rules.jq --slurpfile assertions FILE. Prints "passed"
# or "failed" for each run.
def in_order($wanted):
  reduce .[] as $tool (0; if $wanted[.] == $tool then . + 1 else . end)
  == ($wanted | length);

def holds($text):
  . as $a
  | if .type == "regex" then
      $text | test($a.pattern; "i")
    else
      ($text | try fromjson catch null) as $json
      | [$a.path | split(".")[1:][]] as $path
      | ($json | try getpath($path) catch null)
      | if $a | has("equals") then . == $a.equals else . != null end
    end;

($assertions[0].scenarios | map({key: .id, value: .eval}) | from_entries)
  as $scenarios
| inputs
| .tool_sequence as $tools
| .final_text as $text
| $scenarios[.scenario_id]
| .tool_sequence as $wanted
| if (.tool_constraints.required_tools - $tools == [])
    and all(.tool_constraints.forbidden_tools[]; IN($tools[]) | not)
    and ($tools | in_order($wanted))
    and all(.response_assertions[]; holds($text))
  then "passed" else "failed" end
