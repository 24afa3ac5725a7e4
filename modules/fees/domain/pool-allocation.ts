import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { parseExact, sumExact, formatExact } from '#kit/domain/exact.ts'
import { splitByWeight, subtractFen, type Fen } from '#kit/domain/money.ts'
import { daysIn, type Month } from '#kit/domain/month.ts'
import { daysOf, intersect, periodOfMonth, type Period } from '#kit/domain/period.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { weightType } from '../contract/choices.ts'
import { divide, fraction, fractionOf, parseFraction, multiply, formatFraction } from './fraction.ts'
import { roundLine, defaultRounding } from './rounding.ts'
import type { Snapshot } from './snapshot.ts'

/** SHR-1 */
export interface Pool {
  readonly id: Id
  readonly month: Month
  readonly weight: ChoiceOf<typeof weightType>
  /** Entered, or usage × price; neither: POOL_MISSING. */
  readonly total?: Fen | undefined
  readonly usage?: Decimal | undefined
  readonly price?: Decimal | undefined
  readonly vacantIncluded: boolean
  /** SHR-6: who was there for part of the month carries part of the weight. */
  readonly dayWeight: boolean
  /** Bills of it are live; some of them paid. */
  readonly billed?: 'unpaid' | 'paid' | undefined
}

/** A room with a live relation to the share standard on the month's last day (SHR-4), in room sequence. */
export interface PoolParticipant {
  readonly relationId: Id
  readonly weight?: Decimal | undefined
  readonly vacant: boolean
  readonly range?: Period | undefined
}

export interface PoolShare {
  readonly relationId: Id
  readonly amount: Fen
  readonly snapshot: Snapshot
}

export interface PoolAllocation {
  readonly shares: readonly PoolShare[]
  readonly excluded: readonly { readonly relationId: Id; readonly reason: 'vacant' | 'weightMissing' }[]
  readonly total: Fen
}

const weightUnits: Readonly<Record<Pool['weight'], string>> = {
  area: '㎡',
  household: '户',
  usage: '',
  people: '人',
  factor: '',
  floor: '层',
}

/** A pool's amount: as entered, or usage × price rounded to the fen; nothing when neither is there. */
export const computePoolTotal = ({
  total,
  usage,
  price,
}: Pick<Pool, 'total' | 'usage' | 'price'>): Fen | undefined =>
  total ??
  (usage === undefined || price === undefined
    ? undefined
    : roundLine(multiply(parseFraction(usage), parseFraction(price)), defaultRounding))

/** Why a pool cannot be allocated now, as a message (SHR-1, SHR-5; T-SHR-05). */
export function poolRefusal(pool: Pool): string | undefined {
  if (pool.billed === 'unpaid') return '公摊已生成：请先作废该批次账单，再重新分摊'
  if (pool.billed === 'paid') return '公摊已生成且有账单已缴：请为差额另建一个更正公摊池'
  const total = computePoolTotal(pool)
  return total === undefined || total <= 0 ? '缺公摊总额：请填写总额，或填写用量和单价' : undefined
}

/** Who takes part with which weight, and who is left out (SHR-4, SHR-6). */
function weighParticipants(pool: Pool, participants: readonly PoolParticipant[]) {
  const month = periodOfMonth(pool.month)
  const daysOfMonth = daysIn(pool.month)
  const excluded: { relationId: Id; reason: 'vacant' | 'weightMissing' }[] = []
  const taking: { relationId: Id; weight: string }[] = []
  for (const participant of participants) {
    const weight = pool.weight === 'household' ? '1' : participant.weight
    const days =
      pool.dayWeight && participant.range
        ? (part => (part ? daysOf(part) : 0))(intersect(participant.range, month))
        : daysOfMonth
    if (participant.vacant && !pool.vacantIncluded) {
      excluded.push({ relationId: participant.relationId, reason: 'vacant' })
    } else if (weight === undefined || !/^\d*\.?\d*$/.test(weight) || !/[1-9]/.test(weight) || days === 0) {
      excluded.push({ relationId: participant.relationId, reason: 'weightMissing' })
    }
    // A common factor changes no share: weight × days instead of weight × days / n keeps the weights decimal.
    else {
      taking.push({
        relationId: participant.relationId,
        weight: pool.dayWeight
          ? formatExact({ units: parseExact(weight).units * BigInt(days), scale: parseExact(weight).scale })
          : weight,
      })
    }
  }
  return { excluded, taking }
}

/**
 * Shares a pool to the fen by largest remainder, ties to the earlier room (SHR-3): Σ = total exactly.
 * T-SHR-01: 300.00 over 88.56 / 120.33 / 67.20 → 96.23 / 130.75 / 73.02. Rooms without weight are left out
 * and listed. Throws RangeError with a text for people when refused or when no one takes part (SHR-4).
 */
export function allocatePool(pool: Pool, participants: readonly PoolParticipant[]): PoolAllocation {
  const no = poolRefusal(pool)
  if (no) throw new RangeError(no)
  const total = defined(computePoolTotal(pool))
  const { excluded, taking } = weighParticipants(pool, participants)
  if (!taking.length) throw new RangeError('无可分摊房屋：请检查公摊范围和各房屋的分摊权重')
  const weights = taking.map(t => parseExact(t.weight))
  const totalWeight = sumExact(weights)
  const amounts = splitByWeight(total, weights)
  const unit = pool.dayWeight ? '' : weightUnits[pool.weight]
  return {
    total,
    excluded,
    shares: taking.map(({ relationId, weight }, i) => {
      const amount = defined(amounts[i])
      const top =
        BigInt(total) *
        defined(weights[i]).units *
        10n ** BigInt(totalWeight.scale - defined(weights[i]).scale)
      const remainderFen = amount > Number(top / totalWeight.units) ? 1 : 0
      const share = {
        pool: pool.id,
        total,
        weight,
        weights: formatExact(totalWeight),
        odd: remainderFen,
        unit,
      } as const
      return {
        relationId,
        amount,
        snapshot: {
          type: 'share',
          parts: [],
          share,
          exact: formatFraction(
            divide(multiply(fraction(total, 100), fractionOf(defined(weights[i]))), fractionOf(totalWeight)),
          ),
          rounding: defaultRounding,
          amount,
        },
      }
    }),
  }
}

/**
 * What a correction pool must hold when bills of the old one are paid (SHR-5): the new total less the old
 * one.
 */
export const computeCorrection = (billed: Fen, right: Fen): Fen => subtractFen(right, billed)
