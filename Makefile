.PHONY: demo test lock

demo:
	python3 run.py demo

test:
	python3 run.py test

# Renews every lock within the bounds of pyproject.toml. Hashes, and no address of any index.
LOCK = uv pip compile --quiet --upgrade --python-version 3.11 --universal --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links
lock:
	$(LOCK) pyproject.toml --output-file requirements/run.txt
	$(LOCK) pyproject.toml --group test --constraints requirements/run.txt --output-file requirements/test.txt
	$(LOCK) --group oracles --output-file requirements/oracles.txt
