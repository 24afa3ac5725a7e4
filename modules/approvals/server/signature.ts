import { invalidField } from '#kit/contract/wire.ts'
import { toInstant } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { findOwnUploads, ownFileMs, registerFileAccess } from '#kit/server/file-access.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, remove } from '#kit/server/table.ts'
import {
  getOwnSignature,
  processSignature,
  removeOwnSignature,
  saveOwnSignature,
} from '../contract/signature.ts'

registerFileAccess(processSignature.name, ({ operatorId }) => sql`t.manager_id = ${operatorId}`)

const findSignatures = (db: Db, scope: Scope) =>
  findAll(db, processSignature, scope, {}, { where: [sql`t.manager_id = ${scope.operatorId}`] })

/** How the operator signs today. */
export const signatureOf = async (db: Db, scope: Scope): Promise<string | undefined> =>
  (await findSignatures(db, scope))[0]?.signature

export const signatureHandlers = [
  reads(getOwnSignature, async (_, { db, scope }) => {
    const [own] = await findSignatures(db, scope)
    return own ? { signature: own.signature, signTime: own.signTime } : {}
  }),
  writes(saveOwnSignature, async ({ signature }, { tx, scope, now }) => {
    const since = new Date(toInstant(now) - ownFileMs)
    const [upload] = await findOwnUploads(tx, scope, [signature], since)
    if (!upload?.type.startsWith('image/'))
      throw invalidField('SignUrl', '签名应为本人刚手写或上传的图片，请重新签名')
    await insert(tx, processSignature, scope, { managerId: scope.operatorId, signature, signTime: now })
  }),
  writes(removeOwnSignature, async (_, { tx, scope }) => {
    const own = await findSignatures(tx, scope)
    await remove(
      tx,
      processSignature,
      scope,
      own.map(row => row.id),
    )
  }),
]
