import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, maxFen, parseYuan } from '#kit/domain/money.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql, type Db, type Database, type Tx } from '#kit/server/db.ts'
import { forEachCompany, listDueCompanies } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { accrueLateFee } from '../domain/late-fee.ts'
import { lateFeeEnabled, findPrincipalEntries, findBillRules } from './late-fee.ts'
import { billState, payState, refundState } from '../contract/choices.ts'

interface OverdueBill {
  readonly id: Id
  readonly version: number
  readonly projectCode: string
  readonly dueDate: Day
  readonly feeItemId: Id
  readonly standardId?: Id
  readonly receivable: string
  readonly due: string
  readonly settled: string
  readonly moved: boolean
}

export interface RefreshResult {
  readonly looked: number
  readonly written: number
}

/**
 * Refreshes the late fees of a company as of a day, for lists (LATE-12): every overdue bill with an automatic
 * fee is computed from its history (LATE-6) and written when it changed; where late fees were switched off,
 * the unpaid part is removed. Walks `bill_owed` in its order, one transaction per chunk. Bills that somebody
 * changed during the refresh have been computed already; locked bills are skipped, because waiting for many
 * rows could deadlock. May run any number of times.
 */
export async function refreshLateFees(
  database: Database,
  ownerId: Id,
  today: Day,
  options: { readonly chunk?: number; readonly signal?: AbortSignal } = {},
): Promise<RefreshResult> {
  const size = options.chunk ?? 20_000
  const db = database.reader(ownerId)
  let after: OverdueBill | undefined
  let looked = 0
  let written = 0
  let writing = Promise.resolve(0)
  // The next chunk is read and computed while the last one is written.
  try {
    for (;;) {
      options.signal?.throwIfAborted()
      const rows: OverdueBill[] = await findOverdueBills(db, ownerId, today, after, size)
      const changed = rows.length ? await computeUpdates(db, ownerId, today, rows) : []
      written += await writing
      writing = changed.length
        ? database.tx(ownerId, tx => writeUpdates(tx, ownerId, today, changed))
        : Promise.resolve(0)
      writing.catch(() => {})
      looked += rows.length
      after = rows.at(-1)
      if (rows.length < size) return { looked, written: written + (await writing) }
    }
  } finally {
    await writing.catch(() => 0)
  }
}

const findOverdueBills = (
  db: Db,
  ownerId: Id,
  today: Day,
  after: OverdueBill | undefined,
  size: number,
): Promise<OverdueBill[]> =>
  db.rows<OverdueBill>(sql`
    select t.id, t.version, t.project_code, t.due_date, t.fee_item_id, t.standard_id, t.receivable::text,
      t.late_fee_due::text as due, (t.late_fee_paid + t.late_fee_waived)::text as settled,
      t.paid_principal > 0 or t.refund_state <> ${code(refundState, 'none')} as moved
    from bill t
    join fee_item i on i.owner_id = ${ownerId} and i.id = t.fee_item_id
    left join fee_standard s on s.owner_id = ${ownerId} and s.id = t.standard_id
    where t.owner_id = ${ownerId}
      and ${notDeleted('t')}
      and t.state = ${code(billState, 'normal')}
      and t.pay_state = ${code(payState, 'unpaid')}
      and t.due_date < ${today}
      and t.unpaid_principal > 0
      and not t.late_fee_manual
      and t.fee_type <> ${code(feeType, 'deposit')}
      and t.late_day is distinct from ${today}::date
      and (
        ${lateFeeEnabled} or t.late_fee_due <> t.late_fee_paid + t.late_fee_waived
      ) ${
        after
          ? sql`and (t.project_code, t.due_date, t.id) > (
      ${after.projectCode}, ${after.dueDate}, ${after.id}
    )`
          : sql``
      }
    order by t.project_code, t.due_date, t.id
    limit ${size}
  `)

interface LateFeeUpdate {
  readonly id: Id
  readonly version: number
  readonly due: string
}

async function computeUpdates(
  db: Db,
  ownerId: Id,
  today: Day,
  rows: readonly OverdueBill[],
): Promise<LateFeeUpdate[]> {
  const ruleOf = await findBillRules(db, ownerId, rows)
  const entries = await findPrincipalEntries(
    db,
    ownerId,
    rows.filter(r => r.moved).map(r => r.id),
  )
  return rows.flatMap(row => {
    const due = maxFen(
      accrueLateFee(
        ruleOf(row).late,
        { dueDate: row.dueDate, principal: parseYuan(row.receivable), moves: entries.get(row.id) ?? [] },
        today,
      ),
      parseYuan(row.settled),
    )
    const text = formatYuan(due)
    return text === row.due ? [] : [{ id: row.id, version: row.version, due: text }]
  })
}

const writeUpdates = (tx: Tx, ownerId: Id, today: Day, changed: readonly LateFeeUpdate[]): Promise<number> =>
  tx.execute(sql`
    update bill t
    set late_fee_due = r.due, late_day = ${today}
    from (
      select r.id, r.due
      from unnest(
        ${changed.map(c => c.id)}::bigint[], ${changed.map(c => c.version)}::int[],
        ${changed.map(c => c.due)}::numeric[]
      ) as r(id, version, due)
      join bill b on b.owner_id = ${ownerId}
        and b.id = r.id
        and b.version = r.version
        and b.state = ${code(billState, 'normal')}
        and ${notDeleted('b')}
      for update of b skip locked
    ) r
    where t.owner_id = ${ownerId} and t.id = r.id
  `)

export const lateFeeCron = defineCron({
  name: 'bills-late',
  schedule: '30 0 * * *',
  run: async (app, signal) => {
    const today = dayOfMoment(fromInstant(app.clock()))
    const due = await listDueCompanies(
      app.database,
      sql`
        select distinct owner_id
        from bill
        where ${notDeleted()}
          and state = ${code(billState, 'normal')}
          and pay_state = ${code(payState, 'unpaid')}
          and due_date < ${today}
      `,
    )
    await forEachCompany(
      due,
      async ownerId => {
        const result = await refreshLateFees(app.database, ownerId, today, { signal })
        app.log.info({ ownerId, ...result }, 'late fees computed')
      },
      signal,
    )
  },
})
