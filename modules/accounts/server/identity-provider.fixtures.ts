import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { objectOf, textOf } from '#kit/contract/fixtures.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import { readBody } from './loopback-server.ts'

export const testClient = { id: 'anju', secret: 'a-secret-of-the-tests' }

type TokenClaims = Record<string, unknown>

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { privateKey: strangeKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signingKey = { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function signToken(
  claims: TokenClaims,
  key = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
) {
  const content = `${encode({ alg: 'RS256', kid: 'test' })}.${encode(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`
}

const claimsOf = (token: string): TokenClaims =>
  objectOf(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))

/** A page that asks who one is, in place of the provider's own. */
const signInPage = (uid: string): string => `<!doctype html><html lang="zh-CN"><title>身份平台</title>
  <main><h1>身份平台</h1><form method="post" action="/interaction/${uid}">
  <label>工号 <input name="login" autofocus></label> <button>登录</button></form></main></html>`

/** A real provider (`oidc-provider`) on loopback: people sign in by their name; its answers can be spoilt. */
export class TestProvider {
  readonly people = new Map<string, TokenClaims>()
  /** Changes the claims of the next tokens, or leaves every answer out. */
  spoil: ((claims: TokenClaims) => TokenClaims) | undefined
  signsWithStrangeKey = false
  isSilent = false
  readonly issuer: string
  readonly #provider: Provider
  readonly #server: Server

  private constructor(server: Server, site: string) {
    this.#server = server
    this.issuer = `http://127.0.0.1:${portOf(server)}`
    this.#provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: testClient.id,
          client_secret: testClient.secret,
          redirect_uris: [`${site}/oidclogin`],
          post_logout_redirect_uris: [`${site}/login`],
        },
      ],
      jwks: { keys: [signingKey] },
      cookies: { keys: ['test'] },
      claims: {
        openid: ['sub'],
        profile: ['name'],
        email: ['email', 'email_verified'],
        phone: ['phone_number', 'phone_number_verified'],
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...this.people.get(accountId) }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new this.#provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid profile email phone')
        await grant.save()
        return grant
      },
      pkce: { required: () => true },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
        Grant: 600,
      },
    })
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  static async open(site: string, port = 0): Promise<TestProvider> {
    const server = createServer()
    await new Promise<void>(done => server.listen(port, '127.0.0.1', done))
    return new TestProvider(server, site)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(done => this.#server.close(done))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isSilent) return
    const uid = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '')?.[1]
    if (uid !== undefined) return this.#interact(uid, request, response)
    if (request.url === '/token') {
      this.#spoilTokens(response)
    }
    await this.#provider.callback()(request, response)
  }

  async #interact(uid: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(signInPage(uid))
      return
    }
    const accountId = new URLSearchParams(await readBody(request)).get('login') ?? ''
    const result = accountId ? { login: { accountId } } : { error: 'access_denied' }
    await this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  #spoilTokens(response: ServerResponse): void {
    const { spoil } = this
    const end = response.end.bind(response)
    response.end = (body?: unknown) => {
      const answer = objectOf(JSON.parse(String(body)))
      if (typeof answer.id_token !== 'string' || (!spoil && !this.signsWithStrangeKey))
        return end(String(body))
      const claims = claimsOf(textOf(answer.id_token))
      const token = signToken(spoil?.(claims) ?? claims, this.signsWithStrangeKey ? strangeKey : undefined)
      response.removeHeader('content-length')
      return end(JSON.stringify({ ...answer, id_token: token }))
    }
  }
}

/** What a browser does at the provider: signs in by a name, and is sent back. Empty: the person declines. */
export async function signInAtProvider(address: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const go = async (url: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: [...cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`)
    return new URL(location, url).href
  }
  const interaction = await go(address)
  const resumed = await go(interaction, { method: 'POST', body: new URLSearchParams({ login }) })
  return new URL(await go(resumed))
}
