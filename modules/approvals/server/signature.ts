import { sql, type Db } from '#kit/server/db.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
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
