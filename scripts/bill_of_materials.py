#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the software bill of materials of a Debian package as SPDX 2.3 JSON: the package, and the packages that it
depends on in the versions installed here, which are those it was built with.

    scripts/bill_of_materials.py PACKAGE.deb
"""
import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True).stdout.strip()


def installed(names):
    """Name -> (version, maintainer) of the packages that are installed here."""
    shown = subprocess.run(["dpkg-query", "--show", "--showformat=${Package}\t${Version}\t${Maintainer}\n", *names],
                           check=False, capture_output=True, text=True).stdout
    return {name: (version, maintainer) for name, version, maintainer in (line.split("\t") for line in shown.splitlines())}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    depends = [re.split(r"[ (|:]", word.strip())[0] for word in field(path, "Depends").split(",") if word.strip()]
    version = field(path, "Version")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()

    def entry(identifier, name, of_version, supplier, licence="NOASSERTION", **more):
        return {"SPDXID": identifier, "name": name, "versionInfo": of_version, "supplier": supplier,
                "downloadLocation": "NOASSERTION", "licenseConcluded": licence, "licenseDeclared": licence,
                "filesAnalyzed": False, **more}

    packages = [entry("SPDXRef-energy-profiler", "energy-profiler", version,
                      "Organization: The Energy Profiler authors", "GPL-3.0-or-later",
                      checksums=[{"algorithm": "SHA256", "checksumValue": digest}])]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": "SPDXRef-energy-profiler"}]
    known = installed(depends)
    for name in sorted(set(depends)):
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        of_version, maintainer = known.get(name, ("NOASSERTION", ""))
        packages.append(entry(identifier, name, of_version,
                              f"Organization: {maintainer}" if maintainer else "NOASSERTION"))
        relations.append({"spdxElementId": "SPDXRef-energy-profiler", "relationshipType": "DEPENDS_ON",
                          "relatedSpdxElement": identifier})
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
               "name": path.stem,
               "documentNamespace": f"https://spdx.org/spdxdocs/energy-profiler-{version}-{digest[:16]}",
               "creationInfo": {"created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                                "creators": ["Tool: bill_of_materials.py"]},
               "packages": packages, "relationships": relations}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
