import { randomBytes } from 'node:crypto'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import { wechatAccount } from '#modules/wechat/contract/account.ts'
import { wechatEstate } from '#modules/wechat/contract/estate-binding.ts'
import { wechatMenu } from '#modules/wechat/contract/menu.ts'
import { wechatReply } from '#modules/wechat/contract/reply.ts'
import { wechatTemplate } from '#modules/wechat/contract/template.ts'
import { saveSecrets } from '#modules/wechat/server/platform/account-store.ts'
import { newAesKey, newToken } from '#modules/wechat/server/platform/crypto.ts'

const replies = [
  {
    ruleName: '欢迎',
    event: 'follow',
    replyContent: '您好，欢迎关注锦绣花园物业服务。回复「停水」「报修」查看说明。',
  },
  { ruleName: '默认', event: 'otherwise', replyContent: '请回复「停水」「报修」，或致电物业服务中心。' },
  {
    ruleName: '停水',
    event: 'keyword',
    keywords: ['停水'],
    matchType: 'exact',
    replyContent: '明天 9:00 至 17:00 停水，请提前储水。',
  },
  {
    ruleName: '报修',
    event: 'keyword',
    keywords: ['报修', '维修'],
    matchType: 'contains',
    replyContent: '请致电物业服务中心，或到前台登记。',
  },
] as const

/** An official account of the simulated platform, with replies, a menu and a template; bound to an estate. */
export async function seedWechat(
  tx: Tx,
  scope: Scope,
  { projectCode, dataDir }: { readonly projectCode: string; readonly dataDir: string },
): Promise<void> {
  const account = await insert(tx, wechatAccount, scope, {
    mpName: '锦绣物业服务',
    mpType: 'service',
    appId: `wx${randomBytes(8).toString('hex')}`,
    originalId: 'gh_demo',
    simulated: true,
    messageMode: 'encrypted',
  })
  await saveSecrets(tx, { dataDir }, scope.ownerId, account.id, {
    secret: randomBytes(16).toString('hex'),
    token: newToken(),
    aesKey: newAesKey(),
  })
  const accountId = account.id
  await insert(tx, wechatEstate, scope, { projectCode, accountId, bindTime: fromInstant(Date.now()) })
  await insertAll(
    tx,
    wechatReply,
    scope,
    replies.map((reply, sort) => ({
      ...reply,
      accountId,
      replyType: 'text' as const,
      sort,
      state: 'on' as const,
    })),
  )
  await insert(tx, wechatMenu, scope, {
    accountId,
    buttons: [
      { name: '停水通知', type: 'keyword', keyword: '停水' },
      { name: '服务', children: [{ name: '报修', type: 'keyword', keyword: '报修' }] },
    ],
  })
  await insert(tx, wechatTemplate, scope, {
    accountId,
    event: 'notice',
    templateId: 'tmpl-notice',
    templateTitle: '物业公告提醒',
    fieldValues: [
      { name: 'thing1', value: '{title}' },
      { name: 'time2', value: '{time}' },
    ],
    state: 'on',
  })
}
