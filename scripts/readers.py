"""Installs the programs of others that read SGF, for the scripts that compare egtp with them.

Python 3.8 or later, standard library only. Not a program of its own. Debian packages: python3-venv (or python3-pip) for
what is on PyPI, nodejs and npm for what is on npm.
"""

import os
import shutil
import subprocess
import sys

SGFMILL = "sgfmill==1.1.1"
SABAKI = ["@sabaki/sgf@3.4.7", "@sabaki/go-board@1.4.3"]


def run(*argv):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def must(done, *argv):
    if done.returncode:
        sys.exit("%s:\n%s" % (" ".join(argv), done.stdout))


def refuse(offline, what):
    if offline:
        print("skipped: --offline, and not installed: %s" % what)
        sys.exit(3)


def sgfmill(folder, offline=False):
    """Makes sure that sgfmill is in a folder, and returns the folder to import from."""
    target = os.path.join(folder, "python")
    if not os.path.isdir(os.path.join(target, "sgfmill")):
        refuse(offline, SGFMILL)
        python = sys.executable
        if run(python, "-m", "pip", "--version").returncode:
            venv = os.path.join(folder, "venv")
            made = run(python, "-m", "venv", venv)
            if made.returncode:
                sys.exit("neither pip nor venv (Debian: apt install python3-venv):\n" + made.stdout)
            python = os.path.join(venv, "bin", "python3")
        argv = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        must(run(*argv, "--target", target, SGFMILL), "pip install", SGFMILL)
    return target


def sabaki(folder, offline=False):
    """Makes sure that Sabaki's modules are in a folder, and returns the folder given to npm."""
    if not shutil.which("node"):
        sys.exit("no node (Debian: apt install nodejs npm)")
    prefix = os.path.join(folder, "node")
    if not os.path.isdir(os.path.join(prefix, "node_modules", "@sabaki", "go-board")):
        refuse(offline, " ".join(SABAKI))
        if not shutil.which("npm"):
            sys.exit("no npm (Debian: apt install npm)")
        os.makedirs(prefix, exist_ok=True)
        flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"]
        must(run("npm", "install", "--prefix", prefix, *flags, *SABAKI), "npm install", *SABAKI)
    return prefix
