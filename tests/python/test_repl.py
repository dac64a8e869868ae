"""The interactive session, in a real terminal."""

from pathlib import Path

import pytest

from terminal import COLUMNS, CONTINUATION_PROMPT, CTRL_C, CTRL_D, ENTER, TAB, UP, Terminal

# Runs for hours.
ENDLESS = "SELECT count(sha512(cast(value AS text))) FROM generate_series(1, 1000000000);"


def number_table(name, value):
    """A table with one number, as shown in a terminal."""
    width = max(len(name), len("bigint"), len(value))
    line = f"+-{'-' * width}-+"
    cells = [f"| {cell:>{width}} |" for cell in [name, "bigint", value]]
    return "\n".join([line, *cells[:2], line, cells[2], line])


KEYWORD_COLOR = b"\x1b[1;34m"


@pytest.fixture
def open_session(binary, clean_env, tmp_path):
    """Opens sessions in a separate folder; `env` adds to the environment."""
    opened = []
    folder = tmp_path / "here"
    folder.mkdir()

    def open_session(*arguments, env=None):
        terminal = Terminal(binary, list(arguments), folder, {**clean_env, **(env or {})})
        opened.append(terminal)
        terminal.wait_for_prompt()
        return terminal

    yield open_session
    for terminal in opened:
        terminal.__exit__()


@pytest.fixture
def session(open_session):
    return open_session()


