import type { Id } from '#kit/domain/id.ts'
import { addMonths } from '#kit/domain/day.ts'
import { addDaysToMoment, addMinutes, dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { orderPrefix } from '#modules/payments/server/document-prefixes.ts'
import { code, codes } from '#kit/server/sql.ts'
import { orderState, payMethod, productKind } from '#modules/products/contract/labels.ts'

/** An order as the demo tells it: days before today, what was sold, and what became of it. */
interface SeededOrder {
  readonly ago: number
  readonly code: string
  readonly quantity: number
  readonly months?: number
  readonly state: 10 | 20 | 30 | 40
  readonly method?: number
  readonly node?: string
  readonly until?: string
  readonly reason?: string
}

interface SubscriptionPlan {
  readonly edition: 10 | 20 | 30
  readonly topUps: readonly (readonly [ago: number, yuan: number, remark: string])[]
  readonly orders: readonly SeededOrder[]
}

const smallPlan: SubscriptionPlan = {
  edition: 10,
  topUps: [[60, 500, '开户充值']],
  orders: [
    { ago: 50, code: 'NODE-DOOR', quantity: 2, months: 12, state: 20, method: 120, node: '门禁点' },
    { ago: 20, code: 'APP-PARKING', quantity: 1, months: 12, state: 30, reason: '当前版本已包含' },
  ],
}

const livelyPlan: SubscriptionPlan = {
  edition: 30,
  topUps: [
    [400, 20_000, '银行转账充值'],
    [46, 8000, '银行转账充值'],
  ],
  orders: [
    { ago: 590, code: 'STANDARD', quantity: 2, months: 12, state: 20, method: 30 },
    {
      ago: 388,
      code: 'NODE-DOOR',
      quantity: 12,
      months: 24,
      state: 20,
      method: 120,
      node: '锦绣花园各单元门禁',
    },
    {
      ago: 388,
      code: 'NODE-LANE',
      quantity: 4,
      months: 12,
      state: 20,
      method: 120,
      node: '地下车库进出车道',
    },
    { ago: 225, code: 'PROFESSIONAL', quantity: 3, months: 12, state: 20, method: 30 },
    { ago: 120, code: 'NODE-SEAT', quantity: 2, months: 6, state: 20, method: 120, node: '服务热线坐席' },
    {
      ago: 90,
      code: 'NODE-LANE',
      quantity: 2,
      months: 12,
      state: 30,
      node: '云栖东区车道',
      reason: '改由商户自行接入',
    },
    { ago: 45, code: 'NODE-SMS', quantity: 20_000, state: 20, method: 120, node: '催缴与通知短信' },
    { ago: 12, code: 'NODE-DOOR', quantity: 4, months: 12, state: 40, node: '滨江国际门禁' },
    { ago: 0, code: 'NODE-LANE', quantity: 1, months: 12, state: 10, node: '滨江国际出口车道' },
  ],
}

/** An order with its number and its moments, as the statements take it. */
async function toOrderRow(tx: Tx, ownerId: Id, order: SeededOrder, position: number, now: Moment) {
  const created = addDaysToMoment(now, -order.ago)
  const no = await tx.numbers.next(ownerId, orderPrefix, dayOfMoment(created))
  const isPaid = order.state === 20
  const until = isPaid && order.months ? addMonths(dayOfMoment(created), order.months) : undefined
  return {
    ...order,
    created,
    until,
    position,
    order_no: no,
    paid: isPaid ? addMinutes(created, 12) : undefined,
    transaction_id: isPaid
      ? `${order.method === 120 ? 'YE' : 'ZZ'}${no.slice(orderPrefix.length)}`
      : undefined,
    closes: addDaysToMoment(created, 1),
    begins: isPaid ? dayOfMoment(created) : undefined,
    node_state: order.state === 10 ? 30 : until && until < dayOfMoment(now) ? 20 : 10,
  }
}

type OrderRow = Awaited<ReturnType<typeof toOrderRow>>

interface CompanyScope {
  readonly ownerId: Id
  readonly operatorId: Id
  readonly name: string
}

async function insertOrders(tx: Tx, scope: CompanyScope, orders: readonly OrderRow[]): Promise<void> {
  const ownerId = scope.ownerId
  await tx.execute(sql`
    insert into product_order (
      owner_id, order_no, kind, product_id, product_name, quantity, unit, months, unit_price, amount, state,
      pay_method, pay_time, transaction_id, close_time, cancel_reason, operator_name, create_time,
      update_time, create_by, update_by
    )
    select ${ownerId}::bigint, r.order_no, p.kind, p.id, p.product_name, r.quantity, p.unit, r.months, p.price,
      p.price * r.quantity * coalesce(r.months, 1), r.state, r.method, r.paid, r.transaction_id, r.closes,
      r.reason, ${scope.name}::text, r.created, r.created, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
    from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as r(
      position int, code text, quantity int, months int, state smallint, method smallint, reason text, order_no text,
      created timestamptz, paid timestamptz, closes timestamptz, transaction_id text
    )
    join product p on p.product_code = r.code
    order by r.position
    returning id
  `)
}

/** Paid orders have opened their nodes, the waiting one is about to. */
async function insertNodes(tx: Tx, scope: CompanyScope, orders: readonly OrderRow[]): Promise<void> {
  const ownerId = scope.ownerId
  await tx.execute(sql`
    insert into increment_node (
      owner_id, node_name, node_type, product_id, quantity, unit, price, begin_date, expire_date, state,
      order_id, create_by, update_by
    )
    select ${ownerId}::bigint, r.node, p.node_type, p.id, o.quantity, p.unit, o.unit_price, r.begins, r.until,
      r.node_state, o.id, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
    from jsonb_to_recordset(${JSON.stringify(orders.filter(o => o.node && o.state !== 30))}::jsonb) as r(
      node text, order_no text, state smallint, node_state smallint, begins date, until date
    )
    join product_order o on o.owner_id = ${ownerId} and o.order_no = r.order_no
    join product p on p.id = o.product_id
    where r.state in ${codes(orderState, 'pending', 'paid')}
    order by o.id
    returning id
  `)
  await tx.execute(
    sql`
      update product_order o
      set node_id = n.id, new_expire = n.expire_date
      from increment_node n
      where o.owner_id = ${ownerId} and n.owner_id = ${ownerId} and n.order_id = o.id
    `,
  )
}

/** The edition lasts until its last renewal says; without one there is no end. */
async function setEdition(
  tx: Tx,
  ownerId: Id,
  edition: SubscriptionPlan['edition'],
  orders: readonly OrderRow[],
): Promise<void> {
  await tx.execute(sql`
    update product_order o
    set new_expire = r.until
    from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as r(order_no text, until date)
    where o.owner_id = ${ownerId}
      and o.order_no = r.order_no
      and o.kind = ${code(productKind, 'edition')}
      and o.state = ${code(orderState, 'paid')}
  `)
  await tx.execute(
    sql`
      update property
      set edition = ${edition},
        expire_date = (
          select max(o.new_expire)
          from product_order o
          where o.owner_id = ${ownerId} and o.kind = ${code(productKind, 'edition')}
        )
      where owner_id = ${ownerId} and id = ${ownerId}
    `,
  )
}

/** Top-ups and orders paid from the balance; the balance is the sum of the entries. */
async function insertAccount(
  tx: Tx,
  scope: CompanyScope,
  plan: SubscriptionPlan,
  now: Moment,
): Promise<void> {
  const ownerId = scope.ownerId
  const topUps = plan.topUps.map(([ago, yuan, remark]) => ({ at: addDaysToMoment(now, -ago), yuan, remark }))
  await tx.execute(sql`
    with moves as (
      select 10 as type, r.yuan::numeric(14,2) as amount, null::text as no, r.remark,
        null::text as transaction, r.at
      from jsonb_to_recordset(
        ${JSON.stringify(topUps)}::jsonb
      ) as r(at timestamptz, yuan numeric, remark text)
      union all
      select 20, -o.amount, o.order_no, o.product_name, o.transaction_id, o.pay_time
      from product_order o
      where o.owner_id = ${ownerId} and o.pay_method = ${code(payMethod, 'balance')}
    )
    insert into account_entry (
      owner_id, entry_type, amount, balance, order_no, remark, transaction_id, create_time, update_time,
      create_by, update_by
    )
    select ${ownerId}::bigint, m.type, m.amount,
      sum(m.amount) over (order by m.at, m.type, m.no rows unbounded preceding), m.no, m.remark,
      m.transaction, m.at, m.at, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint
    from moves m
    order by m.at, m.type, m.no
    returning id
  `)
  await tx.execute(
    sql`
      insert into property_account (owner_id, balance)
      select ${ownerId}::bigint, coalesce(sum(amount), 0)
      from account_entry
      where owner_id = ${ownerId}
      returning owner_id
    `,
  )
}

async function insertCallSeats(tx: Tx, scope: CompanyScope, size: 'small' | 'lively'): Promise<void> {
  const ownerId = scope.ownerId
  if (size === 'lively') {
    await tx.execute(sql`
      insert into call_seat (owner_id, seat_no, extension, manager_id, state, remark, create_by, update_by)
      values (${ownerId}, '8001', '8001', ${scope.operatorId}, 10, '白班', ${scope.operatorId}, ${scope.operatorId}),
        (${ownerId}, '8002', '8002', null, 10, '夜班轮值', ${scope.operatorId}, ${scope.operatorId}),
        (${ownerId}, '8003', null, null, 20, null, ${scope.operatorId}, ${scope.operatorId})
    `)
  } else {
    await tx.execute(
      sql`
        insert into call_seat (owner_id, seat_no, state, create_by, update_by)
        values (${ownerId}, '8001', 20, ${scope.operatorId}, ${scope.operatorId})
      `,
    )
  }
}

/** What a company has of the platform's products, with how it came to it. */
export async function seedSubscription(tx: Tx, scope: CompanyScope, size: 'small' | 'lively'): Promise<void> {
  const plan = size === 'lively' ? livelyPlan : smallPlan
  const ownerId = scope.ownerId
  const now = fromInstant(Date.now())
  const orders = await Promise.all(plan.orders.map((order, i) => toOrderRow(tx, ownerId, order, i, now)))
  await insertOrders(tx, scope, orders)
  await insertNodes(tx, scope, orders)
  await setEdition(tx, ownerId, plan.edition, orders)
  await insertAccount(tx, scope, plan, now)
  await insertCallSeats(tx, scope, size)
  // Orders of today go on after these.
  await tx.execute(sql`select setval('product_order_seq', 1000)`)
  await tx.execute(
    sql`
      insert into property_app (owner_id, product_id, app_name, app_code, enabled, create_by, update_by)
      select ${ownerId}::bigint, p.id, p.product_name, p.product_code, true, ${scope.operatorId}::bigint,
        ${scope.operatorId}::bigint
      from product p
      where p.product_code = 'APP-PARKING'
      returning id
    `,
  )
}
