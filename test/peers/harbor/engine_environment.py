"""A Harbor environment over a plain container engine: `docker` without compose, images built beforehand.

ROUTESETTER_HARBOR_IMAGES names a JSON file that maps an environment folder to the tag of its image.
"""

import asyncio
import json
import os
from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities


class EngineEnvironment(BaseEnvironment):
    @staticmethod
    def type():
        return "engine"

    @property
    def capabilities(self):
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self):
        images = json.loads(Path(os.environ["ROUTESETTER_HARBOR_IMAGES"]).read_text())
        self.image = images[str(Path(self.environment_dir).resolve())]

    async def start(self, force_build):
        self.container = await self.docker(
            "run", "-d", "--network", "none", "--init", "--label", "routesetter.peer=harbor",
            self.image, "sh", "-c", "sleep infinity",
        )
        await self.exec("mkdir -p /logs/agent /logs/verifier /logs/artifacts && chmod -R 777 /logs", cwd="/", user="root")

    async def stop(self, delete):
        await self.docker("rm", "-f", "-v", self.container)

    async def upload_file(self, source_path, target_path):
        await self.exec(f"mkdir -p '{Path(target_path).parent}'", cwd="/", user="root")
        await self.docker("cp", str(source_path), f"{self.container}:{target_path}")

    async def upload_dir(self, source_dir, target_dir):
        await self.exec(f"mkdir -p '{target_dir}'", cwd="/", user="root")
        await self.docker("cp", f"{source_dir}/.", f"{self.container}:{target_dir}")

    async def download_file(self, source_path, target_path):
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        await self.docker("cp", f"{self.container}:{source_path}", str(target_path))

    async def download_dir(self, source_dir, target_dir):
        Path(target_dir).mkdir(parents=True, exist_ok=True)
        await self.docker("cp", f"{self.container}:{source_dir}/.", str(target_dir))

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        arguments = ["exec"]
        cwd = cwd or self.task_env_config.workdir
        if cwd:
            arguments += ["-w", cwd]
        for name, value in (env or {}).items():
            arguments += ["-e", f"{name}={value}"]
        if user is not None:
            arguments += ["-u", str(user)]
        process = await asyncio.create_subprocess_exec(
            "docker", *arguments, self.container, "bash", "-c", command,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        stdout, stderr = await asyncio.wait_for(process.communicate(), timeout_sec)
        return ExecResult(stdout=stdout.decode(errors="replace"), stderr=stderr.decode(errors="replace"),
                          return_code=process.returncode)

    async def docker(self, *arguments):
        process = await asyncio.create_subprocess_exec(
            "docker", *arguments, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        stdout, stderr = await process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"docker {arguments[0]}: {stderr.decode(errors='replace')}")
        return stdout.decode().strip()
