import { displayYuan, sumFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { systemScope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { registerMoveStep, type MoveContext } from '#modules/residents/server/public.ts'
import { chargeState, orderState } from '../contract/choices.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { openStates } from '../domain/order-actions.ts'
import { menu, paths } from '../module.ts'
import { isEffectiveBill } from './charge-bills.ts'

// Work that is not billed yet shows in no arrears. Its bill is made later, to the person who is to pay on the
// day on which the work is finished (BASE-17): the people who move should know that before.

const shownOrders = 5

const isUnbilledCost = ({ scope }: MoveContext) => sql`t.pay_state = ${code(chargeState, 'unpaid')}
  and not exists (
    select
    from work_order_charge c
    join bill b on ${isEffectiveBill(scope.ownerId, sql`c.order_id`, sql`c.bill_id`)}
    where c.owner_id = ${scope.ownerId}
      and c.order_id = t.id
      and c.state = ${code(chargeState, 'unpaid')}
  )`

const hasCostToCome = ({ scope }: MoveContext) => sql`t.pay_state is null
  and t.type_id in (
    select y.id from work_order_type y where y.owner_id = ${scope.ownerId} and y.is_charge
  )`

const findUnbilled = async (move: MoveContext): Promise<WorkOrder[]> =>
  move.room.code === undefined
    ? []
    : findAll(
        move.db,
        workOrder,
        systemScope(move.scope.ownerId, move.scope.time),
        { projectCode: move.room.projectCode, order: 'id' },
        {
          where: [
            sql`t.room_code = ${move.room.code} and t.state in ${codes(orderState, ...openStates)}`,
            sql`((${isUnbilledCost(move)}) or (${hasCostToCome(move)}))`,
          ],
          limit: 200,
        },
      )

const describeOrder = ({ orderNo, payState, payableCost }: WorkOrder): string =>
  payState === 'unpaid' ? `${orderNo} ${displayYuan(payableCost)} 元` : `${orderNo} 费用未定`

registerMoveStep({
  key: 'workOrders',
  title: '工单费用',
  order: 130,
  kinds: ['checkout', 'transfer', 'moveOut'],
  needs: menu.order.permissions.view,
  plan: async move => {
    const found = await findUnbilled(move)
    if (!found.length) return undefined
    const known = sumFen(found.flatMap(order => (order.payState === 'unpaid' ? [order.payableCost] : [])))
    const numbers = found.slice(0, shownOrders).map(describeOrder).join('、')
    return {
      lines: [
        {
          label: '未出账单',
          value: `${found.length} 张工单，${displayYuan(known)} 元`,
          note: `${numbers}${found.length > shownOrders ? ' 等' : ''}；出账单时由完成当日的缴费人承担`,
          tone: 'hold',
          to: `${paths.record}?roomCode=${encodeURIComponent(move.room.code ?? '')}`,
        },
      ],
    }
  },
})
