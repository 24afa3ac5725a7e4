import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('residents', {
  resident: { label: '住户管理', buttons: { import: '导入', export: '导出', mobile: '改手机号', merge: '合并' } },
  link: { label: '入住与迁出', buttons: { audit: '审核', checkout: '迁出', checkin: '再次入住', transfer: '过户' } },
  block: { label: '黑名单' },
  card: { label: '门禁卡与人脸', buttons: { import: '导入' } },
})

export const plate = nameplate({ name: 'residents', label: '住户', menus: menu, screens: [] })
