import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachCompany, forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { companyState } from '#modules/accounts/contract/company.ts'
import { updateSubscription } from '#modules/accounts/server/public.ts'
import { defineNotificationKind, notify, type NotificationRequest } from '#modules/system/server/public.ts'
import { nodeState, orderState } from '../contract/labels.ts'
import { reminderDays } from '../domain/subscription.ts'
import { menu, paths } from '../module.ts'
import { refreshClosedModules } from './property-app.ts'

/**
 * Closes the due orders of one company and deletes the nodes that they were to open. Returns how many orders.
 */
async function closeOrdersOf(tx: Tx, ownerId: Id, now: Date): Promise<number> {
  const closed = await tx.rows<{ id: Id }>(
    sql`
      update product_order
      set state = ${code(orderState, 'closed')}, version = version + 1, update_time = ${now}
      where owner_id = ${ownerId} and state = ${code(orderState, 'pending')} and close_time <= ${now}
      returning id
    `,
  )
  await tx.execute(
    sql`
      update increment_node
      set delete_tag = 1, version = version + 1, update_time = ${now}
      where owner_id = ${ownerId}
        and order_id = any(${closed.map(order => order.id)}::bigint[])
        and state = ${code(nodeState, 'opening')}
        and ${notDeleted()}
    `,
  )
  return closed.length
}

/** RENEW-3: closes the orders that were not paid in time. Returns how many. */
export async function closeUnpaidOrders(app: App): Promise<number> {
  const now = new Date(app.clock())
  const closed = await forEachDueCompany(
    app.database,
    sql`
      select distinct owner_id
      from product_order
      where state = ${code(orderState, 'pending')} and close_time <= ${now}
    `,
    (tx, ownerId) => closeOrdersOf(tx, ownerId, now),
  )
  return closed.reduce((sum, orders) => sum + orders, 0)
}

async function expireSubscriptionOf(tx: Tx, app: App, ownerId: Id, today: Day): Promise<void> {
  await tx.execute(
    sql`
      update increment_node
      set state = ${code(nodeState, 'expired')}, version = version + 1, update_time = ${new Date(app.clock())}
      where owner_id = ${ownerId}
        and state = ${code(nodeState, 'open')}
        and expire_date < ${today}::date
        and ${notDeleted()}
    `,
  )
  const ended = await tx.one<{ company: boolean; app: boolean }>(
    sql`
      select exists (
        select 1
        from property
        where owner_id = ${ownerId}
          and state = ${code(companyState, 'normal')}
          and expire_date < ${today}::date
          and ${notDeleted()}
      ) as company,
        exists (
          select 1
          from property_app
          where owner_id = ${ownerId} and expire_date < ${today}::date and ${notDeleted()}
        ) as app
    `,
  )
  if (ended?.company) {
    await updateSubscription(tx, app, { ownerId, state: 'expired' })
  }
  if (ended?.app) {
    await refreshClosedModules(tx, app, ownerId, today)
  }
}

/**
 * RENEW-5: marks what ended before today as expired: nodes, companies, and the modules of a company's apps.
 */
export async function expireSubscriptions(app: App, today: Day): Promise<void> {
  await forEachDueCompany(
    app.database,
    sql`
      select owner_id
      from increment_node
      where state = ${code(nodeState, 'open')} and expire_date < ${today}::date and ${notDeleted()}
      union
      select owner_id
      from property
      where state = ${code(companyState, 'normal')} and expire_date < ${today}::date and ${notDeleted()}
      union
      select owner_id
      from property_app
      where expire_date < ${today}::date and ${notDeleted()}
      order by owner_id
    `,
    (tx, ownerId) => expireSubscriptionOf(tx, app, ownerId, today),
  )
}

const expiringKind = defineNotificationKind({
  key: 'products.ending',
  label: '账户与增值服务到期',
  group: 'notice',
  level: 'important',
})

interface UpcomingEnd {
  readonly ownerId: Id
  readonly days: number
  readonly until: Day
  /** The nodes that end then; absent where the company itself ends. */
  readonly nodes?: string[]
}

const findUpcomingEnds = (app: App, today: Day): Promise<UpcomingEnd[]> => {
  const dates = reminderDays.map(days => addDays(today, days))
  return app.database.reader('*').rows<UpcomingEnd>(sql`
    select owner_id, expire_date - ${today}::date as days, expire_date as until, null::text[] as nodes
    from property
    where state = ${code(companyState, 'normal')} and ${notDeleted()} and expire_date = any(${dates}::date[])
    union all
    select owner_id, expire_date - ${today}::date, expire_date, array_agg(node_name order by id)
    from increment_node
    where state = ${code(nodeState, 'open')} and ${notDeleted()} and expire_date = any(${dates}::date[])
    group by owner_id, expire_date
  `)
}

function createReminder({ days, until, nodes }: UpcomingEnd): NotificationRequest {
  if (!nodes)
    return {
      kind: expiringKind,
      to: { permission: menu.renewal.permissions.view },
      title: `公司账户还有 ${days} 天到期`,
      text: `${until} 到期，请及时续费`,
      link: paths.renew,
    }
  return {
    kind: expiringKind,
    to: { permission: menu.increment.permissions.view },
    title: `${nodes.length} 项增值服务还有 ${days} 天到期`,
    text: `${nodes.slice(0, 5).join('、')}${nodes.length > 5 ? ' 等' : ''}，${until} 到期`,
    link: paths.valueServices,
  }
}

/**
 * RENEW-6: notifies those who may see it 30, 7 and 1 days ahead, with one message for the company and one for
 * its nodes.
 */
export async function sendExpiryReminders(app: App, today: Day): Promise<void> {
  const endsByOwner = Map.groupBy(await findUpcomingEnds(app, today), end => end.ownerId)
  await forEachCompany(endsByOwner.keys(), ownerId =>
    app.database.tx(ownerId, async tx => {
      for (const end of endsByOwner.get(ownerId) ?? []) {
        await notify(tx, app, ownerId, createReminder(end))
      }
    }),
  )
}

export const expiryJobs = [
  defineCron({
    name: 'products-close',
    schedule: '*/10 * * * *',
    run: async app => {
      const orders = await closeUnpaidOrders(app)
      if (orders) {
        app.log.info({ orders }, 'orders closed unpaid')
      }
    },
  }),
  defineCron({
    name: 'products-remind',
    schedule: '30 8 * * *',
    run: app => sendExpiryReminders(app, dayOfMoment(fromInstant(app.clock()))),
  }),
  defineCron({
    name: 'products-expire',
    schedule: '6 0 * * *',
    run: app => expireSubscriptions(app, dayOfMoment(fromInstant(app.clock()))),
  }),
]
