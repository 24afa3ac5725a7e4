import type { Tx } from '#kit/server/db.ts'
import type { BillAction } from '../domain/actions.ts'
import { createOrderTexts } from './order-texts.ts'

/**
 * Why nothing is owed any more for an order that ended: no bill of it is made effective again, nor replaced
 * by a new one. The bills are locked.
 */
export const { register: registerOrderRefusals, find: findOrderRefusals } = createOrderTexts<Tx>()

/** Whether an action makes bills owed that were not. */
export const isReviving = (action: BillAction): boolean =>
  action === 'recover' || action === 'reverseWriteOff'
