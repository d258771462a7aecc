"""The report on an archive: `gather` asks for its numbers (`model`), `page` writes them as HTML or Markdown.

from queries.report import page
from queries.report.gather import gather

report, boards = gather("archives/demo")
print(report.experiments[0].scenarios[0].balance.uniform)
text = page.html(report, boards)
"""
