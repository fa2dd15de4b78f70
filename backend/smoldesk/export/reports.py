"""Reports: what of a chat is pinned, in an order and with captions; read, changed and written as documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import shorten

from smoldesk import messages as m
from smoldesk.chats import Buildings
from smoldesk.errors import BadInput
from smoldesk.export.chat_source import ChatSource, InputFile, hashed
from smoldesk.export.exports import Exports, Format
from smoldesk.export.other_files import Language, check_shapes
from smoldesk.export.pins import Part, Pin, Pins, Report, parts_of
from smoldesk.export.run_again import Again, GeneratedFiles, changed_cells, run_again
from smoldesk.messages import Shape
from smoldesk.stopping import StopFlag
from smoldesk.store import reports
from smoldesk.store.files import StoredFile, add_file
from smoldesk.store.reports import StoredReport
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.tables.table_profiles import Profiles

# Characters of an answer as it was, below what it is now.
MOST_BEFORE = 500


class RanFile(Shape):
    """A file that stood in for the one called `name`; `source` is what it was called itself."""

    name: str
    source: str
    sha256: str
    size: int


class RanPart(Shape):
    """A part, and what came of it."""

    pin: Pin
    again: Again


class ReportRun(Shape):
    """A report on other files, as it is kept."""

    files: list[RanFile]
    parts: list[RanPart]


@dataclass(frozen=True)
class OtherFile:
    """Bytes that stand in for an input file, and what they are called."""

    name: str
    path: Path


@dataclass(frozen=True)
class Reports:
    """The reports of the chats of a desk, one each. Its methods wait for the database: not on the event loop."""

    store: Store
    buildings: Buildings
    exports: Exports
    profiles: Profiles

    def read(self, chat_id: str) -> tuple[int, list[Part]]:
        """(version, parts) of a chat's report; version 0 of one that nothing was pinned to. Raises NotFound."""
        stored = self.store.read(lambda connection: reports.read_report(connection, chat_id))
        if stored is None:
            return 0, []
        pins = Pins.model_validate_json(stored.body).pins
        return stored.version, parts_of(self._source(chat_id), pins, skip=True)

    def put(self, chat_id: str, version: int, pins: Sequence[Pin]) -> int:
        """Put these in place of the report of `version`; its new version.

        Raises NotFound, BadInput for what is no part of this chat, Conflict when it was changed meanwhile.
        """
        parts_of(self._source(chat_id), pins)
        body = Pins(pins=list(pins)).model_dump_json()
        return self.store.submit(lambda tx: reports.put_report(tx, chat_id, version, body)).result()

    def write(self, chat_id: str, format_: Format, path: Path, number: int = reports.OWN) -> None:
        """Write the report, or a version of it on other files, to `path`. Raises NotFound, BadInput and OSError."""
        if number == reports.OWN:
            source = self._source(chat_id)
            _, parts = self.read(chat_id)
            report = Report(source, parts, source.inputs)
        else:
            report = self._other(chat_id, self.run(chat_id, number))
        self.exports.write_report(report, format_, path)

    def inputs(self, chat_id: str) -> list[str]:
        """Names of the files that the code of the report reads."""
        _, parts = self.read(chat_id)
        source = self._source(chat_id)
        report = Report(source, parts, source.inputs)
        code = "\n".join(step.code or "" for turn in report.turns() for step in turn.steps)
        return [file.name for file in report.inputs if file.name in code or Path(file.name).stem in code]

    def runs(self, chat_id: str) -> list[StoredReport]:
        """Its versions on other files, newest first; `body` is JSON of ReportRun."""
        return self.store.read(lambda connection: reports.runs_of_report(connection, chat_id))

    def run(self, chat_id: str, number: int) -> ReportRun:
        """One of them. Raises NotFound."""
        stored = self.store.read(lambda connection: reports.read_report(connection, chat_id, number))
        assert stored is not None
        return ReportRun.model_validate_json(stored.body)

    def compared(self, chat_id: str, run: ReportRun) -> list[tuple[Part, Again]]:
        """Each part as it was, with what came of it."""
        parts = parts_of(self._source(chat_id), [part.pin for part in run.parts])
        return list(zip(parts, [part.again for part in run.parts], strict=True))

    def run_again(
        self,
        chat_id: str,
        files: Mapping[str, OtherFile],
        confirmed: bool,
        stop: StopFlag,
        language: Language = "en",
    ) -> int:
        """Run the report's cells on other files, by the names of those that they stand in for; the new version's number.

        Raises NotFound, BadInput for a name that no cell reads, Conflict("other_shape") unless that is `confirmed`, Stopped.
        """
        _, parts = self.read(chat_id)
        source = self._source(chat_id)
        report = Report(source, parts, source.inputs)
        then = {file.name: file for file in report.inputs}
        for name in files:
            if name not in then:
                raise BadInput(f"No cell of the report reads {name[:80]!r}.", code="bad_file")
        if not confirmed:
            pairs = {
                name: (old, other.path)
                for name, other in files.items()
                if (old := then[name].path) is not None
            }
            check_shapes(self.profiles, self.store.data_dir.chats, pairs, stop, language)
        now = [hashed(name, files[name].path) if name in files else file for name, file in then.items()]
        generated = GeneratedFiles(self.store.files)
        try:
            again = run_again(report, now, self.exports.children, self.store.data_dir.chats, generated, stop)
            ran = ReportRun(
                files=[
                    RanFile(name=file.name, source=files[file.name].name, sha256=file.sha256, size=file.size)
                    for file in now
                    if file.name in files
                ],
                parts=[
                    RanPart(pin=part.pin, again=result) for part, result in zip(parts, again, strict=True)
                ],
            )
            number, gone = self.store.submit(lambda tx: _keep(tx, chat_id, ran, self.store)).result()
        except BaseException:
            generated.discard()
            raise
        generated.discard(but=ran.model_dump_json())
        for file_id in gone:
            self.store.files.discard(file_id)
        return number

    def _other(self, chat_id: str, run: ReportRun) -> Report:
        source = self._source(chat_id)
        parts = [
            replace(part, content=again.content or part.content, note=_note(part, again))
            for part, again in self.compared(chat_id, run)
        ]
        other_files = {file.name: InputFile(file.name, None, file.size, file.sha256) for file in run.files}
        inputs = [other_files.get(file.name, file) for file in source.inputs]
        note = (
            "Run again on other files: "
            + ", ".join(f"{file.name} ← {file.source}" for file in run.files)
            + "."
        )
        return Report(source, parts, inputs, note, ran_again=True)

    def _source(self, chat_id: str) -> ChatSource:
        return ChatSource(self.store, self.buildings, chat_id)


