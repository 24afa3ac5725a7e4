import type { Fen } from '#kit/domain/money.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'

/** A large amount of change is more often a typing error than a large note. */
export const confirmChange = async (change: Fen, limit: Fen): Promise<boolean> =>
  change <= limit ||
  (await confirm({
    title: `找零 ${displayYuanWithSymbol(change)}`,
    text: `找零超过 ${displayYuanWithSymbol(limit)}，请核对实收金额后再收款。`,
    okLabel: '确认收款',
    cancelLabel: '返回修改',
    isBackSafe: true,
  }))
