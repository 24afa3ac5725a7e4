import type { Id } from '#kit/domain/id.ts'
import { merchantScreens } from '#modules/merchants/module.ts'
import { paths as own } from '../module.ts'

export const paths = { ...own, merchant: merchantScreens.paths.detail } as const

/** The purchase of one merchant. */
export const buyPath = (merchantId: Id): string => `${own.buy}?merchant=${merchantId}`
