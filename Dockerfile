ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS build
WORKDIR /app
COPY requirements.lock .
RUN python -m venv .venv \
    && .venv/bin/python -m pip install --no-cache-dir --require-hashes -r requirements.lock

FROM python:${PYTHON}-slim
RUN useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin board \
    && install -d -o board -g board -m 0700 /data
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY pyproject.toml ./
COPY migrations migrations
COPY engines engines
COPY api api
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8000 \
    BOARD_DATA_DIR=/data \
    BOARD_LOG_FORMAT=json
USER board
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/health', timeout=2)"]
CMD ["python", "-m", "api", "serve"]
