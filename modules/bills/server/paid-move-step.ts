import { formatYuan, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { systemScope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import {
  placesAnswer,
  registerMoveStep,
  type MoveApplyContext,
  type MoveContext,
} from '#modules/residents/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { followUpKind, followUpState } from '../contract/choices.ts'
import { splitByDate } from '../domain/adjustment.ts'
import { menu, paths } from '../module.ts'
import { isBillOfHousehold, isBillOfPlaces, isBillOfRoom } from './arrears.ts'
import { activeStates } from './bill-states.ts'
import { isOwedByMover } from './move-bills.ts'
import { toBill } from './stored-bill.ts'

const followUpsPath = paths.followUps

/** A place that leaves the room has no new payer. */
const isPlaceReleased = (move: MoveContext): boolean =>
  move.answerOf(placesAnswer.key) === placesAnswer.released

/**
 * The new payer of the room was entered while its places still belonged to it: what that put on the list for
 * places which leave the room is taken off again.
 */
const removeFollowUpsOfPlaces = ({ tx, scope, room, day }: MoveApplyContext): Promise<number> =>
  tx.execute(sql`
    delete from bill_follow_up f
    where f.owner_id = ${scope.ownerId}
      and f.state = ${code(followUpState, 'open')}
      and f.kind = ${code(followUpKind, 'payer')}
      and f.effective_date >= ${day}
      and f.bill_id in (
        select t.id
        from bill t
        where t.owner_id = ${scope.ownerId}
          and t.project_code = ${room.projectCode}
          and ${isBillOfPlaces(scope.ownerId, room)}
      )
  `)

/** Bills that the people of a move have paid, in whole or in part, for days from the move on. */
const findPaidSince = async (moveContext: MoveContext): Promise<Bill[]> => {
  const rows = await findAll(
    moveContext.db,
    bill,
    systemScope(moveContext.scope.ownerId, moveContext.scope.time),
    { projectCode: moveContext.room.projectCode, order: 'beginDate,id' },
    {
      where: [
        isPlaceReleased(moveContext)
          ? isBillOfRoom(moveContext.room)
          : isBillOfHousehold(moveContext.scope.ownerId, moveContext.room),
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
  apply: async move => {
    if (isPlaceReleased(move)) {
      await removeFollowUpsOfPlaces(move)
    }
  },
})
