"""`python -m otsrw`"""

from otsrw.cli.main import run

run()
