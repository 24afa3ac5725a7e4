import { paths as own, smsScreens } from '../module.ts'
import { paths as products } from '#modules/products/module.ts'

/** The addresses of this module's screens, and where short messages are bought. */
export const paths = {
  ...own,
  add: smsScreens.paths.add,
  detail: smsScreens.paths.detail,
  buy: products.buySms,
} as const
