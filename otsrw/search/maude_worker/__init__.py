"""The process that runs Maude: requests in, answers out.

It is started as a package of its own, `python -m maude_worker`, because importing otsrw would take longer than a small
search: so nothing in here imports otsrw. The caller imports only `otsrw.search.maude_worker.messages`, the records that
both sides exchange; the other modules need Maude.
"""
