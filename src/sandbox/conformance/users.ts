// Users: the image's own names, real uids, no way from one to another but root's.
import { beforeAll, describe, expect, it } from "vitest";
import { SandboxError, type SandboxHandle } from "../../contract/index.ts";
import { outputOf, type Subject } from "./subject.ts";

export function users(subject: Subject): void {
  const reason = subject.options.without?.users;
  describe.skipIf(reason !== undefined)(`users${reason === undefined ? "" : ` (${reason})`}`, () => {
    let sandbox: SandboxHandle;
    beforeAll(async () => {
      sandbox = await subject.create();
    });
    const as = async (user: string, command = "echo $(id -u):$(id -g)") =>
      (await sandbox.session.run(command, { user })).stdout.text.trim();

    it("runs as a name or number of the image, with or without a group", async () => {
      expect(await as("root")).toBe("0:0");
      expect(await as("www-data")).toBe("33:33");
      expect(await as("33")).toBe("33:33");
      expect(await as("1234:567")).toBe("1234:567");
      expect(await as("nobody:www-data")).toBe("65534:33");
      await outputOf(sandbox, "echo 'extra:x:777:www-data' >> /etc/group");
      expect(await as("www-data", "id -G")).toBe("33 777");
    });

    it("refuses a name that the image does not have", async () => {
      const error = await sandbox.session.run("id", { user: "nobody-of-that-name" }).catch((reason) => reason);
      expect(SandboxError.isInstance(error) && error.code).toBe("unknown_user");
    });

    it("takes the user of the image and of the sandbox", async () => {
      const own = await subject.create({ user: "www-data" });
      expect(await outputOf(own, "id -u")).toBe("33");
      const { image } = own as unknown as { image?: never };
      expect(image).toBeUndefined();
      const configured = await subject.create({
        image: { ...subject.image(), configuration: { ...subject.image().configuration, user: "nobody" } },
      });
      expect(await outputOf(configured, "id -u")).toBe("65534");
    });

    it("lets root change owners and become others", async () => {
      expect(
        await outputOf(
          sandbox,
          "touch /tmp/o; chown 33:44 /tmp/o; stat -c %u:%g /tmp/o; su -s /bin/sh www-data -c 'id -u'",
        ),
      ).toBe("33:44\n33");
    });

    it("keeps an ordinary user from what is root's", async () => {
      await outputOf(sandbox, "echo secret > /root/secret; chmod 600 /root/secret; chmod 700 /root");
      const result = await sandbox.session.run("cat /root/secret; echo x > /etc/passwd; kill -9 1", { user: "nobody" });
      expect(result.exitCode).not.toBe(0);
      expect(result.stdout.text).toBe("");
      expect(await as("root", "cat /root/secret")).toBe("secret");
    });

    it("writes files for a user", async () => {
      await sandbox.session.writeFile("/tmp/theirs", "x", { user: "www-data", mode: 0o600 });
      expect(await outputOf(sandbox, "stat -c '%u:%g %a' /tmp/theirs")).toBe("33:33 600");
      expect(await as("www-data", "cat /tmp/theirs")).toBe("x");
    });
  });
}
