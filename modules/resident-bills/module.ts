import { defineModule, publicScreen } from '#kit/contract/module.ts'

export const paths = {
  /** The bills of a resident's home (`?t=`), the result of a payment (`&o=`), a receipt (`&r=`). */
  bills: '/home/bills',
} as const

export const manifest = defineModule({
  name: 'resident-bills',
  label: '住户账单',
  menus: {},
  screens: [{ path: paths.bills, title: '我的账单', ...publicScreen }],
})
