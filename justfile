# Commands for developers; `just` lists them. CONTRIBUTING.md explains them.

# Lists the commands.
default:
    @just --list

# Builds the program as users get it.
build:
    cargo build --release

# Runs the program: just run -f queries/warc_to_document.sql
run *arguments:
    cargo run --release -- {{arguments}}

# Runs the tests of one crate: just crate corpus-pdf. Takes seconds, and never builds DataFusion.
crate name *arguments:
    cd "crates/$(echo {{name}} | sed 's/^corpus-//')" && cargo test {{arguments}}

# Runs what needs no Spark, Ray and cluster.
quick:
    tests/run --quick

# Runs all tests.
test:
    tests/run

# Checks format, lints and documentation comments.
lint:
    .ci/lint

# Writes the generated parts and the shown output of the documentation.
docs:
    UPDATE_EXPECTED=1 cargo test --workspace --locked --test integration -- documentation

# Draws the pictures of the manual, with the program that `just build` makes.
pictures:
    docs/pictures/make.py

# Measures against other programs and writes docs/benchmarks.md.
bench:
    benches/run

# Everything that has to pass before a change lands.
ci:
    .ci/run

# Builds the program and the wheel as they are released.
release:
    .ci/release
