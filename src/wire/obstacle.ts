/** Why the service cannot be reached. It has neither a key nor an address. */
export class Obstacle {
  /** The kind of cause, to follow "It cannot be reached: ". It is public at `/ready`. */
  readonly reason: string
  /** What to do, for operators alone. */
  readonly remedy: string

  constructor(reason: string, remedy: string) {
    this.reason = reason
    this.remedy = remedy
  }

  get text(): string {
    return `${this.reason}. ${this.remedy}`
  }
}

/** The obstacle that an error was caused by; null if there was none. */
export const obstacleIn = (error: unknown): Obstacle | null =>
  error instanceof Error && error.cause instanceof Obstacle ? error.cause : null

/** How far a request came, and whether it goes over TLS. */
export interface Progress {
  readonly isSent: boolean
  /** Whether a byte of the answer has arrived. */
  readonly hasBegun: boolean
  readonly isTls: boolean
}

const namedIn = 'UPSTREAM_URL'

export const noConnectionInTime = new Obstacle(
  'no connection is made in time',
  `Check the host and the port in ${namedIn}. A firewall may drop what is sent there.`,
)

const wantsTls = new Obstacle(
  'it speaks https at this port, and is spoken to in http',
  `${namedIn} must begin with https://.`,
)

/** By the code of an error of Node.js, OpenSSL or undici. */
const byCode: readonly (readonly [RegExp, Obstacle])[] = [
  [
    /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    new Obstacle(
      'its certificate is self-signed',
      'If it is the right one, name its file in NODE_EXTRA_CA_CERTS.',
    ),
  ],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)\w*|CERT_UNTRUSTED)$/,
    new Obstacle(
      'its certificate is of an authority that is not trusted',
      'If it is the right authority, name the file of its certificate in NODE_EXTRA_CA_CERTS.',
    ),
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    new Obstacle(
      'its certificate is for another name',
      `The host in ${namedIn} must be a name that the certificate has.`,
    ),
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    new Obstacle(
      'its certificate has expired, or is not valid yet',
      'Renew it at the service, or set the clock of this machine.',
    ),
  ],
  [
    /^ENOTFOUND$/,
    new Obstacle(
      'its name is not known to DNS',
      `Check the host in ${namedIn}, and the DNS servers of this machine.`,
    ),
  ],
  [/^EAI_/, new Obstacle('DNS does not answer', 'Check the network and the DNS servers of this machine.')],
  [
    /^ECONNREFUSED$/,
    new Obstacle(
      'nothing listens at its port',
      `Check the host and the port in ${namedIn}, and whether the service runs.`,
    ),
  ],
  [
    /^E(NET|HOST)(UNREACH|DOWN)$/,
    new Obstacle('there is no route to it', 'Check the network and the firewall of this machine.'),
  ],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, noConnectionInTime],
  [
    /^E[MN]FILE$/,
    new Obstacle('this process has too many open files', 'Raise the limit of open files (ulimit -n).'),
  ],
  [
    /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST))$/,
    new Obstacle(
      'its port does not speak TLS',
      `${namedIn} begins with https://. If http:// is meant, or another port, change it.`,
    ),
  ],
]

/** An error of Node.js or undici. */
type WireError = Error & { readonly code?: string }

/** Codes of a connection that the other side closed, or reset. */
const isCut = (code: string) => /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)

/** What undici says of an answer that changes the protocol. It closes the connection itself then. */
const protocolChanged = 'bad upgrade'

/** Whether an error is the connection's. Otherwise the bytes that it brought are not an answer in HTTP. */
export const isOfConnection = ({ code = '', message }: WireError): boolean =>
  /^(E[A-Z]+|UND_ERR_SOCKET|ERR_(SSL|TLS)_\w+)$/.test(code) && message !== protocolChanged

/** Why a request got no answer. */
export function obstacleOf(error: WireError, progress: Progress): Obstacle {
  const { code = '' } = error
  if (progress.hasBegun) return inAnswer(error, progress)
  const known = byCode.find(([pattern]) => pattern.test(code))?.[1]
  if (known) return known
  if (isCut(code)) return cut(progress)
  if (/^ERR_(SSL|TLS)_/.test(code))
    return new Obstacle(`TLS with it fails (${code})`, 'See which versions and certificates it accepts.')
  return new Obstacle(`the connection fails${code && ` (${code})`}`, `Check ${namedIn} and the network.`)
}

const inAnswer = (error: WireError, progress: Progress) =>
  isOfConnection(error)
    ? new Obstacle('the connection is lost amid its answer', remedyFor(progress))
    : new Obstacle('its answer is not valid HTTP', remedyFor(progress))

function cut(progress: Progress): Obstacle {
  const when = progress.isSent ? 'before it answers' : 'before TLS is agreed on'
  return new Obstacle(`it closes the connection ${when}`, remedyFor(progress))
}

const remedyFor = ({ isTls }: Progress) =>
  isTls
    ? `See its log, and that of a proxy or firewall before it. ${namedIn} may need another port, or http://.`
    : `If it speaks https at this port, ${namedIn} must begin with https://. Otherwise see its log.`

/** What nginx, Apache and servers in Go say to http at a port for https, with status 400. */
const asksForTls =
  /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL|HTTP request to an HTTPS server/

/** Why an answer is that of a server which cannot be reached so; null if it is any other answer. */
export const obstacleInAnswer = (status: number, body: string): Obstacle | null =>
  status === 400 && body.length < 10_000 && asksForTls.test(body) ? wantsTls : null
