"""Only the native extension is declared here; everything else is in pyproject.toml."""

from setuptools import Extension, setup

SOURCES = [f"src/sitegrain/{name}.c" for name in ("_native", "_words", "_evidence", "_scores", "_text", "_lexicon", "_net")]

setup(
    ext_modules=[
        # Optional: without a C compiler the pure Python bodies are used. No contraction: a fused multiply-add would
        # give other last bits on other machines.
        Extension(
            "sitegrain._native",
            SOURCES,
            depends=["src/sitegrain/_native.h"],
            optional=True,
            extra_compile_args=["-O3", "-ffp-contract=off"],
        )
    ]
)
