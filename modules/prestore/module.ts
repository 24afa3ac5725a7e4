import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('prestore', {
  account: { label: '预存账户', buttons: { topUp: '充值', refund: '退款', transfer: '转账', deduct: '冲抵', freeze: '冻结', export: '导出' } },
  setting: { label: '预存设置' },
})

export const plate = nameplate({ name: 'prestore', label: '预存', menus: menu, screens: [] })
