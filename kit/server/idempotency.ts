import { createHash } from 'node:crypto'
import type { Call } from '#kit/contract/call.ts'
import { Refused, resultCode, type Envelope } from '#kit/contract/wire.ts'
import { sql, type Tx } from './db.ts'
import type { Scope } from './scope.ts'

/** The column keeps its old name; it is the hash of the request. */
const hashColumn = sql.id('said')

/**
 * The same (operator, call, uuid) gives the first answer again (G-6), for 24 hours. The key is written in the
 * work's own transaction: a duplicate that comes while the first still runs waits for it; a first that failed
 * leaves no key, so it may be tried again.
 */
export async function withIdempotency(
  tx: Tx,
  scope: Scope,
  call: Call,
  uuid: string,
  raw: unknown,
  work: () => Promise<Envelope>,
): Promise<Envelope> {
  if (!uuid) return work()
  const requestHash = createHash('sha256').update(JSON.stringify(raw)).digest('base64url')
  const inserted = await tx.execute(
    sql`
      insert into idempotent_request (owner_id, operator_id, call, uuid, ${hashColumn})
      values (${scope.ownerId}, ${scope.operatorId}, ${call.route}, ${uuid}, ${requestHash})
      on conflict do nothing
    `,
  )
  if (!inserted) {
    const first = await tx.one<{ requestHash: string; answer?: Envelope }>(
      sql`
        select ${hashColumn} as request_hash, answer
        from idempotent_request
        where owner_id = ${scope.ownerId}
          and operator_id = ${scope.operatorId}
          and call = ${call.route}
          and uuid = ${uuid}
      `,
    )
    if (first && first.requestHash !== requestHash)
      throw new Refused(resultCode.refused, '该请求编号已用于另一次提交，请刷新页面后重试')
    if (first?.answer) return first.answer
  }
  const answer = await work()
  tx.defer(
    sql`
      update idempotent_request
      set answer = ${JSON.stringify(answer)}::json
      where owner_id = ${scope.ownerId}
        and operator_id = ${scope.operatorId}
        and call = ${call.route}
        and uuid = ${uuid}
    `,
  )
  return answer
}