def words(line):
    """The cells of a table row."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def unwrapped(text):
    """Text without white space: the terminal breaks long lines and drops spaces at the breaks."""
    return "".join(text.split())


def assert_session_continues(session):
    assert " 42 |" in session.run("SELECT 42 AS n;")


# Statements


def test_it_greets_and_says_how_to_get_help_and_out(session):
    assert session.lines()[0].startswith("corpus-sql ")
    assert "\\? for help" in session.lines()[0]
    assert "\\q to quit" in session.lines()[0]


def test_quiet_does_not_greet(open_session):
    session = open_session("--quiet")
    assert session.lines()[0] == "corpus>"
    assert session.run("SELECT 1 AS n;") == number_table("n", "1")


def test_a_query(session):
    output = session.run("SELECT 1 AS n;")
    table, summary = output.rsplit("\n", 1)
    assert table == number_table("n", "1")
    assert summary.startswith("1 row returned, ")


def test_a_statement_over_several_lines(session):
    output = session.run("SELECT 1 + 1", "  AS two,", "  'a;b' AS t;")
    assert words(output.splitlines()[1]) == ["two", "t"]
    assert words(output.splitlines()[4]) == ["2", "a;b"]


def test_lines_that_arrive_at_once_are_all_read(session):
    """As from a terminal that does not mark what it pastes."""
    session.send(f"SELECT 'one'{ENTER};{ENTER}SELECT{ENTER}'two';{ENTER}")
    session.wait_for_text("| two ")
    assert "| one " in session.text()


def test_an_open_quote_and_an_open_comment_go_on(session):
    output = session.run("SELECT 'a;", "b' AS t /* ;", "*/;")
    assert "a;" in output and "error" not in output


def test_several_statements_on_one_line(session):
    output = session.run("SELECT 1 AS one; SELECT 2 AS two;")
    assert " one |" in output and " two |" in output


# Commands after a missed semicolon


def continue_statement(session, first, second):
    session.type(first)
    session.send(ENTER)
    session.wait_for_line(CONTINUATION_PROMPT)
    session.type(second, prompt=CONTINUATION_PROMPT)
    session.send(ENTER)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("\\x off", ""),
        ("\\?", "list the functions"),
        ("help", "list the functions"),
        (".tables", "| table_name |"),
        ("\\nosuch", "unknown command \\nosuch"),
        (".nosuch", "unknown command .nosuch"),
    ],
)
def test_a_command_after_a_missed_semicolon_is_no_part_of_the_statement(session, command, shown):
    continue_statement(session, "SELECT 41 + 1 AS n", command)
    session.wait_for_text("goes on: end it with a semicolon")
    assert shown in session.text()
    session.wait_for_line(CONTINUATION_PROMPT)
    session.send(";" + ENTER)
    session.wait_for_prompt()
    assert " 42 |" in session.text()


def test_a_command_on_the_line_of_a_statement_is_no_part_of_it(session):
    session.type("SELECT 41 + 1 AS n \\x off")
    session.send(ENTER)
    session.wait_for_text("goes on: end it with a semicolon")
    session.wait_for_line(CONTINUATION_PROMPT)
    session.send(";" + ENTER)
    session.wait_for_prompt()
    assert " 42 |" in session.text()


@pytest.mark.parametrize("end", ["\\gx", "\\G"])
def test_a_statement_can_end_with_a_command_of_psql_and_mysql(session, end):
    session.run("\\timing off")
    assert session.run(f"SELECT 42 AS n {end}") == "-[ row 1 ]-\nn | 42"
    assert session.run("SELECT 43 AS n", end) == "-[ row 1 ]-\nn | 43"
    assert " 44 |" in session.run("SELECT 44 AS n \\g")


def test_commands_of_other_shells_have_their_meaning(session, tmp_path):
    session.run("\\timing off")
    session.run("CREATE TABLE pages AS SELECT 1 AS number;")
    assert "pages" in session.run(".tables pa%")
    assert "number" in session.run(".schema pages")
    assert "number" in session.run(".schema")
    assert "pages" in session.run("\\dt")
    session.run(f"\\copy pages to {tmp_path}/pages.csv csv header")
    assert (tmp_path / "pages.csv").read_text() == "number\n1\n"
    (tmp_path / "a.sql").write_text("SELECT 6 AS six;")
    session.run(".mode line")
    assert session.run(f".read {tmp_path}/a.sql") == "-[ row 1 ]-\nsix | 6"
    assert "COPY (SELECT" in session.run(".output x.csv")


def test_an_error_marks_its_place(session):
    assert session.run("SELECT 1 AS 日本, nothing;").endswith(
        "\nLINE 1: SELECT 1 AS 日本, nothing;\n                          ^"
    )
    assert session.run("SELECT (1", "2);").endswith("\nLINE 2: 2);\n        ^")


def test_columns_with_one_value_are_left_out_before_texts_are_cut(session):
    session.run("\\timing off")
    sql = f"SELECT value AS n, repeat('long ', 40) || value AS t, NULL AS e FROM range(2);"
    folded = session.run(sql)
    assert folded.endswith("\nin all rows: e = NULL") and "| e " not in folded
    assert session.run("\\fold") == "folding is off"
    assert "| e " in session.run(sql)


def test_a_command_in_a_text_is_text(session):
    output = session.run("SELECT 'a", "\\x", "help", "' AS t;")
    assert "\\x" in output and "goes on" not in output


def test_leaving_works_after_a_missed_semicolon(session):
    continue_statement(session, "SELECT 1", "exit")
    assert session.wait_for_end() == 0


@pytest.mark.parametrize("word", ["help", "help;", "?", ".help"])
def test_help_needs_no_backslash(session, word):
    assert "list the functions" in session.run(word)


def test_files_are_completed_in_quotes(open_session, tmp_path):
    folder = tmp_path / "here"
    (folder / "pages").mkdir(exist_ok=True)
    (folder / "pages" / "one.csv").write_text("n\n42\n")
    session = open_session()
    session.type("SELECT * FROM 'pa")
    session.send(TAB)
    session.wait_for_line("corpus> SELECT * FROM 'pages/")
    session.send("on" + TAB)
    session.wait_for_line("corpus> SELECT * FROM 'pages/one.csv")
    session.send("';" + ENTER)
    session.wait_for_prompt()
    assert " 42 |" in session.text()


def test_an_empty_line_does_nothing(session):
    assert session.run("") == ""
    assert_session_continues(session)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("SELECT nothing;", "nothing"),
        ("SELEC 1;", "syntax error"),
        ("SELECT * FROM nothing;", "nothing"),
        ("SELECT ${nothing};", "'nothing'"),
        ("SELECT 1/0;", "division by zero"),
        ("SELECT * FROM read_files('no/such/folder');", "no/such/folder"),
    ],
)
def test_an_error_does_not_end_the_session(session, statement, message):
    output = session.run(statement)
    assert output.startswith("error: ")
    assert message in output
    assert_session_continues(session)


def test_state_is_kept_between_statements(session):
    session.run("CREATE VIEW v AS SELECT 7 AS n;")
    session.run("SET datafusion.execution.batch_size = 100;")
    assert " 7 |" in session.run("SELECT * FROM v;")
    assert "100" in session.run("SHOW datafusion.execution.batch_size;")


# Commands


def test_help_lists_the_commands(session):
    output = session.run("\\?")
    for command in ["\\d ", "\\df", "\\i", "\\set", "\\format", "\\x", "\\rows", "\\timing", "\\q"]:
        assert f"  {command}" in output


def test_tables_and_their_columns(session):
    session.run("CREATE TABLE pages AS SELECT 1 AS number, 'a' AS name;")
    assert "pages" in session.run("\\d")
    columns = session.run("\\d pages")
    assert "number" in columns and "bigint" in columns and "name" in columns


def test_functions_and_their_documentation(session):
    output = session.run("\\df octet")
    assert "octet_length(" in output
    assert "number of bytes" in output


def test_an_unknown_command_is_named(session):
    output = session.run("\\nothing")
    assert output.startswith("error: ")
    assert "\\nothing" in output and "\\?" in output


def test_variables(session):
    assert session.run("\\set") == ""
    session.run("\\set answer 6 * 7")
    assert session.run("\\set") == "answer = 6 * 7"
    assert " 42 |" in session.run("SELECT ${answer} AS n;")
    assert "error" in session.run("\\set 1st 2")


def test_variables_of_the_command_line(open_session):
    session = open_session("-v", "name=Anna")
    assert "| Anna |" in session.run("SELECT '${name}' AS n;")


def test_a_file_is_not_run_with_a_misspelled_variable(session, tmp_path):
    file = tmp_path / "input.sql"
    file.write_text("SELECT '${input:-default}' AS t;\n")
    assert unwrapped("input is 'default' by default") in unwrapped(session.run(f"\\i {file}"))
    session.run("\\set language en")
    session.run("\\set inptu chosen")
    refused = unwrapped(session.run(f"\\i {file}"))
    assert refused.startswith("error:") and unwrapped("\\set input") in refused
    session.run("\\set input chosen")
    assert "| chosen |" in session.run(f"\\i {file}")


def test_format(session):
    session.run("\\timing off")
    session.run("\\format csv")
    assert session.run("SELECT 1 AS n, 'a,b' AS t;") == 'n,t\n1,"a,b"'
    session.run("\\format vertical")
    assert "n | 1" in session.run("SELECT 1 AS n;")
    wrong = session.run("\\format xlsx")
    assert wrong.startswith("error: ")


def test_wide_results_are_folded_or_expanded(session, tmp_path):
    columns = ", ".join(f"'{'long ' * 10}' AS c{n}" for n in range(20))
    file = tmp_path / "wide.sql"
    file.write_text(f"CREATE VIEW wide AS SELECT {columns};")
    session.run(f"\\i {file}")
    session.run("\\timing off")
    folded = session.run("SELECT * FROM wide;")
    assert max(len(line) for line in folded.splitlines()) <= COLUMNS
    assert "of 20 columns shown; \\x on shows all" in folded
    for value in ["auto", "on"]:
        session.run(f"\\x {value}")
        assert "c10 | long" in session.run("SELECT * FROM wide;")
    session.run("\\x off")
    assert "| bigint |" in session.run("SELECT 1 AS n;")
    assert session.run("\\x sideways").startswith("error: ")


def test_long_results_show_both_ends(session):
    session.run("\\timing off")
    session.run("\\rows 2")
    output = session.run("SELECT value AS n FROM generate_series(1, 1000);")
    assert [words(line)[0] for line in output.splitlines()[4:7]] == ["1", "⋮", "1000"]
    assert "2 of 1,000 rows shown" in output
    assert session.run("\\rows none").startswith("error: ")


def test_bytes_are_shown_as_text_or_by_their_length(session):
    output = session.run("SELECT arrow_cast('a', 'Binary') AS t, decode('ff00', 'hex') AS b;")
    assert "b'a'" in output and "<2 bytes>" in output


def test_a_file_of_statements(session, tmp_path):
    file = tmp_path / "two.sql"
    file.write_text("SELECT 'first' AS a;\n-- then\nSELECT 'second' AS b;\n")
    output = session.run(f"\\i {file}")
    assert "| first |" in output and "| second |" in output
    missing = session.run("\\i no/such/file.sql")
    assert missing.startswith("error: ") and "no/such/file.sql" in missing


def test_an_error_in_a_file_names_file_and_line(session, tmp_path):
    file = tmp_path / "wrong.sql"
    file.write_text("SELECT 1;\n\nSELECT nothing;\n")
    assert "wrong.sql:3:" in unwrapped(session.run(f"\\i {file}"))


def test_a_command_with_a_semicolon(session):
    assert "timing is off" in session.run("\\timing off;")


def test_timing(session):
    assert session.run("\\timing off") == "timing is off"
    assert session.run("SELECT 1 AS n;") == number_table("n", "1")
    assert session.run("\\timing") == "timing is on"
    assert "1 row returned" in session.run("SELECT 1 AS n;")
    assert session.run("\\timing maybe").startswith("error: ")


# Leaving


@pytest.mark.parametrize("leave", ["\\q" + ENTER, CTRL_D])
def test_leaving(session, leave):
    session.send(leave)
    assert session.wait_for_end() == 0


def test_an_error_before_does_not_change_the_exit_code(session):
    session.run("SELECT nothing;")
    session.send(CTRL_D)
    assert session.wait_for_end() == 0


# Ctrl-C


def test_ctrl_c_drops_a_half_typed_line(session):
    session.type("SELECT 'half")
    session.send(CTRL_C)
    session.wait_for_prompt()
    assert_session_continues(session)


def test_ctrl_c_drops_a_half_typed_statement(session):
    session.type("SELECT 1,")
    session.send(ENTER)
    session.wait_for_line(CONTINUATION_PROMPT)
    session.type("  'half", prompt=CONTINUATION_PROMPT)
    session.send(CTRL_C)
    session.wait_for_prompt()
    assert_session_continues(session)


def start_endless_query(session):
    """Runs it until its progress appears, so that it is certainly running."""
    session.type(ENDLESS)
    line = session.screen.cursor.y
    session.send(ENTER)
    session.wait_for(lambda: "".join(session.lines()[line + 1 :]).strip(), "progress")


def test_ctrl_c_stops_a_query_and_the_session_goes_on(session):
    for _ in range(2):
        start_endless_query(session)
        session.send(CTRL_C)
        session.wait_for_prompt()
        assert session.lines()[session.screen.cursor.y - 1].endswith("interrupted")
    assert_session_continues(session)


def test_ctrl_c_stops_a_file_of_statements(session, tmp_path):
    file = tmp_path / "endless.sql"
    file.write_text(f"{ENDLESS}\nSELECT 'not to be reached' AS t;")
    session.type(f"\\i {file}")
    line = session.screen.cursor.y
    session.send(ENTER)
    session.wait_for(lambda: "".join(session.lines()[line + 1 :]).strip(), "progress")
    session.send(CTRL_C)
    session.wait_for_prompt()
    assert "not to be reached" not in session.text()


# Progress


def test_progress_is_shown_and_gone_afterwards(session, web):
    """A server that delays its answer makes a statement slow on any machine."""
    web.files["/slow.bin"] = b"x" * 2_000_000
    web.hold("/slow.bin", after=100)
    session.run("\\timing off")
    sql = f"SELECT octet_length(content) AS n FROM read_files('{web.url('/slow.bin')}');"
    session.type(sql)
    first = session.screen.cursor.y + 1
    session.send(ENTER)
    session.wait_for(lambda: "MiB" in session.lines()[first], "progress")
    web.release()
    session.wait_for_prompt()
    shown = "\n".join(session.lines()[first : session.screen.cursor.y])
    assert shown == number_table("n", "2000000")


def test_progress_is_gone_after_ctrl_c(session):
    first = session.screen.cursor.y + 1
    start_endless_query(session)
    session.send(CTRL_C)
    session.wait_for_prompt()
    shown = session.lines()[first : session.screen.cursor.y]
    assert [line.removeprefix("^C") for line in shown] == ["interrupted"]


def test_progress_can_be_forced_and_leaves_the_result_alone(open_session):
    session = open_session("--progress", "always")
    session.run("\\timing off")
    assert session.run("SELECT 1 AS n;") == number_table("n", "1")


# Completion


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("SELECT * FROM read_fi", "SELECT * FROM read_files("),
        ("SELECT octet_l", "SELECT octet_length("),
        ("DESCR", "DESCRIBE"),
        ("descr", "describe"),
        ("\\form", "\\format"),
    ],
)
def test_tab_completes(session, typed, completed):
    session.type(typed)
    session.send(TAB)
    session.wait_for_line("corpus> " + completed)


def test_tab_completes_tables(session):
    session.run("CREATE TABLE zebra_pages AS SELECT 1 AS number;")
    session.type("SELECT * FROM zeb")
    session.send(TAB)
    session.wait_for_line("corpus> SELECT * FROM zebra_pages")


def test_tab_lists_what_is_possible(session):
    session.type("SELECT * FROM read_")
    session.send(TAB + TAB)
    session.wait_for(
        lambda: all(f"read_{kind}(" in session.text() for kind in ["files", "hocr", "pdf"]),
        "list of functions",
    )


def test_tab_completes_in_the_middle_of_a_line(session):
    session.type("SELECT count(*) FROM read_files('x') WHERE octet_l")
    session.send(TAB)
    session.wait_for_line("corpus> SELECT count(*) FROM read_files('x') WHERE octet_length(")


# History


def test_history_comes_back_in_the_next_session(open_session, clean_env, tmp_path):
    first = open_session()
    first.run("SELECT 'remembered' AS t;")
    first.run("SELECT 1,", "  2;")
    first.send(CTRL_D)
    assert first.wait_for_end() == 0

    second = open_session()
    second.send(UP)
    second.wait_for_line("  2;")
    # In a statement of several lines, Up moves between the lines.
    second.send(UP)
    second.wait_for_line("corpus> SELECT 1,")
    second.send(UP)
    second.wait_for_line("corpus> SELECT 'remembered' AS t;")
    line = second.screen.cursor.y
    second.send(ENTER)
    second.wait_for_prompt()
    assert "| remembered |" in "\n".join(second.lines()[line:])


def test_history_is_in_the_data_folder_only(open_session, clean_env, tmp_path):
    session = open_session()
    session.run("SELECT 'remembered' AS t;")
    history = Path(clean_env["XDG_DATA_HOME"]) / "corpus-sql" / "history.txt"
    # Saved after every line, because a session may crash.
    assert "SELECT 'remembered' AS t;" in history.read_text()
    assert list((tmp_path / "here").iterdir()) == []


def test_a_line_that_begins_with_a_space_is_not_kept(open_session, clean_env):
    session = open_session()
    session.run(" SELECT 'a secret' AS t;")
    session.run("SELECT 1;")
    history = Path(clean_env["XDG_DATA_HOME"]) / "corpus-sql" / "history.txt"
    assert "a secret" not in history.read_text()


def test_without_a_data_folder_there_is_a_session(open_session, tmp_path):
    """An example are containers without a writable home folder."""
    blocker = tmp_path / "no-folder"
    blocker.write_text("")
    session = open_session(env={"XDG_DATA_HOME": str(blocker), "HOME": str(blocker)})
    assert_session_continues(session)


# Colors


def test_keywords_are_colored(session):
    session.type("SELECT 'x'")
    assert KEYWORD_COLOR + b"SELECT" in session.raw


def test_no_color(open_session):
    session = open_session(env={"NO_COLOR": "1"})
    session.run("SELECT 'x' AS t;")
    session.run("SELECT nothing;")
    assert KEYWORD_COLOR not in session.raw


def test_nothing_is_colored_without_a_terminal(run):
    ran = run(stdin="SELECT 1 AS n; SELECT nothing;")
    assert ran.code == 1
    assert "\x1b" not in ran.stdout + ran.stderr
    assert "corpus>" not in ran.stdout
    assert "\x1b" not in run("--help").stdout


def test_results_have_no_colors_in_a_terminal(session):
    """Users copy them from the terminal."""
    session.type("SELECT 1 AS n;")
    before = len(session.raw)
    session.send(ENTER)
    session.wait_for_text("1 row returned")
    output = session.raw[before:]
    assert b" 1 |" in output
    assert b"\x1b" not in output[output.index(b"+--") : output.rindex(b"--+")]


def test_a_terminal_that_cannot_edit(open_session):
    """With TERM=dumb, as in an editor's shell, lines are read without editing."""
    session = open_session(env={"TERM": "dumb"})
    assert_session_continues(session)
    assert KEYWORD_COLOR not in session.raw
    session.send("\\q\n")
    assert session.wait_for_end() == 0
