import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { displayYuan, parseYuan } from '#kit/domain/money.ts'
import { addDaysToMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { entryType } from '../contract/choices.ts'
import { menu, paths } from '../module.ts'
import { deductProject } from './deduction.ts'
import { isLowBalance } from './low-balance.ts'

const lowBalanceNotice = defineNotificationKind({
  key: 'prestore.low',
  label: '预存余额不足',
  group: 'notice',
})

const takeExpiredGifts = sqlFile(import.meta.dirname, 'expire-gifts.sql', [
  'at',
  'gift',
  'giftExpired',
  'live',
  'movedIn',
  'now',
  'operator',
  'operatorName',
  'ownerId',
  'project',
  'remark',
  'since',
])

/**
 * ACC-3: what is left of gifts older than so many days leaves the accounts. Gifts are spent oldest first, so
 * what a balance holds beyond the gifts of these days has expired: of 80 in March and 60 in November 100 are
 * left; once March is past, 40 expire. Uses prestore_account_gift. May run any number of times.
 */
export const expireGifts = (
  tx: Tx,
  scope: Scope,
  project: string,
  days: number,
  at: Moment,
): Promise<number> =>
  tx.execute(
    takeExpiredGifts({
      at,
      gift: code(entryType, 'gift'),
      giftExpired: code(entryType, 'giftExpired'),
      live: notDeleted(),
      movedIn: code(entryType, 'moveIn'),
      now: scope.time,
      operator: scope.operatorId,
      operatorName: scope.name,
      ownerId: scope.ownerId,
      project,
      remark: `赠送满 ${days} 天未用`,
      since: addDaysToMoment(at, -days),
    }),
  )

interface LowAccountRow {
  readonly name: string
  readonly sum: string
}

const maxListed = 5

/** Notifies of accounts that have fallen below their threshold, once until they hold enough again. */
export async function warnLowBalances(tx: Tx, app: App, scope: Scope, project: string): Promise<number> {
  await tx.execute(
    sql`
      update prestore_account t
      set run_warned = false
      where t.owner_id = ${scope.ownerId}
        and t.project_code = ${project}
        and t.run_warned
        and ${notDeleted('t')}
        and not coalesce(${isLowBalance(scope.ownerId)}, false)
    `,
  )
  const lowAccounts = await tx.rows<LowAccountRow>(
    sql`
      update prestore_account t
      set run_warned = true
      where t.owner_id = ${scope.ownerId}
        and t.project_code = ${project}
        and not t.run_warned
        and ${notDeleted('t')}
        and ${isLowBalance(scope.ownerId)}
      returning t.owner_name as name, (t.balance + t.gift_balance)::text as sum
    `,
  )
  if (lowAccounts.length) {
    await notify(tx, app, scope.ownerId, {
      kind: lowBalanceNotice,
      to: { permission: menu.account.permissions.view, project },
      project,
      title: `${lowAccounts.length} 个预存账户余额不足`,
      link: `${paths.accounts}?view=low&low=1`,
      text: `${lowAccounts
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .slice(0, maxListed)
        .map(a => `${a.name} 余 ${displayYuan(parseYuan(a.sum))} 元`)
        .join('；')}${lowAccounts.length > maxListed ? ' 等' : ''}。请提醒缴费人充值。`,
    })
  }
  return lowAccounts.length
}

interface ProjectRow {
  readonly ownerId: Id
  readonly project: string
  readonly auto: boolean
  readonly days?: number
}

/** Gifts expire first, then what is left pays bills, then low balances are notified. */
export async function runNightly(app: App, row: ProjectRow): Promise<void> {
  const now = fromInstant(app.clock())
  const scope = clockScope(app, row.ownerId)
  if (row.days) {
    await app.database.tx(row.ownerId, tx => expireGifts(tx, scope, row.project, defined(row.days), now))
  }
  if (row.auto) {
    await deductProject(app.database, row.ownerId, row.project, now)
  }
  await app.database.tx(row.ownerId, tx => warnLowBalances(tx, app, scope, row.project))
}

export const nightlyCron = defineCron({
  name: 'prestore-deduct',
  schedule: '0 3 * * *',
  run: async (app, signal) => {
    const projects = await app.database.reader('*').rows<ProjectRow>(
      sql`
          select distinct on (a.owner_id, a.project_code) a.owner_id, a.project_code as project,
            coalesce(s.auto_deduct, false) as auto, s.gift_days as days
          from prestore_account a
          left join prestore_switch s on s.owner_id = a.owner_id
            and s.project_code = a.project_code
            and ${notDeleted('s')}
          where ${notDeleted('a')}
          order by 1, 2
        `,
    )
    const projectsByOwner = Map.groupBy(projects, project => project.ownerId)
    await forEachCompany(
      projectsByOwner.keys(),
      async ownerId => {
        for (const project of projectsByOwner.get(ownerId) ?? []) {
          signal.throwIfAborted()
          await runNightly(app, project)
        }
      },
      signal,
    )
  },
})
