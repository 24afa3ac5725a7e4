import { menus, defineModule, publicScreen } from '#kit/contract/module.ts'

export const menu = menus('parking-payments', {
  payment: { label: '停车扫码缴费', buttons: { print: '打印二维码' } },
})

export const paths = {
  /** The page of a driver, by the code of a car park or of a lane (`?t=`); outside the shell. */
  pay: '/parkpay',
} as const

export const manifest = defineModule({
  name: 'parking-payments',
  label: '停车缴费',
  menus: menu,
  screens: [{ path: paths.pay, title: '停车缴费', ...publicScreen }],
})
