import type { MoveContext } from '#modules/residents/server/public.ts'
import type { Bill } from '../contract/bill.ts'

/** Whether a bill is owed, or was paid, by the people or the company who move. */
export const isOwedByMover = (m: MoveContext, row: Pick<Bill, 'payerKind' | 'payerId'>): boolean =>
  m.kind === 'moveOut'
    ? row.payerKind === 'company' && row.payerId === m.company?.id
    : row.payerKind === 'resident' && m.residencies.some(l => l.userId === row.payerId)
