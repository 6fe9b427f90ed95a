# docker build -t statespec . && docker run --rm -v "$PWD:/work" statespec check
FROM rust:1-alpine AS build
RUN apk add --no-cache musl-dev
COPY . /source
RUN cargo install --locked --path /source/cli --features database --root /out

# The binary is static: it needs nothing else.
FROM scratch
COPY --from=build /out/bin/statespec /statespec
WORKDIR /work
ENTRYPOINT ["/statespec"]
