import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** Added to the names of tests that need certificates, where none can be made. */
export const withoutOpenssl = hasOpenssl ? '' : ' (skipped: there is no openssl)'

export interface Certificate {
  readonly key: string
  readonly cert: string
  /** The file of the certificate, as `NODE_EXTRA_CA_CERTS` names it. */
  readonly file: string
  remove(): void
}

/** A self-signed certificate for a name, such as `IP:127.0.0.1` or `DNS:stats.example.com`. */
export function certificateFor(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'statline-certificate-'))
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const named = ['-subj', '/CN=statline', '-addext', `subjectAltName=${name}`, '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', file, ...named], {
    stdio: 'ignore',
  })
  return {
    key: readFileSync(key, 'utf8'),
    cert: readFileSync(file, 'utf8'),
    file,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
