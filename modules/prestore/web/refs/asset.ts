import { displayYuan } from '#kit/web/numbers.tsx'
import { createRefSource } from '#kit/web/refs.ts'
import { listAccounts } from '../../contract/account.ts'

/** Prestore accounts by owner or number; those of the form's project. */
export default createRefSource(listAccounts, {
  value: a => a.id,
  label: a => `${a.ownerName}（${a.feeItemName ?? '通用'}）`,
  note: a => `余额 ${displayYuan(a.balance)}`,
  disabledReason: a => (a.state === 'open' ? undefined : a.state === 'frozen' ? '已冻结' : '已销户'),
  ofFormProject: true,
})
