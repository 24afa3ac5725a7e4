import type { Id } from '#kit/domain/id.ts'
import { codeOf, keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { AnonymousContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import { qrPurpose, qrState } from '../contract/sign-in.ts'

export type QrPurpose = ChoiceOf<typeof qrPurpose>
export type QrState = ChoiceOf<typeof qrState>

/** How long a QR code can be scanned and confirmed (PERM-10). */
const lifetimeMs = 120_000
const retentionMs = 3_600_000
export const qrLifetimeSeconds = lifetimeMs / 1000

/**
 * A QR code that a browser shows and a phone scans. It belongs to no company until an account is behind
 * it.
 */
export interface QrCode {
  readonly state: QrState
  readonly secret: Buffer
  readonly companyId: Id | undefined
  readonly managerId: Id | undefined
  readonly ip: string
  readonly agent: string
  readonly isLive: boolean
}

export async function findQrCode(
  db: Pick<Tx, 'one'>,
  c: AnonymousContext,
  purpose: QrPurpose,
  uuid: string,
  mode: 'read' | 'lock' = 'read',
): Promise<QrCode | undefined> {
  const row = await db.one<Omit<QrCode, 'state'> & { stateCode: number }>(
    sql`
      select state as state_code, secret, company_id, manager_id, ip, agent,
        expire_time > ${new Date(c.app.clock())} as is_live
      from qr_login
      where uuid = ${uuid} and purpose = ${code(qrPurpose, purpose)}
        ${mode === 'lock' ? sql`for update` : sql``}
    `,
  )
  if (!row) return undefined
  const state = keyOf(qrState, row.stateCode)
  return state && { ...row, state }
}

/** Stores a new waiting code, and deletes those that ended an hour ago. */
export async function insertQrCode(
  c: AnonymousContext,
  purpose: QrPurpose,
  query: { readonly uuid: string; readonly secret: Buffer; readonly account?: readonly [number, number] },
): Promise<void> {
  const now = c.app.clock()
  const [companyId = null, managerId = null] = query.account ?? []
  await c.app.database.tx('*', async tx => {
    await tx.execute(sql`delete from qr_login where expire_time < ${new Date(now - retentionMs)}`)
    await tx.execute(
      sql`
        insert into qr_login (
          uuid, purpose, secret, state, company_id, manager_id, ip, agent, create_time, expire_time
        )
        values (
          ${query.uuid}, ${codeOf(qrPurpose, purpose)}, ${query.secret}, ${codeOf(qrState, 'waiting')}, ${companyId},
          ${managerId}, ${c.ip}, ${c.agent.slice(0, 200)}, ${new Date(now)}, ${new Date(now + lifetimeMs)}
        )
      `,
    )
  })
}

export const setQrState = (tx: Tx, uuid: string, state: QrState): Promise<number> =>
  tx.execute(sql`update qr_login set state = ${code(qrState, state)} where uuid = ${uuid}`)

export const refuseExpiredQr = (): never => refuse('二维码已失效，请在电脑上刷新后重新扫码')
