import { displayYuan } from '#kit/domain/money.ts'
import { minutesOfDay } from './stay-minutes.ts'
import type { StayFee } from './stay-fee.ts'

/** `1 天 2 小时 5 分钟` */
export function durationText(minutes: number): string {
  const parts = [
    [Math.floor(minutes / minutesOfDay), '天'],
    [Math.floor((minutes % minutesOfDay) / 60), '小时'],
    [minutes % 60, '分钟'],
  ] as const
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(' ') || '0 分钟'
  )
}

const shownBlocks = 3

/** What a cashier tells a driver: how long, how much, and why. */
export function feeSentence({ minutes, fee, blocks }: StayFee): string {
  const head = `停留 ${durationText(minutes)}，应收 ${displayYuan(fee)} 元`
  if (blocks.length <= 1) return blocks[0] ? `${head}：${blocks[0].reason}` : head
  const shown = blocks
    .slice(0, shownBlocks)
    .map((block, i) => `第 ${i + 1} 段 ${displayYuan(block.fee)}（${block.reason}）`)
  const more = blocks.length > shownBlocks ? `，共 ${blocks.length} 段` : ''
  return `${head}：${shown.join('；')}${more}`
}
