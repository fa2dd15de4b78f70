"""Spark's SQL for SQLAlchemy, as much of it as pages of tables need."""

from typing import Any

from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.sql.compiler import GenericTypeCompiler, IdentifierPreparer


class _Names(IdentifierPreparer):
    def __init__(self, dialect: Any) -> None:
        super().__init__(dialect, initial_quote="`")

    def _requires_quotes(self, value: str) -> bool:
        return True


class _Types(GenericTypeCompiler):
    def visit_VARCHAR(self, type_: Any, **options: Any) -> str:
        return "STRING"


class SparkDialect(DefaultDialect):
    """Names in backticks, named parameters, text as STRING."""

    name = "spark"
    preparer = _Names
    type_compiler_cls = _Types
    supports_statement_cache = False

    def __init__(self) -> None:
        super().__init__(paramstyle="named")
