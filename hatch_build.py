"""Builds the compiled core (newscrawl/compiled.py) where a C compiler is, and says why not where it cannot.

Never a reason for an installation to fail: without it everything works, only slower. NEWSCRAWL_PURE=1 leaves it out.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OPTIMISED = ("-O2", "-g0")


class CompiledCore(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel; puts them beside their sources for an editable installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build before the wheel is put together; `version` is "standard" or "editable"."""
        root = Path(self.root)
        compiled = _compiled(root)
        if compiled.is_forbidden():
            self.app.display_info(f"newscrawl: no compiled core: {compiled.FORBIDS} is set")
            return
        folder = Path(tempfile.mkdtemp(prefix="newscrawl-build-"))
        try:
            built = [(name, _build(root, folder, name, compiled.digest(name, root))) for name in compiled.SOURCES]
        # The one place where any exception is right: whatever a machine lacks, pure Python does without it.
        except Exception as error:  # noqa: BLE001
            shutil.rmtree(folder, ignore_errors=True)
            reason = " ".join(str(error).split())
            self.app.display_warning(
                f"newscrawl: no compiled core ({type(error).__name__}: {reason}); pure Python does"
            )
            return
        self.folder = folder
        for name, path in built:
            place = f"{'/'.join(name.split('.')[:-1])}/{path.name}"
            if version == "editable":
                _put(path, root / place)
            else:
                build_data["force_include"][str(path)] = place
        build_data["pure_python"] = version == "editable"
        build_data["infer_tag"] = version != "editable"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clean up."""
        if folder := getattr(self, "folder", None):
            shutil.rmtree(folder, ignore_errors=True)


def _compiled(root: Path) -> ModuleType:
    """newscrawl/compiled.py, without its package, whose dependencies are not there yet."""
    spec = importlib.util.spec_from_file_location("newscrawl_compiled", root / "newscrawl" / "compiled.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError("newscrawl/compiled.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def _build(root: Path, folder: Path, name: str, sources: str) -> Path:
    """Compile one module in `folder`; raises whatever goes wrong."""
    import lxml
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    source = Path(*name.split(".")).with_suffix(".pyx")
    (folder / source).parent.mkdir(parents=True, exist_ok=True)
    for package in source.parents[:-1]:
        (folder / package / "__init__.py").touch()
    shutil.copyfile(root / source, folder / source)
    extension = Extension(
        name,
        [str(folder / source)],
        include_dirs=lxml.get_include(),
        define_macros=[("NEWSCRAWL_SOURCES", f'"{sources}"'), ("CYTHON_USE_PEP489_MULTI_PHASE_INIT", "1")],
        extra_compile_args=list(OPTIMISED) if os.name == "posix" else [],
    )
    command = build_ext(Distribution({"ext_modules": cythonize([extension], quiet=True, build_dir=str(folder / "c"))}))
    command.build_lib, command.build_temp = str(folder / "built"), str(folder / "temporary")
    command.ensure_finalized()
    command.run()
    (path,) = (folder / "built").rglob(f"{source.stem}{sysconfig.get_config_var('EXT_SUFFIX')}")
    return path


def _put(path: Path, place: Path) -> None:
    """At once or not at all: a process may be importing the module that stands there."""
    waiting = place.with_name(f".{place.name}.{os.getpid()}")
    shutil.copyfile(path, waiting)
    waiting.replace(place)
