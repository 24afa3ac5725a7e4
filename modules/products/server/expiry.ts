import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { updateSubscriptions } from '#modules/accounts/server/public.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { menu } from '../module.ts'
import { reminderDays } from '../domain/subscription.ts'
import { refreshClosedModules } from './property-app.ts'

/**
 * RENEW-3: orders that nobody paid in time are closed, and what they were to open is taken back. How many.
 */
export async function closeUnpaidOrders(app: App): Promise<number> {
  const at = new Date(app.clock())
  const isLate = sql`state = 10 and close_time <= ${at}`
  const closed = await forEachDueCompany(
    app.database,
    sql`select distinct owner_id from product_order where ${isLate}`,
    (tx, ownerId) =>
      tx.rows<{ id: number }>(sql`
        with late as (
          update product_order
          set state = 40, version = version + 1, update_time = ${at}
          where owner_id = ${ownerId} and ${isLate}
          returning id
        ),
          gone as (
            update increment_node n
            set delete_tag = 1, version = n.version + 1, update_time = ${at}
            from late l
            where n.owner_id = ${ownerId} and n.order_id = l.id and n.state = 30 and ${live('n')}
            returning n.id
          )
        select id from late
      `),
  )
  return closed.flat().length
}

/** RENEW-5: what ended yesterday says so: nodes, companies, and the modules of applications of their own. */
export const expireSubscriptions = (app: App, today: Day): Promise<void> =>
  app.database.tx('*', async tx => {
    await tx.execute(
      sql`
        update increment_node
        set state = 20, version = version + 1, update_time = now()
        where state = 10 and expire_date < ${today}::date and ${live()}
      `,
    )
    const over = await tx.rows<{ ownerId: number }>(
      sql`select owner_id from property where state = 10 and expire_date < ${today}::date and ${live()}`,
    )
    await updateSubscriptions(
      tx,
      app,
      over.map(({ ownerId }) => ({ ownerId, state: 'expired' })),
    )
    const apps = await tx.rows<{ ownerId: number }>(
      sql`select distinct owner_id from property_app where expire_date < ${today}::date and ${live()}`,
    )
    await refreshClosedModules(
      tx,
      app,
      apps.map(a => a.ownerId),
      today,
    )
  })

const expiringKind = defineNotificationKind({
  key: 'products.ending',
  label: '账户与增值服务到期',
  group: 'notice',
  level: 'important',
})

/**
 * RENEW-6: tells who may see it, 30, 7 and 1 days ahead, one message a company for itself and one for its
 * nodes.
 */
export const sendExpiryReminders = async (app: App, today: Day): Promise<void> => {
  const ends = await app.database.reader('*').rows<{
    ownerId: number
    days: number
    until: Day
    nodes?: string[]
  }>(sql`
    select owner_id, expire_date - ${today}::date as days, expire_date as until, null::text[] as nodes
    from property
    where state = 10 and ${live()} and expire_date - ${today}::date = any(${[...reminderDays]}::int[])
    union all
    select owner_id, expire_date - ${today}::date, expire_date, array_agg(node_name order by id)
    from increment_node
    where state = 10
      and ${live()}
      and expire_date = any(select ${today}::date + d from unnest(${[...reminderDays]}::int[]) d)
    group by owner_id, expire_date
  `)
  for (const e of ends) {
    await app.database.tx(e.ownerId, tx =>
      notify(
        tx,
        app,
        e.ownerId,
        e.nodes
          ? {
              kind: expiringKind,
              to: { may: menu.increment.permissions.view },
              title: `${e.nodes.length} 项增值服务还有 ${e.days} 天到期`,
              text: `${e.nodes.slice(0, 5).join('、')}${e.nodes.length > 5 ? ' 等' : ''}，${e.until} 到期`,
              link: '/setting/ValueAddCenter/ValueAddCenter',
            }
          : {
              kind: expiringKind,
              to: { may: menu.renewal.permissions.view },
              title: `公司账户还有 ${e.days} 天到期`,
              text: `${e.until} 到期，请及时续费`,
              link: '/setting/permission/personcenter/userRenew',
            },
      ),
    )
  }
}

export const expiryJobs = [
  defineCron({
    name: 'products-close',
    schedule: '*/10 * * * *',
    run: async app => {
      const n = await closeUnpaidOrders(app)
      if (n) {
        app.log.info({ orders: n }, 'orders closed unpaid')
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