def title_of(chat: str, number: int = reports.OWN) -> str:
    """What a document of the report of a chat of this title is called, or of a version of it on other files."""
    return f"{chat[:45] or 'chat'} report{'' if number == reports.OWN else f' {number}'}"


def _note(part: Part, again: Again) -> str:
    """What came of a part, below what it is now."""
    match again.state, part.content, again.content:
        case "failed", _, _:
            return f"It failed: {again.why} Above is what it was."
        case "kept", _, _:
            return again.why
        case "same", _, _:
            return "The same as before."
        case _, m.Table(content=then), m.Table(content=now):
            changed, total = len([*changed_cells(then, now)]), len(now.rows) * len(now.columns)
            rows = (
                ""
                if then.row_count == now.row_count
                else f" {now.row_count:,} rows, {then.row_count:,} before."
            )
            return f"Changed: {changed:,} of {total:,} cells shown differ.{rows}"
        case _, str(then), _:
            return f"Changed. Before: {shorten(then, MOST_BEFORE, placeholder=' …')}"
        case _:
            return "Changed."


def _keep(tx: Tx, chat_id: str, ran: ReportRun, store: Store) -> tuple[int, list[str]]:
    number, gone = reports.add_report_run(tx, chat_id, ran.model_dump_json())
    for part in ran.parts:
        image, chart = part.again.image, part.again.chart
        names = {image.file_id: ("picture.png", "image/png")} if image else {}
        if chart:
            names[chart.content.spec_id] = ("chart.json", "application/json")
            names[chart.content.image_id] = ("chart.png", "image/png")
        for file_id, (name, media_type) in names.items():
            size = store.files.path(file_id).stat().st_size
            add_file(tx, StoredFile(file_id, chat_id, "report", name, size, media_type))
    return number, gone
