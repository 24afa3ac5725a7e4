import type { Day } from '#kit/domain/day.ts'
import { parseYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { feeType, sourceType } from '#modules/fees/contract/choices.ts'
import { registerRoomDebts } from '#modules/rooms/server/public.ts'
import { bill } from '../contract/bill.ts'
import { billState, payState } from '../contract/choices.ts'
import { menu } from '../module.ts'

/** Open bills of rooms in the caller's domain; deposits are no debt (C27-8). */
const openBillsOfRooms = (scope: Scope, projectCode: string) => sql`
  ${tenantFilter(bill, scope, projectCode)}
  and t.state = ${code(billState, 'normal')}
  and t.pay_state = ${code(payState, 'unpaid')}
  and t.fee_type <> ${code(feeType, 'deposit')}
  and t.source_type = ${code(sourceType, 'room')}
`

registerRoomDebts({
  needs: menu.bill.permissions.view,
  ofRooms: async ({ db, scope, today }, projectCode, { buildCode, code: roomCode }) => {
    const rows = await db.rows<{ code: string; unpaid: string; overdue: string; oldestDue?: Day }>(sql`
      select t.source_code as code, sum(t.unpaid)::text as unpaid,
        coalesce(sum(t.unpaid) filter (where t.due_date < ${today}), 0)::text as overdue,
        min(t.due_date) filter (where t.due_date < ${today}) as oldest_due
      from bill t
      where ${openBillsOfRooms(scope, projectCode)}
        ${buildCode === undefined ? sql`` : sql`and t.build_code = ${buildCode}`}
        ${roomCode === undefined ? sql`` : sql`and t.source_code = ${roomCode}`}
      group by t.source_code
    `)
    return rows.map(({ code: room, unpaid, overdue, oldestDue }) => ({
      code: room,
      unpaid: parseYuan(unpaid),
      overdue: parseYuan(overdue),
      ...(oldestDue ? { oldestDue } : {}),
    }))
  },
  ofBuildings: async ({ db, scope, today }, projectCode): Promise<ReadonlyMap<string, Fen>> => {
    const rows = await db.rows<{ buildCode: string; overdue: string }>(sql`
      select t.build_code, sum(t.unpaid)::text as overdue
      from bill t
      where ${openBillsOfRooms(scope, projectCode)} and t.due_date < ${today} and t.build_code is not null
      group by t.build_code
    `)
    return new Map(rows.map(row => [row.buildCode, parseYuan(row.overdue)]))
  },
})
