import { declareContract } from '#kit/contract/module-contract.ts'
import * as account from './account.ts'
import * as choices from './choices.ts'
import * as entry from './entry.ts'
import * as setting from './setting.ts'
import * as summary from './summary.ts'
import * as transfer from './transfer.ts'

export const contract = {
  base: 'finance/v1',
  ...declareContract(account, choices, entry, setting, summary, transfer),
}
