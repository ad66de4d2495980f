# Each heading has an item.
test "$(grep -c '^## ' 1.4.md)" -le "$(grep -c '^- ' 1.4.md)"
