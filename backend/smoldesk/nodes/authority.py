"""Certificates of a desk and its nodes: a small authority in the desk's data directory, TLS 1.3 both ways.

A node makes its own key and sends a signing request. The desk's name in its certificate is fixed, since a node trusts
this authority alone and may reach the desk under any address.
"""

import datetime
import hashlib
import os
import secrets
import ssl
from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk.errors import BadInput

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

DESK_NAME = "desk.smoldesk.internal"
AUTHORITY_DAYS, NODE_DAYS = 3650, 365
# Clocks of two machines differ.
SKEW = datetime.timedelta(minutes=5)
KEY, CERTIFICATE = "authority.key", "authority.pem"


class Authority:
    """The authority of one desk; its key never leaves `folder`."""

    def __init__(self, folder: Path) -> None:
        """Read it, or make it if `folder` has none; the caller holds the folder's lock."""
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        self._folder = folder
        if not (folder / CERTIFICATE).exists():
            _make_authority(folder)
        key = load_pem_private_key((folder / KEY).read_bytes(), None)
        self._key: EllipticCurvePrivateKey = key  # pyright: ignore[reportAttributeAccessIssue]
        self.pem = (folder / CERTIFICATE).read_text()
        self._certificate = x509.load_pem_x509_certificate(self.pem.encode())

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.pem)

    def sign(self, request_pem: str, name: str, days: float = NODE_DAYS) -> "tuple[str, str]":
        """Return the certificate of a node and its serial number; only the key is taken from the request.

        Raises BadInput for an invalid request.
        """
        from cryptography import x509
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
        from cryptography.x509.oid import ExtendedKeyUsageOID

        try:
            request = x509.load_pem_x509_csr(request_pem.encode())
            public = request.public_key()
            if not isinstance(public, EllipticCurvePublicKey) or not request.is_signature_valid:
                raise ValueError("another kind of key")
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise BadInput("The signing request of the node is not valid.", code="bad_node_request") from None
        builder = _builder(name, public, self._certificate.subject, days)
        certificate = self._signed(builder, ExtendedKeyUsageOID.CLIENT_AUTH, name)
        return _pem(certificate), f"{certificate.serial_number:X}"

    def server_context(self) -> ssl.SSLContext:
        """Return the context of the desk: with a key made now, and a certificate for it."""
        from cryptography.x509.oid import ExtendedKeyUsageOID

        key = _new_key()
        builder = _builder(DESK_NAME, key.public_key(), self._certificate.subject, AUTHORITY_DAYS)
        certificate = self._signed(builder, ExtendedKeyUsageOID.SERVER_AUTH, DESK_NAME)
        context = _context(ssl.PROTOCOL_TLS_SERVER, self.pem)
        # Optional: a machine that joins has none yet. What else it may do without one is decided by the listener.
        context.verify_mode = ssl.CERT_OPTIONAL
        context.num_tickets = 0
        # OpenSSL reads it twice from a file, which no other server of the desk may change in between.
        path = self._folder / f"desk.{secrets.token_hex(8)}.pem"
        write_private(path, _key_pem(key) + _pem(certificate))
        context.load_cert_chain(path)
        path.unlink()
        return context

    def _signed(self, builder: "x509.CertificateBuilder", usage: object, name: str) -> "x509.Certificate":
        from cryptography import x509
        from cryptography.hazmat.primitives.hashes import SHA256

        extended = x509.ExtendedKeyUsage([usage])  # pyright: ignore[reportArgumentType]
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = builder.add_extension(x509.BasicConstraints(False, None), critical=True)
        builder = builder.add_extension(extended, critical=False).add_extension(issuer, critical=False)
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        return builder.sign(self._key, SHA256())


def fingerprint_of(pem: str) -> str:
    """Return the SHA-256 of a certificate in hexadecimal. Raises ValueError."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()


def new_request(name: str) -> tuple[str, str]:
    """Return a new private key and a signing request for it, as PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256

    key = _new_key()
    builder = x509.CertificateSigningRequestBuilder(_subject(name))
    return _key_pem(key), _pem(builder.sign(key, SHA256()))


def node_context(authority_pem: str, certificate: Path | None = None) -> ssl.SSLContext:
    """Return the context of a node: it trusts the authority of its desk alone. `certificate` holds key and certificate."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT, authority_pem)
    if certificate is not None:
        context.load_cert_chain(certificate)
    return context


def unverified_context() -> ssl.SSLContext:
    """Return the context that asks a desk for its authority, whose fingerprint the join token has."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def days_left(certificate_pem: str) -> float:
    """Return for how many days a certificate is valid."""
    from cryptography import x509

    end = x509.load_pem_x509_certificate(certificate_pem.encode()).not_valid_after_utc
    return (end - _now()).total_seconds() / 86_400


def _make_authority(folder: Path) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256

    key = _new_key()
    subject = _subject("smoldesk nodes")
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    builder = _builder("smoldesk nodes", key.public_key(), subject, AUTHORITY_DAYS)
    builder = builder.add_extension(x509.BasicConstraints(True, 0), critical=True)
    certificate = builder.add_extension(usage, critical=True).sign(key, SHA256())
    write_private(folder / KEY, _key_pem(key))
    write_private(folder / CERTIFICATE, _pem(certificate))


def _builder(name: str, public: object, issuer: "x509.Name", days: float) -> "x509.CertificateBuilder":
    from cryptography import x509

    now = _now()
    builder = x509.CertificateBuilder(issuer, _subject(name), public)  # pyright: ignore[reportArgumentType]
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - SKEW)
    builder = builder.not_valid_after(now + datetime.timedelta(days=days))
    return builder.add_extension(
        x509.SubjectKeyIdentifier.from_public_key(public),  # pyright: ignore[reportArgumentType]
        critical=False,
    )


def _context(protocol: int, authority_pem: str) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_verify_locations(cadata=authority_pem)
    return context


def _subject(name: str) -> "x509.Name":
    from cryptography import x509

    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])


def _new_key() -> "EllipticCurvePrivateKey":
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _key_pem(key: "EllipticCurvePrivateKey") -> str:
    from cryptography.hazmat.primitives import serialization as forms

    encoded = key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
    return encoded.decode()


def _pem(signed: "x509.Certificate | x509.CertificateSigningRequest") -> str:
    from cryptography.hazmat.primitives.serialization import Encoding

    return signed.public_bytes(Encoding.PEM).decode()


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def write_private(path: Path, text: str) -> None:
    """Write a file that its owner alone may read, complete or not at all."""
    # Process ids are not unique: servers in two containers may share the folder.
    made = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    made.replace(path)
