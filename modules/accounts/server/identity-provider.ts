import { randomBytes } from 'node:crypto'
import { invalidField, notFound, refuse, staleVersion } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { addEntry } from '#kit/server/directory.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findAll, insert, requireById, update, withAllFields } from '#kit/server/table.ts'
import {
  getIdentityProvider,
  identityProvider,
  saveIdentityProvider,
  testIdentityProvider,
  type IdentityProvider,
} from '../contract/identity-provider.ts'
import { findProvider, issuerKey, returnAddress, saveSecret } from './identity-provider-store.ts'
import { checkProvider } from './identity-provider-check.ts'
import { normalizeIssuer, providerTarget } from './oidc-client.ts'

uniqueMessages({ identity_provider_live: '设置刚被他人保存，请刷新后重试' })

const findStored = (
  db: Pick<Db, 'one'>,
  ownerId: Id,
  mode: 'read' | 'lock' = 'read',
): Promise<{ id: Id; issuer: string; hasSecret: boolean } | undefined> =>
  db.one(sql`
    select id, issuer, run_secret is not null as has_secret
    from identity_provider
    where owner_id = ${ownerId} and ${notDeleted()} ${mode === 'lock' ? sql`for update` : sql``}
  `)

type SaveInput = NonNullable<typeof saveIdentityProvider.input.T>

async function save(input: SaveInput, { tx, scope, app }: WriteContext): Promise<IdentityProvider> {
  const { id: _id, version, clientSecret, ...draft } = input
  const issuer = normalizeIssuer(draft.issuer)
  const fault = providerTarget.urlRefusal(issuer)
  if (fault !== undefined) throw invalidField('Issuer', fault)
  const existing = await findStored(tx, scope.ownerId, 'lock')
  if (existing && !version) throw staleVersion()
  // The saved secret goes to the provider that it was typed in for, to no other.
  if (existing?.hasSecret && clientSecret === undefined && issuerKey(existing) !== issuerKey({ issuer }))
    throw invalidField('ClientSecret', '签发者地址已改变，请重新填写客户端密钥')
  if (existing) {
    const fields = withAllFields(saveIdentityProvider.input, { ...draft, issuer })
    await update(tx, identityProvider, scope, existing.id, fields, {
      version: version ?? 0,
      reason: clientSecret === undefined ? undefined : '更换客户端密钥',
    })
  } else {
    const pageKey = randomBytes(12).toString('base64url')
    const created = await insert(tx, identityProvider, scope, { ...draft, issuer, pageKey })
    await addEntry(tx, 'sign_in_page', pageKey, { ownerId: scope.ownerId, refId: created.id })
  }
  if (clientSecret !== undefined) {
    await saveSecret(tx, app, scope.ownerId, clientSecret)
  }
  const saved = await findStored(tx, scope.ownerId)
  if (!saved) throw notFound()
  return requireById(tx, identityProvider, scope, saved.id)
}

export const identityProviderHandlers = [
  reads(getIdentityProvider, async (_, { db, scope }) => {
    const [provider] = await findAll(db, identityProvider, scope)
    const stored = await findStored(db, scope.ownerId)
    return { hasSecret: stored?.hasSecret ?? false, ...(provider ? { provider } : {}) }
  }),
  writes(saveIdentityProvider, save),
  reads(testIdentityProvider, async (_, { db, scope, app }) => {
    const provider = await findProvider(app, db, scope.ownerId)
    if (!provider) return refuse('请先填写并保存设置')
    return checkProvider(provider, returnAddress(provider))
  }),
]
