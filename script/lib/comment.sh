# shellcheck shell=bash
# A comment as a page shows it: Markdown and pictures, between script/lib/comment.css and the browser. Needs the Debian
# package cmark-gfm.

# comment_html <file>: the comment in its frame. Its pictures stay relative to the file.
comment_html() {
  printf '<div class="comment"><div class="who"><b>github-actions</b> <i>bot</i> commented now</div>\n<div class="body">\n'
  # In comments, unlike in files, the end of a line is one for readers as well.
  cmark-gfm --unsafe --hardbreaks --extension table --extension autolink --extension strikethrough "$1"
  printf '</div></div>\n'
}
