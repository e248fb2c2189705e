"""Who gets into a grid: TLS, passwords, tokens, nkeys and credentials against a real nats-server, the right ones and wrong ones."""

import json
import shutil
import subprocess
import unittest
from pathlib import Path

from nats import GridTest, NatsServer
from nkeys import Key, account_jwt, credentials, jwt, user_jwt

MATCH = ["--agent", "random", "--agent", "other=random", "--games", "4", "--max-moves", "10", "--seed", "3"]


class AccessTest(GridTest):
    """A worker and a coordinator that log in, and others that do not."""

    @classmethod
    def setUpClass(cls):
        cls.expected = None

    def meet(self, server: NatsServer, *login: str, url: str | None = None):
        """A match is played by a worker, both logged in in the same way."""
        url = url or server.url
        here, there = self.folder / "here.pgn", self.folder / "there.pgn"
        if type(self).expected is None:
            self.run_tabia("match", *MATCH, "--pgn", str(here))
            type(self).expected = here.read_bytes()
        worker = self.start("worker", "--grid", url, "--threads", "1", *login)
        self.run_tabia("match", *MATCH, "--pgn", str(there), "--grid", url, *login)
        self.assertEqual(there.read_bytes(), self.expected)
        worker.terminate()
        self.finished(worker)

    def refused(self, url: str, *login: str) -> str:
        """Neither a worker nor a coordinator gets in, and both say the same sentence."""
        errors = set()
        for command in (["worker"], ["match", *MATCH]):
            text = self.run_tabia(*command, "--grid", url, *login, code=1)
            lines = [line for line in text.splitlines() if line.startswith("tabia: error:")]
            self.assertEqual(len(lines), 1, text)
            errors.add(lines[0])
        self.assertEqual(len(errors), 1, errors)
        return errors.pop()

    def file(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text)
        return str(path)


class Words(AccessTest):
    def test_a_token(self):
        server = self.server('authorization { token: "right" }')
        self.meet(server, "--nats-token", "right")
        for login in ([], ["--nats-token", "wrong"]):
            self.assertIn("refuses these credentials", self.refused(server.url, *login))

    def test_a_user_and_a_password(self):
        server = self.server('authorization { user: "me", password: "right" }')
        self.meet(server, "--nats-user", "me", "--nats-password", "right")
        for user, password in (("me", "wrong"), ("you", "right")):
            error = self.refused(server.url, "--nats-user", user, "--nats-password", password)
            self.assertIn("refuses these credentials", error)


class Keys(AccessTest):
    def test_an_nkey(self):
        mine, other = Key("U"), Key("U")
        server = self.server(f"authorization {{ users: [ {{ nkey: {mine.public} }} ] }}")
        self.meet(server, "--nats-nkey", self.file("mine.nk", mine.seed + "\n"))
        self.assertIn("refuses these credentials", self.refused(server.url, "--nats-nkey", self.file("other.nk", other.seed)))
        broken = self.refused(server.url, "--nats-nkey", self.file("broken.nk", "nonsense"))
        self.assertIn("broken.nk", broken)

    def test_a_file_of_credentials(self):
        operator, account, system, mine = Key("O"), Key("A"), Key("A"), Key("U")
        of = {
            account.public: account_jwt(operator, account, "TABIA"),
            system.public: account_jwt(operator, system, "SYS", jetstream=False),
        }
        config = [
            f"operator: {jwt(operator, operator, 'us', {'type': 'operator'})}",
            f"system_account: {system.public}",
            "resolver: MEMORY",
            f"resolver_preload: {json.dumps(of)}",
        ]
        server = self.server("\n".join(config))
        right = self.file("mine.creds", credentials(user_jwt(account, mine, "me"), mine))
        self.meet(server, "--nats-creds", right)
        stranger, other = Key("A"), Key("U")
        wrong = {
            "another's seed": credentials(user_jwt(account, mine, "me"), other),
            "an account that nobody knows": credentials(user_jwt(stranger, other, "me"), other),
        }
        for what, text in wrong.items():
            with self.subTest(what):
                error = self.refused(server.url, "--nats-creds", self.file("wrong.creds", text))
                self.assertIn("refuses these credentials", error)
        self.assertIn("broken.creds", self.refused(server.url, "--nats-creds", self.file("broken.creds", "nonsense")))


class Certificates(AccessTest):
    def setUp(self):
        super().setUp()
        self.assertTrue(shutil.which("openssl"), "openssl is not installed")
        self.ca, self.other_ca = self.authority("ca"), self.authority("other")

    def openssl(self, *arguments: str):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=self.folder)

    def authority(self, name: str) -> Path:
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                     "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")  # fmt: skip
        return self.folder / f"{name}.pem"

    def certificate(self, name: str, ca: Path) -> tuple[str, str]:
        """A certificate for this machine, and its key."""
        (self.folder / "extensions").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                     "-keyout", f"{name}.key", "-out", f"{name}.csr")  # fmt: skip
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", str(ca), "-CAkey", str(ca.with_suffix(".key")),
                     "-CAcreateserial", "-days", "2", "-extfile", "extensions", "-out", f"{name}.pem")  # fmt: skip
        return str(self.folder / f"{name}.pem"), str(self.folder / f"{name}.key")

    def test_a_server_with_a_certificate(self):
        certificate, key = self.certificate("server", self.ca)
        server = self.server(f'tls {{ cert_file: "{certificate}", key_file: "{key}" }}')
        url = server.url.replace("nats://", "tls://")
        self.meet(server, "--nats-ca", str(self.ca), url=url)
        # The server is somebody's whom nobody knows: nothing is sent to it.
        for login in ([], ["--nats-ca", str(self.other_ca)]):
            self.assertIn("no encrypted connection", self.refused(url, *login))
        self.assertIn("none.pem", self.refused(url, "--nats-ca", str(self.folder / "none.pem")))

    def test_a_server_that_asks_for_a_certificate(self):
        certificate, key = self.certificate("server", self.ca)
        tls = f'cert_file: "{certificate}", key_file: "{key}", ca_file: "{self.ca}", verify: true'
        server = self.server(f"tls {{ {tls} }}")
        url = server.url.replace("nats://", "tls://")
        known = ["--nats-ca", str(self.ca)]
        mine, my_key = self.certificate("mine", self.ca)
        self.meet(server, *known, "--nats-cert", mine, "--nats-key", my_key, url=url)
        other, other_key = self.certificate("stranger", self.other_ca)
        for login in (known, [*known, "--nats-cert", other, "--nats-key", other_key]):
            self.assertIn("no encrypted connection", self.refused(url, *login))


if __name__ == "__main__":
    unittest.main()
