#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the certificates that hostile-server.py shows. They are kept, since a test needs one that has expired; needs openssl.
# Run in this folder. The keys are worth nothing: they are public.
set -eu

# make NAME EXTENSIONS START END [-selfsign]
make() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
    printf '%b' "$2" > extensions
    : > index.txt
    openssl ca -batch -config /dev/stdin -name own -notext -md sha256 -startdate "$3" -enddate "$4" ${5:+"$5"} \
        -keyfile "$([ -n "${5:-}" ] && echo "$1" || echo authority).key" -extfile extensions -in "$1.csr" -out "$1.crt" <<END
[own]
new_certs_dir = .
database = index.txt
certificate = authority.crt
policy = any
rand_serial = yes
unique_subject = no
[any]
commonName = supplied
END
    cat "$1.key" "$1.crt" > "$1.pem"
    rm -f "$1.csr" extensions index.txt* [0-9A-F]*.pem
}

here=subjectAltName=IP:127.0.0.1,DNS:localhost
there=subjectAltName=DNS:elsewhere.example
from=20240101000000Z
make authority 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nsubjectKeyIdentifier=hash\n' \
    "$from" 21250101000000Z -selfsign
make good "$here\n" "$from" 21250101000000Z
make other "$there\n" "$from" 21250101000000Z
make expired "$here\n" 20200101000000Z 20200201000000Z
make self "$there\n" "$from" 21250101000000Z -selfsign
mv authority.crt authority.pem
rm -f -- *.key *.crt
