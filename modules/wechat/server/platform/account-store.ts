import { codeOf, keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { encryptionOf } from '#kit/server/encryption.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { accountType, messageMode } from '../../contract/choices.ts'

/** An account with its secrets in clear: for the platform, never for an answer. */
export interface StoredAccount {
  readonly ownerId: Id
  readonly id: Id
  readonly mpName: string
  readonly appId: string
  readonly type: ChoiceOf<typeof accountType>
  readonly isSimulated: boolean
  readonly isEncrypted: boolean
  readonly secret?: string | undefined
  readonly token?: string | undefined
  readonly aesKey?: string | undefined
}

interface AccountRow {
  readonly id: Id
  readonly mpName: string
  readonly appId: string
  readonly mpType: number
  readonly simulated: boolean
  readonly messageMode: number
  readonly runSecret?: Buffer
  readonly runToken?: Buffer
  readonly runAesKey?: Buffer
}

export type SecretName = 'secret' | 'token' | 'aesKey' | 'accessToken'

export const subjectOf = (ownerId: Id, id: Id, name: SecretName): string =>
  `wechat_account/${ownerId}/${id}/${name}`

const isEncryptedMode = (code: number): boolean => code === Number(codeOf(messageMode, 'encrypted'))

async function withSecrets(app: Pick<App, 'dataDir'>, ownerId: Id, row: AccountRow): Promise<StoredAccount> {
  const encryption = await encryptionOf(app)
  const open = (name: SecretName, bytes: Buffer | undefined): string | undefined =>
    bytes && encryption.decrypt(bytes, subjectOf(ownerId, row.id, name))
  return {
    ownerId,
    id: row.id,
    mpName: row.mpName,
    appId: row.appId,
    type: defined(keyOf(accountType, row.mpType)),
    isSimulated: row.simulated,
    isEncrypted: isEncryptedMode(row.messageMode),
    secret: open('secret', row.runSecret),
    token: open('token', row.runToken),
    aesKey: open('aesKey', row.runAesKey),
  }
}

const accountColumns = sql`
  a.id, a.mp_name, a.app_id, a.mp_type, a.simulated, a.message_mode, a.run_secret, a.run_token, a.run_aes_key
`

export async function findStoredAccount(
  app: Pick<App, 'dataDir'>,
  db: Pick<Db, 'one'>,
  ownerId: Id,
  id: Id,
): Promise<StoredAccount | undefined> {
  const row = await db.one<AccountRow>(sql`
    select ${accountColumns}
    from wechat_account a
    where a.owner_id = ${ownerId} and a.id = ${id} and ${notDeleted('a')}
  `)
  return row && withSecrets(app, ownerId, row)
}

export const requireStoredAccount = async (
  app: Pick<App, 'dataDir'>,
  db: Pick<Db, 'one'>,
  ownerId: Id,
  id: Id,
): Promise<StoredAccount> => {
  const account = await findStoredAccount(app, db, ownerId, id)
  if (!account) throw notFound()
  return account.secret === undefined ? refuse(`请先填写「${account.mpName}」的 AppSecret`) : account
}

const columnOf = { secret: sql`run_secret`, token: sql`run_token`, aesKey: sql`run_aes_key` } as const

/** With another secret the access token of the one before is forgotten. */
export async function saveSecrets(
  tx: Tx,
  app: Pick<App, 'dataDir'>,
  ownerId: Id,
  id: Id,
  secrets: Partial<Record<keyof typeof columnOf, string>>,
): Promise<void> {
  const encryption = await encryptionOf(app)
  for (const name of ['secret', 'token', 'aesKey'] as const) {
    const value = secrets[name]
    if (value !== undefined) {
      const forget = name === 'secret' ? sql`, run_access_token = null, run_access_until = null` : sql``
      await tx.execute(sql`
        update wechat_account
        set ${columnOf[name]} = ${encryption.encrypt(value, subjectOf(ownerId, id, name))} ${forget}
        where owner_id = ${ownerId} and id = ${id}
      `)
    }
  }
}
