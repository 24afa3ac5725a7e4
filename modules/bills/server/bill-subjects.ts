import type { Db } from '#kit/server/db.ts'
import { createOrderTexts } from './order-texts.ts'

/**
 * In a few words, what a bill is about that asks for the money of an order: who pays may read it, unlike the
 * remark of staff.
 */
export const { register: registerBillSubjects, find: findBillSubjects } = createOrderTexts<Db>()
