"""Writes a list of materials (SPDX 2.3, JSON) of an archive to standard output.

usage: write_sbom.py ARCHIVE VERSION COMMIT <PACKAGES
PACKAGES: a line for each library that is linked into the program: Debian's package, its version, its licence; tabs between.
"""
import datetime
import hashlib
import json
import os
import re
import sys


def main():
    archive, version, commit = sys.argv[1:4]
    rows = [line.rstrip("\n").split("\t") for line in sys.stdin]
    for package, found, _ in rows:
        if not found:
            sys.exit(f"write_sbom: the version of {package} is not known: script/setup installs it")
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)

    def package(name, version_info, licence, **more):
        return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version_info,
                "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
                "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}

    packages = [package("tracker", version, "Apache-2.0", sourceInfo=f"commit {commit}"),
                package("uplot", "1.6.32", "MIT", comment="in the pages that `tracker site` writes")]
    for name, found, licence in rows:
        purl = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                "referenceLocator": f"pkg:deb/debian/{name.replace('+', '%2B')}@{found.replace('+', '%2B')}"}
        packages.append(package(name, found, licence, externalRefs=[purl]))
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": packages[0]["SPDXID"]}]
    relations += [{"spdxElementId": packages[0]["SPDXID"], "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}
                  for other, kind in zip(packages[1:], ["CONTAINS"] + ["STATIC_LINK"] * len(rows))]
    name_space = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": archive,
               "documentNamespace": f"https://spdx.org/spdxdocs/{archive}-{name_space}",
               "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Organization: The tracker authors"]},
               "packages": packages, "relationships": relations}, sys.stdout, indent=2)
    print()


main()
