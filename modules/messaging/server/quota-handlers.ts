import { crudHandlers } from '#kit/server/crud.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { residentDomainFilter } from '#modules/residents/server/public.ts'
import { exportLedger, getUsableSms, getUsableWxSms, saveSmsWarning, smsLedgers } from '../contract/quota.ts'
import { sourceLabel } from './message-source.ts'
import { ensureAccount, openingQuota } from './quota.ts'

interface Counts {
  readonly totalCount: number
  readonly usedCount: number
  readonly frozenCount: number
  readonly warnCount: number
}

/** A company that has never sent has what it begins with. */
const initial: Counts = { totalCount: openingQuota, usedCount: 0, frozenCount: 0, warnCount: 100 }

async function readAccount(db: Pick<Db, 'one'>, { ownerId }: Scope) {
  const counts =
    (await db.one<Counts>(sql`
      select total_count, used_count, frozen_count, warn_count
      from sms_account
      where owner_id = ${ownerId} and ${notDeleted()}
    `)) ?? initial
  return { ...counts, usableCount: counts.totalCount - counts.usedCount - counts.frozenCount }
}

export const ledgerServer = crudHandlers(smsLedgers, {
  enrich: rows =>
    Promise.resolve(rows.map(row => (row.source ? { ...row, source: sourceLabel(row.source) } : row))),
  export: exportLedger,
})

export const quotaHandlers = [
  reads(getUsableSms, (_, { db, scope }) => readAccount(db, scope)),
  reads(getUsableWxSms, async (_, { db, scope }) => {
    const row = await db.one<{ bound: number }>(sql`
      select count(*)::integer as bound
      from resident t
      where t.owner_id = ${scope.ownerId}
        and t.run_wechat is not null
        and ${sql.join([notDeleted('t'), ...residentDomainFilter(scope)], sql` and `)}
    `)
    const { bound } = defined(row)
    return { boundCount: bound, usableCount: bound }
  }),
  writes(saveSmsWarning, async ({ warnCount }, { tx, scope }) => {
    await ensureAccount(tx, scope)
    await tx.execute(sql`
      update sms_account
      set warn_count = ${warnCount}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and ${notDeleted()}
    `)
    return readAccount(tx, scope)
  }),
]
