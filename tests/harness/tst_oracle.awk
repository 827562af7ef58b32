# The test's oracle: what GNU Go's regression script makes of replies, written anew from its description.
#
#   gnugo --mode gtp < suite.tst > replies; awk -f tst_oracle.awk suite.tst replies
#
# The first file gives what is expected, by the number of the command above; the second the replies, of which
# only lines with a status sign, a number and a space count.

function judge(number, reply,    wanted, bare, marks, wrong, right) {
    wanted = pattern[number]
    marks = ""
    while (wanted ~ /[*&]$/) {
        marks = substr(wanted, length(wanted)) marks
        wanted = substr(wanted, 1, length(wanted) - 1)
    }
    if (substr(wanted, 1, 1) == "[") wanted = substr(wanted, 2)
    if (substr(wanted, length(wanted)) == "]") wanted = substr(wanted, 1, length(wanted) - 1)
    if (marks ~ /&$/) return number " " reply
    bare = wanted
    right = 1
    if (substr(bare, 1, 1) == "!") { bare = substr(bare, 2); right = 0 }
    if ((reply ~ ("^" bare "$")) == right) {
        passes++
        if (marks ~ /\*$/) { surprises++; return number " PASSED" }
        return number " passed"
    }
    losses++
    wrong = " Correct '" wanted "', got '" reply "'"
    if (marks ~ /\*$/) return number " failed:" wrong
    breakages++
    return number " FAILED:" wrong
}

FNR == NR && sub(/^#\? */, "") { pattern[last] = $0; asked++; next }
FNR == NR { last = $1; next }

match($0, /^[=?][0-9]+ /) {
    order[++answered] = substr($0, 2, RLENGTH - 2)
    text[answered] = substr($0, RLENGTH + 1)
    sub(/^ */, "", text[answered])
}

END {
    if (asked != answered) {
        printf "Possible crash!: expected %d results, got %d. ", asked, answered
        print (answered ? "Last succesful test was " order[answered] : "Crash in first test") "."
    }
    for (i = 1; i <= answered; i++) print judge(order[i], text[i])
    printf "Summary: %d/%d passes. %d unexpected %s, %d unexpected %s\n", passes, passes + losses, \
        surprises, surprises == 1 ? "pass" : "passes", breakages, breakages == 1 ? "failure" : "failures"
}
