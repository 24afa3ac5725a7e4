import { createHash, randomBytes } from 'node:crypto'

/** HTTP digest (RFC 7616) with MD5, which is what controllers of doors speak. */
export interface Challenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

export function readPairs(header: string): ReadonlyMap<string, string> {
  const pairs = header.matchAll(/([a-z]+)=(?:"([^"]*)"|([^\s,]+))/gi)
  return new Map(
    [...pairs].map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? '']),
  )
}

export function readChallenge(header: string | null | undefined): Challenge | undefined {
  if (!header || !/^digest /i.test(header)) return undefined
  const pairs = readPairs(header)
  const nonce = pairs.get('nonce')
  return nonce === undefined
    ? undefined
    : { realm: pairs.get('realm') ?? '', nonce, opaque: pairs.get('opaque') ?? '' }
}

export interface DigestRequest {
  readonly user: string
  readonly password: string
  readonly realm: string
  readonly nonce: string
  readonly method: string
  readonly uri: string
  readonly count: string
  readonly clientNonce: string
}

export function digestOf(request: DigestRequest): string {
  const { user, password, realm, nonce, method, uri, count, clientNonce } = request
  const secret = md5(`${user}:${realm}:${password}`)
  return md5(`${secret}:${nonce}:${count}:${clientNonce}:auth:${md5(`${method}:${uri}`)}`)
}

interface Credentials {
  readonly user: string
  readonly password: string
}

/** The header that answers a challenge; `used` counts the requests with its nonce, from 1. */
export function authorization(
  { user, password }: Credentials,
  { realm, nonce, opaque }: Challenge,
  { method, uri, used }: { readonly method: string; readonly uri: string; readonly used: number },
): string {
  const clientNonce = randomBytes(8).toString('hex')
  const count = used.toString(16).padStart(8, '0')
  const response = digestOf({ user, password, realm, nonce, method, uri, count, clientNonce })
  const parts = [
    `username="${user}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    'qop=auth',
    `nc=${count}`,
    `cnonce="${clientNonce}"`,
    `response="${response}"`,
    ...(opaque ? [`opaque="${opaque}"`] : []),
  ]
  return `Digest ${parts.join(', ')}`
}
