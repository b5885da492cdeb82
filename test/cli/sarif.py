"""Reads a SARIF log from standard input, asserts the form that version 2.1.0 of the standard asks for (the parts that telar
writes), and prints its results, one a line."""
import json
import sys
import urllib.parse


def need(condition, what):
    if not condition:
        sys.exit(f"not SARIF 2.1.0: {what}")


def keys(value, where, required, optional=()):
    need(isinstance(value, dict), f"{where} is no object")
    for key in required:
        need(key in value, f"{where} has no {key}")
    for key in value:
        need(key in required or key in optional, f"{where} has {key}")


def is_text(message, where):
    keys(message, where, ["text"])
    need(isinstance(message["text"], str) and message["text"], f"{where}.text is empty")


def is_location(location, where):
    keys(location, where, ["uri"])
    need(urllib.parse.quote(urllib.parse.unquote(location["uri"]), safe="/.-_~") == location["uri"], f"{where}.uri")


def is_region(region, where, required):
    keys(region, where, required, ["startLine", "startColumn", "endLine", "endColumn", "byteOffset", "byteLength"])
    need(all(isinstance(v, int) and v >= (0 if k.startswith("byte") else 1) for k, v in region.items()), where)


log = json.load(sys.stdin)
keys(log, "log", ["version", "runs"], ["$schema"])
need(log["version"] == "2.1.0", "version")
for run in log["runs"]:
    keys(run, "run", ["tool", "language", "columnKind", "results"])
    need(run["language"] in ("en", "es"), "run.language")
    need(run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
    driver = run["tool"]["driver"]
    keys(driver, "driver", ["name", "version", "rules"])
    ids = [rule["id"] for rule in driver["rules"]]
    need(len(ids) == len(set(ids)), "rules are not unique")
    for rule in driver["rules"]:
        keys(rule, "rule", ["id", "shortDescription"], ["defaultConfiguration", "properties"])
        is_text(rule["shortDescription"], "shortDescription")
        need(rule["defaultConfiguration"]["level"] in ("note", "warning", "error"), "level of a rule")
    for result in run["results"]:
        keys(result, "result", ["ruleId", "ruleIndex", "level", "message", "locations"], ["fixes"])
        need(ids[result["ruleIndex"]] == result["ruleId"], "ruleIndex")
        need(result["level"] in ("note", "warning", "error"), "level")
        is_text(result["message"], "message")
        for location in result["locations"]:
            physical = location["physicalLocation"]
            keys(physical, "physicalLocation", ["artifactLocation", "region"])
            is_location(physical["artifactLocation"], "artifactLocation")
            region = physical["region"]
            is_region(region, "region", ["startLine"])
            need((region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"]), "region ends before it begins")
            print(physical["artifactLocation"]["uri"], region["startLine"], region["startColumn"], result["level"], result["ruleId"])
        for fix in result.get("fixes", []):
            keys(fix, "fix", ["description", "artifactChanges"])
            for change in fix["artifactChanges"]:
                keys(change, "artifactChange", ["artifactLocation", "replacements"])
                for replacement in change["replacements"]:
                    keys(replacement, "replacement", ["deletedRegion"], ["insertedContent"])
                    is_region(replacement["deletedRegion"], "deletedRegion", ["byteOffset", "byteLength"])
