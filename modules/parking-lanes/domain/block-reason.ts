import { asFen, displayYuan, type Fen } from '#kit/domain/money.ts'
import type { Prices } from './fee-terms.ts'

export interface BlockFigures {
  /** What is not of the night. */
  readonly day: {
    readonly minutes: number
    readonly hasFirst: boolean
    readonly steps: number
    readonly fee: number
  }
  readonly nights: number
  readonly nightMinutes: number
  readonly freeMinutes: number
  readonly uncapped: number
  readonly fee: Fen
  readonly prices: Prices
  readonly isHoliday: boolean
}

const yuan = (fen: number): string => displayYuan(asFen(fen))

function nightText({ nights, nightMinutes, prices }: BlockFigures): string | undefined {
  if (nights > 0) return `夜间 ${yuan(prices.nightFee)}${nights > 1 ? `×${nights}` : ''}`
  return nightMinutes > 0 ? '夜间已在前一段收取' : undefined
}

/** A sentence that a cashier can read to a driver: `首 60 分钟 5.00，每 60 分钟 2.00×3，按封顶 10.00`. */
export function blockReason(figures: BlockFigures): string {
  const { day, prices, isHoliday, freeMinutes, uncapped, fee } = figures
  const parts = [
    isHoliday ? '节假日' : undefined,
    freeMinutes > 0 ? `免费 ${freeMinutes} 分钟` : undefined,
    day.hasFirst ? `首 ${prices.firstMinutes} 分钟 ${yuan(prices.firstFee)}` : undefined,
    day.steps > 0 ? `每 ${prices.stepMinutes} 分钟 ${yuan(prices.stepFee)}×${day.steps}` : undefined,
    nightText(figures),
    fee < uncapped ? `合计 ${yuan(uncapped)}，按封顶 ${yuan(fee)}` : undefined,
  ]
  return parts.filter(part => part !== undefined).join('，')
}
