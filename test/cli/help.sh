# Every command has a help with an example, in both languages.
telar --version
telar plan --version
telar --help
telar --help --lang es
commands=$(telar --help | sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p')
for command in $commands; do
    for lang in en es; do
        telar $command --help --lang $lang >help.txt || echo "failed: $command"
        head -n 1 help.txt
        tail -n 2 help.txt
    done
done
telar help plan >one.txt; telar plan --help >two.txt; cmp one.txt two.txt
awk 'length($0) > 110' two.txt
