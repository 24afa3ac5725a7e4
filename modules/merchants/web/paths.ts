import { paths as coupons } from '#modules/merchant-coupons/module.ts'

/** Where a phone signs in with an account of a merchant, whose company the address names. */
export const signInPathOf = (ownerId: number): string => `${coupons.shop}?c=${ownerId}`
