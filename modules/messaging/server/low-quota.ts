import type { Permission } from '#kit/contract/call.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'

const lowKind = defineNotificationKind({ key: 'messaging.lowQuota', label: '短信余量不足', group: 'todo' })

/** Who may buy short messages, and where. */
export interface SmsShop {
  readonly permission: Permission
  readonly path: string
}

let shop: SmsShop | undefined

/** The module that sells short messages says so, once, as it is loaded. */
export const registerSmsShop = (registered: SmsShop): void => {
  shop = registered
}

const usable = sql`total_count - used_count - frozen_count`
const isLow = sql`${usable} <= warn_count`

/** Notes that the balance has fallen, or is enough again. Returns it where it has changed so. */
const takeLow = (tx: Tx, ownerId: Id): Promise<{ usable: number; warnCount: number } | undefined> =>
  tx.one(sql`
    update sms_account
    set run_warned = not run_warned
    where owner_id = ${ownerId} and ${notDeleted()} and run_warned <> (${isLow})
    returning ${usable} as usable, warn_count
  `)

async function warnCompany(app: App, tx: Tx, ownerId: Id): Promise<void> {
  const low = await takeLow(tx, ownerId)
  if (!low || low.usable > low.warnCount) return
  if (!shop) return
  await notify(tx, app, ownerId, {
    kind: lowKind,
    to: { permission: shop.permission },
    title: `短信余量 ${low.usable} 条，已不多于预警值 ${low.warnCount} 条`,
    text: '余量用完后短信不能发送，请及时购买。预警值在“短信管理 › 短信额度”中修改。',
    link: shop.path,
  })
}

/** Once for each time that the balance falls to the value, whatever used it up. */
export async function warnOfLowQuota(app: App): Promise<void> {
  await forEachDueCompany(
    app.database,
    sql<{ ownerId: Id }>`
      select owner_id from sms_account where ${notDeleted()} and run_warned <> (${isLow})
    `,
    (tx, ownerId) => warnCompany(app, tx, ownerId),
  )
}

export const lowQuotaCron = defineCron({
  name: 'messages-low-quota',
  schedule: '* * * * *',
  run: warnOfLowQuota,
})
