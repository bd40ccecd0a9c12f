"""Links between pages lead somewhere, and the index has every page. Usage: check_docs.py SOURCE"""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
pages = [source / "README.md", source / "SECURITY.md", *sorted((source / "docs").glob("*.md"))]
failed = False
for page in pages:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, place = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = page.parent / path if path else page
        if not file.exists():
            print(f"{page.relative_to(source)}: {target}: there is no such file")
            failed = True
        elif place and file.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", file.read_text(), re.M)
            anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            if place not in anchors:
                print(f"{page.relative_to(source)}: {target}: that page has no such heading")
                failed = True
index = (source / "docs" / "README.md").read_text()
for page in pages[1:]:
    link = page.name if page.parent.name == "docs" else f"../{page.name}"
    if page.name != "README.md" and f"({link})" not in index:
        print(f"docs/README.md does not have {page.name}")
        failed = True
sys.exit(failed)
