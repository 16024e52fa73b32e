"""Only the native extension is declared here; everything else is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

NATIVE = Path("src/sitegrain/native")

setup(
    ext_modules=[
        # Optional: without a C compiler the bodies in Python run, and say so. No contraction: a fused multiply-add would
        # give other last bits on other machines.
        Extension(
            "sitegrain.native._core",
            sorted(map(str, NATIVE.rglob("*.c"))),
            depends=sorted(map(str, NATIVE.rglob("*.h"))),
            include_dirs=[str(NATIVE), str(NATIVE / "c")],
            optional=True,
            extra_compile_args=["-O3", "-ffp-contract=off", "-fvisibility=hidden"],
        )
    ]
)
