import type { Id } from '#kit/domain/id.ts'
import { carScreens } from '#modules/parking/module.ts'
import { paths as paymentPaths } from '#modules/payments/module.ts'

/** The addresses of other modules' screens that this one links to. */
export const paths = {
  car: carScreens.paths.detail,
} as const

export const recordPath = (id: Id): string => paymentPaths.recordDetail.replace(':id', String(id))
