import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import type { PanelSectionContent } from '#modules/rooms/contract/room-board.ts'
import { registerRoomPanelSection } from '#modules/rooms/server/public.ts'
import { registerResidentPanelSection } from '#modules/residents/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { payState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { unpaid } from '../domain/bill.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import { findRoomArrears, unpaidBillsPath } from './arrears.ts'
import { activeStates } from './bill-states.ts'
import { computeLateFees } from './late-fee.ts'
import { toBill } from './stored-bill.ts'

interface OpenBill {
  readonly row: Bill
  readonly unpaid: Fen
}

const shownBills = 5

const yuan = (fen: Fen): string => formatYuan(fen, { thousands: true })

/** What is owed in all, and the bills that are due first; nothing where nothing is owed. */
function debtSection(
  bills: readonly OpenBill[],
  today: Day,
  to: string,
  noteOf: (bill: Bill) => string | undefined,
): Omit<PanelSectionContent, 'key'> | undefined {
  if (!bills.length) return undefined
  const sum = (list: readonly OpenBill[]): string => `${yuan(sumFen(list.map(each => each.unpaid)))} 元`
  const overdue = bills.filter(each => each.row.dueDate < today)
  return {
    title: '欠费',
    count: bills.length,
    to,
    lines: [
      {
        label: '未缴合计',
        amount: sumFen(bills.map(each => each.unpaid)),
        note: overdue.length ? `${overdue.length} 张已逾期，共 ${sum(overdue)}` : '都未到应缴日',
        tone: overdue.length ? 'bad' : 'todo',
      },
      ...bills.slice(0, shownBills).map(({ row, unpaid: owed }) => ({
        label: `${row.feeItemName} ${formatPeriod(row.beginDate, row.endDate)}`,
        amount: owed,
        note: [`应缴 ${row.dueDate}`, noteOf(row)].filter(Boolean).join(' · '),
        ...(row.dueDate < today ? { tone: 'bad' as const } : {}),
      })),
    ],
  }
}

/** The open bills of a payer by due date, with late fees as of today. */
async function findPayerArrears(db: Db, scope: Scope, payerId: Id, today: Day): Promise<OpenBill[]> {
  const list = await findAll(
    db,
    bill,
    scope,
    { order: 'dueDate' },
    {
      where: [
        sql`t.payer_kind = ${code(payerSide, 'resident')}
          and t.payer_id = ${payerId}
          and t.state in ${activeStates}
          and t.pay_state = ${code(payState, 'unpaid')}`,
      ],
      limit: 500,
    },
  )
  const late = await computeLateFees(db, scope.ownerId, list, today)
  return list.map(row => ({
    row,
    unpaid: unpaid({ ...toBill(row), lateDue: late.get(row.id) ?? row.lateFeeDue }),
  }))
}

const isNormal = ({ row }: OpenBill): boolean => row.state === 'normal'

registerRoomPanelSection({
  key: 'bills',
  order: 50,
  needs: menu.bill.permissions.view,
  load: async ({ db, scope, room, today }) => {
    const bills = (await findRoomArrears(db, scope.ownerId, room, today)).filter(isNormal)
    return debtSection(bills, today, unpaidBillsPath(room.path), row => row.payerName)
  },
})

registerResidentPanelSection({
  key: 'bills',
  order: 50,
  needs: menu.bill.permissions.view,
  load: async ({ db, scope, person, today }) => {
    const bills = (await findPayerArrears(db, scope, person.id, today)).filter(isNormal)
    return debtSection(bills, today, unpaidBillsPath(person.name), row => row.sourceName)
  },
})
