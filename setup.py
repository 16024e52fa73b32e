"""Only the native extension is declared here; everything else is in pyproject.toml."""

from setuptools import Extension, setup

setup(
    ext_modules=[
        # Optional: without a C compiler the pure Python bodies in arrays/native.py are used.
        Extension("sitegrain._native", ["src/sitegrain/_native.c"], optional=True, extra_compile_args=["-O3"])
    ]
)
