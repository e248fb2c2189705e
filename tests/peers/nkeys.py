"""Keys and credentials of NATS, as `nsc` would make them: Ed25519 (RFC 8032), the letters that NATS writes keys in, and its JWTs."""

import base64
import hashlib
import json
import secrets

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def _x(y: int) -> int:
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P)
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return P - x if x & 1 else x


_Y = 4 * pow(5, P - 2, P) % P
BASE = (_x(_Y), _Y, 1, _x(_Y) * _Y % P)


def _add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(number: int, point):
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = _add(result, point)
        point = _add(point, point)
        number >>= 1
    return result


def _encoded(point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _crc(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1
    return crc


def _letters(data: bytes) -> str:
    return base64.b32encode(data + _crc(data).to_bytes(2, "little")).decode().rstrip("=")


class Key:
    """A pair of keys: O an operator's, A an account's, U a user's."""

    PREFIX = {"O": 14 << 3, "A": 0, "U": 20 << 3}
    SEED = 18 << 3

    def __init__(self, kind: str):
        self.secret, prefix = secrets.token_bytes(32), self.PREFIX[kind]
        digest = hashlib.sha512(self.secret).digest()
        self.scalar = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | 1 << 254
        self.nonce_part = digest[32:]
        self.point = _encoded(_times(self.scalar, BASE))
        self.public = _letters(bytes([prefix]) + self.point)
        head = bytes([self.SEED | prefix >> 5, (prefix & 31) << 3])
        self.seed = _letters(head + self.secret)

    def sign(self, text: bytes) -> bytes:
        number = int.from_bytes(hashlib.sha512(self.nonce_part + text).digest(), "little") % ORDER
        first = _encoded(_times(number, BASE))
        challenge = int.from_bytes(hashlib.sha512(first + self.point + text).digest(), "little") % ORDER
        return first + ((number + challenge * self.scalar) % ORDER).to_bytes(32, "little")


def _segment(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def jwt(issuer: Key, subject: Key, name: str, nats: dict) -> str:
    """What an issuer says of a subject."""
    claims = {"iat": 1_700_000_000, "iss": issuer.public, "name": name, "sub": subject.public, "nats": {"version": 2, **nats}}
    head = _segment(json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode())
    claims["jti"] = base64.b32encode(hashlib.sha512(json.dumps(claims).encode()).digest()[:32]).decode().rstrip("=")
    text = f"{head}.{_segment(json.dumps(claims).encode())}"
    return f"{text}.{_segment(issuer.sign(text.encode()))}"


def account_jwt(operator: Key, account: Key, name: str, jetstream: bool = True) -> str:
    """An account without limits, which may use JetStream or not."""
    limits = dict.fromkeys(("subs", "data", "payload", "imports", "exports", "conn", "leaf"), -1)
    stores = dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1) if jetstream else {}
    return jwt(operator, account, name, {"type": "account", "limits": {**limits, **stores, "wildcards": True}})


def user_jwt(account: Key, user: Key, name: str) -> str:
    return jwt(account, user, name, {"type": "user", "subs": -1, "data": -1, "payload": -1, "pub": {}, "sub": {}})


def credentials(token: str, user: Key) -> str:
    """A file of credentials."""
    return (
        f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n"
    )
