import { formatYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { registerMoveStep, type MoveContext } from '#modules/residents/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { splitByDate } from '../domain/adjustment.ts'
import { menu } from '../module.ts'
import { isBillOfHousehold } from './arrears.ts'
import { activeStates } from './bill-states.ts'
import { isOwedByMover } from './move-bills.ts'
import { toBill } from './stored-bill.ts'

const followUpsPath = '/finance/chargemanage/followups'

/** Bills that the people of a move have paid, in whole or in part, for days from the move on. */
const findPaidSince = async (moveContext: MoveContext): Promise<Bill[]> => {
  const rows = await findAll(
    moveContext.db,
    bill,
    systemScope(moveContext.scope.ownerId, moveContext.scope.time),
    { projectCode: moveContext.room.projectCode, order: 'beginDate,id' },
    {
      where: [
        isBillOfHousehold(moveContext.scope.ownerId, moveContext.room),
        sql`t.state in ${activeStates}
          and t.end_date >= ${moveContext.day}
          and (t.paid_principal > 0 or t.late_fee_paid > 0)`,
      ],
      limit: 500,
    },
  )
  return rows.filter(row => isOwedByMover(moveContext, row))
}

/** What of a bill was charged for the days from the move on. */
function shareSince(row: Bill, { day }: MoveContext): Fen {
  const halves = row.beginDate < day ? splitByDate(toBill(row), day) : undefined
  return halves && typeof halves !== 'string'
    ? subtractFen(halves[1].amount, halves[1].discount)
    : row.receivable
}

// What was paid for days that are somebody else's now is not moved by the system: it stays on a list until
// somebody has refunded it or left it (C27-7).
registerMoveStep({
  key: 'paidBills',
  title: '已缴账单',
  order: 101,
  kinds: ['checkout', 'transfer', 'moveOut'],
  needs: menu.bill.permissions.view,
  plan: async moveContext => {
    const rows = await findPaidSince(moveContext)
    if (!rows.length) return undefined
    const sum = sumFen(rows.map(row => shareSince(row, moveContext)))
    return {
      lines: [
        {
          label: `${moveContext.day} 之后已缴`,
          value: `${rows.length} 张，${formatYuan(sum, { thousands: true })} 元`,
          note: '缴费人变更的列入「待处理账单」，由财务退款或不处理',
          tone: 'hold' as const,
          to: followUpsPath,
        },
      ],
    }
  },
})
