import type { Id } from '#kit/domain/id.ts'
import type { Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { BoothPayMethod } from '../contract/choices.ts'
import type { ParkingStay } from '../contract/stay.ts'

/** Money that a booth took for a stay. */
export interface BoothPayment {
  readonly stay: ParkingStay
  readonly chargeId: Id
  readonly amount: Fen
  readonly payMethod: BoothPayMethod
  readonly explanation: string
  readonly at: Moment
}

/** In the transaction that takes it. */
export const [onBoothPayment, publishBoothPayment] =
  defineEvent<[tx: Tx, scope: Scope, payment: BoothPayment]>()
