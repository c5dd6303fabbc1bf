"""Stores a club's evenings: SQLite in the data folder, or the PostgreSQL of the club, by the same code.

Facts are only ever added. Each has its number within its tournament, which the database holds to be unique: of two
programs that add the same fact, or another one at its place, one is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import (
    Column,
    DateTime,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from tock_companion import __version__
from tock_companion.club.codec import from_row, to_row
from tock_companion.errors import BadInputError, TockError, printable, quoted
from tock_companion.storage import FolderLock
from tock_companion.storage.backup import back_up, free_copy
from tock_companion.storage.files import Holder
from tock_companion.tournament.facts import Fact

DATABASE_NAME = "club.sqlite3"
REVISIONS = ("1",)
"""Every form that a database may have and this version reads, as `migrations` names them; the newest is last."""
NO_RECORDS: Mapping[str, str] = {}
DESK_LOCK = 0x70C4
"""The number of the lock that one desk holds in a PostgreSQL database."""

metadata = MetaData()
facts_table = Table(
    "facts",
    metadata,
    Column("tournament", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(40), nullable=False),
    Column("body", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
)
records_table = Table(
    "records",
    metadata,
    Column("tournament", Integer, primary_key=True),
    Column("result", String(80), primary_key=True),
    Column("lines", Text, nullable=False),
)
choices_table = Table(
    "choices", metadata, Column("name", String(40), primary_key=True), Column("value", Text, nullable=False)
)


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact, and when this machine's clock said it was; nothing follows from the time but what people read."""

    fact: Fact
    at: datetime


class ClubRepository:
    """The database of one desk; a call returns when the disk has it, or raises TockError."""

    def __init__(self, folder: Path, url: str = "") -> None:
        """Open and bring up to date; raises TockError when another desk has it, or it cannot be opened."""
        self._lock = FolderLock(folder, Holder.DESK)
        self._held: Connection | None = None
        try:
            self._engine = _engine(url or f"sqlite:///{folder / DATABASE_NAME}")
            with _errors_named(self._engine):
                self._hold()
                _bring_up_to_date(self._engine, folder)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let another desk have it."""
        if self._held is not None:
            with suppress(SQLAlchemyError):
                self._held.close()
        if hasattr(self, "_engine"):
            self._engine.dispose()
        self._lock.release()

    def latest(self) -> int:
        """The number of the newest tournament, 0 before the first."""
        with _errors_named(self._engine), self._engine.connect() as connection:
            return int(connection.execute(select(func.max(facts_table.c.tournament))).scalar() or 0)

    def facts(self, tournament: int) -> tuple[StoredFact, ...]:
        wanted = (
            select(facts_table.c.kind, facts_table.c.body, facts_table.c.at)
            .where(facts_table.c.tournament == tournament)
            .order_by(facts_table.c.number)
        )
        with _errors_named(self._engine), self._engine.connect() as connection:
            return tuple(
                StoredFact(from_row(kind, body), at) for kind, body, at in connection.execute(wanted)
            )

    def add(
        self,
        tournament: int,
        first: int,
        facts: Sequence[Fact],
        at: datetime,
        records: Mapping[str, str] = NO_RECORDS,
    ) -> None:
        """Add facts, the first of which gets number `first`, all or none; `records` are game logs by their result."""
        rows = [
            {"tournament": tournament, "number": first + index, "kind": kind, "body": body, "at": at}
            for index, (kind, body) in enumerate(map(to_row, facts))
        ]
        with _errors_named(self._engine):
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(facts_table), rows)
                    for result, lines in records.items():
                        if not _has_record(connection, tournament, result):
                            values = {"tournament": tournament, "result": result, "lines": lines}
                            connection.execute(insert(records_table), values)
            except IntegrityError:
                raise TockError(
                    "another desk writes into this database; stop one of the two, then start this one again"
                ) from None

    def record(self, tournament: int, result: str) -> str | None:
        wanted = select(records_table.c.lines).where(
            records_table.c.tournament == tournament, records_table.c.result == result
        )
        with _errors_named(self._engine), self._engine.connect() as connection:
            found = connection.execute(wanted).scalar()
            return None if found is None else str(found)

    def choice(self, name: str) -> str | None:
        wanted = select(choices_table.c.value).where(choices_table.c.name == name)
        with _errors_named(self._engine), self._engine.connect() as connection:
            found = connection.execute(wanted).scalar()
            return None if found is None else str(found)

    def choose(self, name: str, value: str) -> None:
        with _errors_named(self._engine), self._engine.begin() as connection:
            changed = connection.execute(
                update(choices_table).where(choices_table.c.name == name).values(value=value)
            )
            if not changed.rowcount:
                connection.execute(insert(choices_table), {"name": name, "value": value})

    def _hold(self) -> None:
        """Be the only desk on a database server; a file is held by its folder's lock."""
        if self._engine.dialect.name != "postgresql":
            return
        self._held = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not self._held.execute(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": DESK_LOCK}).scalar():
            raise TockError("another desk has this database open; stop it first, or name another database")


def _has_record(connection: Connection, tournament: int, result: str) -> bool:
    wanted = select(records_table.c.result).where(
        records_table.c.tournament == tournament, records_table.c.result == result
    )
    return connection.execute(wanted).first() is not None


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() not in ("sqlite", "postgresql"):
            raise BadInputError(f"{quoted(url)}: name a database as postgresql://user:password@host/name")
        engine = create_engine(parsed, pool_pre_ping=parsed.get_backend_name() == "postgresql")
    except (ArgumentError, NoSuchModuleError):
        raise BadInputError(
            f"{quoted(url)}: name a database as postgresql://user:password@host/name"
        ) from None
    except ModuleNotFoundError as error:
        raise TockError(
            f"{error.name} is missing; install it with: pip install 'tock-companion[club,postgresql]'"
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _make_durable)
    return engine


def _make_durable(connection: object, _record: object) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000"):
        connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]


def _bring_up_to_date(engine: Engine, folder: Path) -> None:
    """Add what older tables lack, to a file after a copy; raises BadInputError for tables of a newer version."""
    found, newest = _revision(engine), REVISIONS[-1]
    if found == newest:
        return
    if found is not None:
        if found not in REVISIONS:
            where = engine.url.render_as_string(hide_password=True)
            raise BadInputError(
                f"{where} was written by a newer version (form {printable(found)}), and this is version {__version__}, "
                f"which reads up to form {newest}; nothing was changed: update this program"
            )
        if engine.dialect.name == "sqlite":
            back_up(folder / DATABASE_NAME, free_copy(folder / "backups", __version__))
    # Alembic takes longer to import than the rest of a start, and a step is due once in years.
    from tock_companion.club.upgrade import upgrade  # noqa: PLC0415

    with engine.begin() as connection:
        upgrade(connection)


def _revision(engine: Engine) -> str | None:
    """The form of the tables, as Alembic noted it; None where there are none."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if found is None else str(found)


@contextmanager
def _errors_named(engine: Engine) -> Iterator[None]:
    """Describe a fault of a database in one line."""
    try:
        yield
    except SQLAlchemyError as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        where = engine.url.render_as_string(hide_password=True)
        raise TockError(f"{where}: {reason}; check the database, its disk and its rights") from None
