"""Which SQL only reads: the whole tree of a statement is looked through before it is asked."""

import json
from collections.abc import Iterator
from typing import Any

import duckdb

from queries.files import bad

READ = ("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE")
"""Nodes of a statement's tree that only read; others copy, insert, update or delete, also within a `with`."""
TAKE_SQL = ("query", "json_execute_serialized_sql")
"""Functions that take SQL as text, where nobody looks through it."""


def must_only_read(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    """Raises `BadInput` unless a text is one statement that only reads, whatever stands in it and where."""
    statements = connection.extract_statements(text)
    if len(statements) != 1:
        raise bad(f"holds {len(statements)} statements: ask one query at a time", "the query")
    (statement,) = statements
    kind = _kind(statement)
    if kind == "EXPLAIN":
        return must_only_read(connection, _explained(connection, statement.query))
    if kind == "MULTI":
        raise bad("a pivot must name its values here: pivot ... on side in ('red', 'blue') ...", "the query")
    if kind != "SELECT":
        raise _refused(kind)
    row = connection.execute("select json_serialize_sql(?::varchar)", [statement.query]).fetchone()
    tree = json.loads(row[0]) if row else {}
    if tree.get("error", True):
        raise bad(f"cannot be looked through: {tree.get('error_message')}", "the query")
    for node in _nodes(tree["statements"]):
        kind = str(node.get("type", ""))
        if ("cte_map" in node or kind.endswith("_NODE")) and kind not in READ:
            raise _refused(kind.removesuffix("_NODE").removesuffix("_QUERY"))
        if (name := str(node.get("function_name", "")).lower()) in TAKE_SQL:
            raise bad(f"{name}() is not allowed: ask what it is given as a query of its own", "the query")
    return None


def _kind(statement: duckdb.Statement) -> str:
    try:
        return statement.type.name
    except ValueError:  # a kind that DuckDB's parser knows and its Python does not
        return "such a statement"


def _refused(kind: str) -> Exception:
    what = kind.lower().replace("_", " ")
    return bad(f"{what} is not allowed: an archive is only read, with select or from", "the query")


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects of a tree, however deep."""
    waiting = [tree]
    while waiting:
        it = waiting.pop()
        if isinstance(it, dict):
            yield it
            waiting.extend(it.values())
        elif isinstance(it, list):
            waiting.extend(it)


def _explained(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """The statement that an `explain` is about: the first text behind the word that is one."""
    starts = [start for start, kind in duckdb.tokenize(text) if kind != duckdb.token_type.comment]
    for start in starts[1:]:
        try:
            connection.extract_statements(text[start:])
        except duckdb.Error:  # begins within `analyze` or the options in brackets
            continue
        return text[start:]
    raise bad("explains nothing", "the query")
