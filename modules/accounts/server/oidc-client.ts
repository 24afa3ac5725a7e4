import { createHash } from 'node:crypto'
import * as oidc from 'openid-client'
import { createGuardedFetch } from '#kit/server/outbound-fetch.ts'
import { createTargetGuard } from '#kit/server/outbound-target.ts'
import { identitySettings } from './settings.ts'

/** What is needed to speak to a company's provider. */
export interface ProviderClient {
  readonly issuer: string
  readonly clientId: string
  readonly secret?: string | undefined
}

/** What one sign-in sends along, and expects back. */
export interface Challenge {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** What the browser came back with. */
export interface ProviderReturn {
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

export type Claims = Readonly<Record<string, unknown>>

/** How far the clocks of the two servers may differ. */
const clockToleranceSeconds = 60
const configurationLifetimeMs = 600_000
const maxConfigurations = 200

export const providerTarget = createTargetGuard({
  allowsPrivate: identitySettings.allowPrivateProviders.read,
  actionLabel: '连接',
})

/** The discovery document is asked for by the issuer; people paste the address of either. */
export const normalizeIssuer = (text: string): string =>
  text.trim().replace(/\/\.well-known\/openid-configuration\/?$/, '')

/**
 * By the way that the provider names; `client_secret_basic` where it names none (OpenID Connect Discovery
 * 1.0, section 3).
 */
function clientAuthOf(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    const usesBasic = !Array.isArray(methods) || methods.includes('client_secret_basic')
    return (usesBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret))(server, ...rest)
  }
}

const discover = ({ issuer, clientId, secret }: ProviderClient): Promise<oidc.Configuration> =>
  oidc.discovery(
    new URL(issuer),
    clientId,
    {
      ...(secret === undefined ? {} : { client_secret: secret }),
      [oidc.clockTolerance]: clockToleranceSeconds,
    },
    clientAuthOf(secret),
    {
      [oidc.customFetch]: createGuardedFetch(providerTarget),
      timeout: identitySettings.timeoutSeconds.read(),
      execute: [
        // Signatures are checked although the token comes straight from the provider.
        oidc.enableNonRepudiationChecks,
        ...(identitySettings.allowPrivateProviders.read()
          ? // Deprecated to stand out: it is for networks of one's own, as the setting is.
            // oxlint-disable-next-line typescript/no-deprecated
            [oidc.allowInsecureRequests]
          : []),
      ],
    },
  )

const configurations = new Map<
  string,
  { readonly pending: Promise<oidc.Configuration>; readonly until: number }
>()

/** The provider's own description, kept for ten minutes with the keys of its signatures. */
export function openProvider(client: ProviderClient): Promise<oidc.Configuration> {
  const { issuer, clientId, secret = '' } = client
  const isPrivate = identitySettings.allowPrivateProviders.read()
  const key = createHash('sha256')
    .update(JSON.stringify([issuer, clientId, secret, isPrivate]))
    .digest('hex')
  const kept = configurations.get(key)
  if (kept && kept.until > performance.now()) return kept.pending
  if (configurations.size >= maxConfigurations) {
    configurations.clear()
  }
  const pending = discover(client)
  configurations.set(key, { pending, until: performance.now() + configurationLifetimeMs })
  pending.catch(() => configurations.delete(key))
  return pending
}

/** For a test of the connection: nothing that was kept answers in its place. */
export const openProviderAgain = (client: ProviderClient): Promise<oidc.Configuration> => {
  configurations.clear()
  return openProvider(client)
}

export const newChallenge = (): Challenge => ({
  state: oidc.randomState(),
  nonce: oidc.randomNonce(),
  verifier: oidc.randomPKCECodeVerifier(),
})

/** Where the browser signs in (authorization code flow with PKCE). */
export async function authorizationAddress(
  client: ProviderClient,
  { state, nonce, verifier }: Challenge,
  { returnTo, scopes }: { readonly returnTo: string; readonly scopes: string },
): Promise<string> {
  const configuration = await openProvider(client)
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: returnTo,
    scope: scopes,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/**
 * Who signed in, by the provider's signed word: state, nonce, issuer, audience, time and signature are those
 * that were expected. `needed` names claims that are asked of its `userinfo` where the token has none.
 */
export async function redeemCode(
  client: ProviderClient,
  { state, nonce, verifier }: Challenge,
  { code, iss, error }: ProviderReturn,
  { returnTo, needed }: { readonly returnTo: string; readonly needed: readonly string[] },
): Promise<Claims> {
  const configuration = await openProvider(client)
  const current = new URL(returnTo)
  for (const [name, value] of Object.entries({ state, code, iss, error })) {
    if (value !== undefined) {
      current.searchParams.set(name, value)
    }
  }
  const tokens = await oidc.authorizationCodeGrant(configuration, current, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider sent no ID token')
  const isComplete = needed.every(name => claims[name] !== undefined)
  if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return claims
  return { ...(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
}

/** Where the browser leaves the provider too; undefined where it has no such place. */
export async function exitAddress(client: ProviderClient, returnTo: string): Promise<string | undefined> {
  const configuration = await openProvider(client)
  if (!configuration.serverMetadata().end_session_endpoint) return undefined
  return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href
}

/**
 * Asks for a token with a code that no provider has given out. One that knows the client refuses the code
 * (`invalid_grant`), another the client.
 */
export async function probeClient(configuration: oidc.Configuration, returnTo: string): Promise<unknown> {
  const probe = new URL(returnTo)
  probe.searchParams.set('code', 'connection-test')
  const metadata = configuration.serverMetadata()
  if (metadata.authorization_response_iss_parameter_supported) {
    probe.searchParams.set('iss', metadata.issuer)
  }
  return oidc
    .authorizationCodeGrant(configuration, probe, { pkceCodeVerifier: oidc.randomPKCECodeVerifier() })
    .then(
      () => undefined,
      (error: unknown) => error,
    )
}
