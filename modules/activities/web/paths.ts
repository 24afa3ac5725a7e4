import type { Id } from '#kit/domain/id.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { cashierAddress, paths as paymentPaths } from '#modules/payments/module.ts'
import type { ActivitySign } from '../contract/sign.ts'

/** The cashier with the bills of the room open. */
export const cashierPath = ({ roomCode, projectCode }: ActivitySign): string =>
  cashierAddress(sourceType.rows.room[0], roomCode, projectCode)

/** The payment, from which it is refunded. */
export const paymentPath = (id: Id): string => paymentPaths.recordDetail.replace(':id', String(id))
