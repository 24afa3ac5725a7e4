import type { Id } from '#kit/domain/id.ts'
import { keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { encryptionOf } from '#kit/server/encryption.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { identityMatch } from '../contract/identity-provider.ts'
import { paths } from '../module.ts'
import type { ProviderClient } from './oidc-client.ts'

/** A company's provider with its secret in clear: for asking it, never for an answer. */
export interface StoredProvider extends ProviderClient {
  readonly ownerId: Id
  readonly isEnabled: boolean
  readonly scopes: string
  readonly identityClaim: string
  readonly matchBy: ChoiceOf<typeof identityMatch>
  readonly siteUrl: string
  readonly endsSession: boolean
}

const subjectOf = (ownerId: Id): string => `identity_provider/${ownerId}`

type ProviderRow = Omit<StoredProvider, 'secret' | 'matchBy'> & {
  readonly matchCode: number
  readonly runSecret?: Buffer
}

/** The provider of a company, whether enabled or not. */
export async function findProvider(
  app: Pick<App, 'dataDir'>,
  db: Pick<Db, 'one'>,
  ownerId: Id,
): Promise<StoredProvider | undefined> {
  const row = await db.one<ProviderRow>(sql`
    select owner_id, is_enabled, issuer, client_id, scopes, identity_claim, match_by as match_code, site_url,
      ends_session, run_secret
    from identity_provider
    where owner_id = ${ownerId} and ${notDeleted()}
  `)
  if (!row) return undefined
  const { runSecret, matchCode, ...rest } = row
  const secret = runSecret && (await encryptionOf(app)).decrypt(runSecret, subjectOf(ownerId))
  return { ...rest, matchBy: keyOf(identityMatch, matchCode) ?? 'none', secret }
}

/** The same for a sign-in or a binding: refuses where the company does not use one. */
export async function requireProvider(app: App, ownerId: Id): Promise<StoredProvider> {
  const provider = await findProvider(app, app.database.reader(ownerId), ownerId)
  return provider?.isEnabled ? provider : refuse('公司未启用统一身份登录，请用账号密码登录')
}

export const saveSecret = async (
  tx: Tx,
  app: Pick<App, 'dataDir'>,
  ownerId: Id,
  secret: string,
): Promise<number> => {
  const encryption = await encryptionOf(app)
  return tx.execute(sql`
    update identity_provider
    set run_secret = ${encryption.encrypt(secret, subjectOf(ownerId))}
    where owner_id = ${ownerId} and ${notDeleted()}
  `)
}

/** The address to which the provider returns the browser. */
export const returnAddress = ({ siteUrl }: Pick<StoredProvider, 'siteUrl'>): string =>
  `${siteUrl}${paths.identityReturn}`

/** What bindings hold of the issuer: written one way whether it was typed with a last slash or not. */
export const issuerKey = ({ issuer }: Pick<StoredProvider, 'issuer'>): string =>
  new URL(issuer).href.replace(/\/$/, '')
