import { yuan } from '#kit/web/figure.tsx'
import { refOf } from '#kit/web/refs.ts'
import { listAccounts } from '../../contract/account.ts'

/** Prestore accounts by owner or number; those of the form's project. */
export default refOf(listAccounts, {
  value: a => a.id,
  label: a => `${a.ownerName}（${a.feeItemName ?? '通用'}）`,
  note: a => `余额 ${yuan(a.balance)}`,
  off: a => (a.state === 'open' ? undefined : a.state === 'frozen' ? '已冻结' : '已销户'),
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  hangsOn: ['projectCode'],
})
