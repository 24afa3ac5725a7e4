import { asFen, displayYuan, type Fen } from '#kit/domain/money.ts'

/** 长款 or 短款 with its amount; nothing where the cash is right. */
export const differenceText = (diff: Fen): string | undefined =>
  diff === 0 ? undefined : `${diff > 0 ? '长款' : '短款'} ${displayYuan(asFen(Math.abs(diff)))} 元`

/** A difference is never without its reason (PRK-10). */
export function handOverFault(diff: Fen, remark: string | undefined): string | undefined {
  const difference = differenceText(diff)
  return difference === undefined || remark?.trim() ? undefined : `${difference}，请填写交班说明`
}

/** Two counts of the same cash: the second one explains itself. */
export const confirmFault = (
  handAmount: Fen,
  confirmAmount: Fen,
  remark: string | undefined,
): string | undefined =>
  confirmAmount === handAmount || remark?.trim()
    ? undefined
    : `清点 ${displayYuan(confirmAmount)} 元，交班人实交 ${displayYuan(handAmount)} 元，请填写接班说明`
