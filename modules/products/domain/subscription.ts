import type { Id } from '#kit/domain/id.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { addMonths, type Day } from '#kit/domain/day.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { boundedFen, type Fen } from '#kit/domain/money.ts'
import { orderState, type holdingState } from '../contract/labels.ts'

type OrderState = ChoiceOf<typeof orderState>

/** Months that can be bought at once. */
export const termMonths = [1, 3, 6, 12, 24, 36] as const

/**
 * RENEW-1: unit price × what is counted × time; without time, unit price × pieces. 58.00 × 3 projects × 12
 * months = 2088.00. Fen.
 */
export const calculateAmount = (price: Fen, quantity: number, months = 1): Fen =>
  boundedFen(price * quantity * months)

/** RENEW-1: a company without projects pays for one. */
export const countChargedEstates = (estates: number): number => Math.max(1, estates)

/**
 * RENEW-2: from the old end while it has not passed, from today otherwise; the same day of the month, or its
 * last. 2027-01-31 + 1 → 2027-02-28.
 */
export const calculateNewExpiry = (old: Day | undefined, today: Day, months: number): Day =>
  addMonths(old !== undefined && old >= today ? old : today, months)

/** The last day still counts. */
export const hasExpired = (until: Day | undefined, today: Day): boolean =>
  until !== undefined && until < today

/** RENEW-3: paid, cancelled and closed are final. */
export const orderStateMachine = defineStateMachine<OrderState>(
  { pending: ['paid', 'cancelled', 'closed'], paid: [], cancelled: [], closed: [] },
  { state: s => orderState.rows[s][1] },
)

/** Hours in which an order can be paid. */
export const payableHours = 24

/** SEAT-1: why so many seats cannot be in use, or undefined. */
export const findSeatsFault = (used: number, isOpen: number): string | undefined =>
  used <= isOpen
    ? undefined
    : isOpen
      ? `已开通 ${isOpen} 席，都在使用；请先停用一个，或到增值服务增加坐席`
      : '尚未开通呼叫坐席，请先到增值服务开通'

/** RENEW-6: days before an end date on which reminders are sent. */
export const reminderDays = [30, 7, 1] as const

/** RENEW-4: the current edition can be renewed; any edition once it has ended, and from a trial. */
export const canChooseEdition = (
  newEdition: Edition,
  now: Edition,
  until: Day | undefined,
  today: Day,
): boolean => newEdition !== 'trial' && (newEdition === now || now === 'trial' || hasExpired(until, today))

export type Edition = 'trial' | 'standard' | 'professional'

/** An application of the catalogue, and what a company took of it. */
export interface ProductApp {
  readonly id: Id
  readonly modules: readonly string[]
}

export interface SubscribedApp {
  readonly productId: Id
  readonly enabled: boolean
  readonly expireDate?: Day | undefined
}

/**
 * PERM-2: the state of an application for a company. Trial and professional include all; standard those that
 * it subscribed to.
 */
export function resolveAppState(
  edition: Edition,
  taken: SubscribedApp | undefined,
  today: Day,
): ChoiceOf<typeof holdingState> {
  const included = edition !== 'standard'
  if (!included && taken?.expireDate === undefined) return 'none'
  if (!included && hasExpired(taken?.expireDate, today)) return 'expired'
  return taken?.enabled === false ? 'off' : 'open'
}

/**
 * PERM-2: the modules that a company does not have: those of applications that are not open, less those that
 * an open one includes too.
 */
export function findClosedModules(
  edition: Edition,
  apps: readonly ProductApp[],
  taken: readonly SubscribedApp[],
  today: Day,
): string[] {
  const takenByProduct = new Map(taken.map(t => [t.productId, t]))
  const isOpen = (a: ProductApp): boolean =>
    resolveAppState(edition, takenByProduct.get(a.id), today) === 'open'
  const kept = new Set(apps.filter(isOpen).flatMap(a => a.modules))
  return [...new Set(apps.filter(a => !isOpen(a)).flatMap(a => a.modules))]
    .filter(m => !kept.has(m))
    .toSorted()
}
