import { registerDependentRows } from '#kit/server/dependents.ts'
import { sql } from '#kit/server/db.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import type { WechatAccount } from '../contract/account.ts'
import { massState } from '../contract/choices.ts'
import type { WechatImageGroup, WechatMaterial } from '../contract/material.ts'

registerDependentRows('wechatAccount', {
  label: '绑定的项目',
  table: 'wechat_estate',
  where: (account: WechatAccount) => sql`account_id = ${account.id} and ${notDeleted()}`,
})

registerDependentRows('wechatAccount', {
  label: '发送中的群发',
  table: 'wechat_mass',
  where: (account: WechatAccount) =>
    sql`account_id = ${account.id} and state in ${codes(massState, 'waiting', 'sending')}`,
})

registerDependentRows('wechatMaterial', {
  label: '自动回复',
  table: 'wechat_reply',
  where: (material: WechatMaterial) => sql`material_id = ${material.id} and ${notDeleted()}`,
})

registerDependentRows('wechatImageGroup', {
  label: '素材',
  table: 'wechat_material',
  where: (group: WechatImageGroup) => sql`group_id = ${group.id} and ${notDeleted()}`,
})
