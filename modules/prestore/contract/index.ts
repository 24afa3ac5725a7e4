import * as account from './account.ts'
import * as entry from './entry.ts'
import * as setting from './setting.ts'
import {
  auditTransfer,
  cancelTransfer,
  listTransfers,
  prestoreTransfer,
  transferAccount,
} from './transfer.ts'
import * as choices from './choices.ts'
import { exportAccounts, exportEntries, exportSummary, listSummary, getSummaryTotal } from './summary.ts'

const transferCalls = [transferAccount, listTransfers, auditTransfer, cancelTransfer]

export const contract = {
  base: 'finance/v1',
  calls: [
    account.listAccounts,
    account.getAccount,
    entry.listEntries,
    entry.getPrestoreReceipt,
    account.getPayInfo,
    setting.getPrestoreSetting,
    setting.savePrestoreSetting,
    account.editAccount,
    account.freezeAccount,
    account.topUp,
    account.topUpOnline,
    account.refundAccount,
    ...transferCalls,
    account.deductRooms,
    listSummary,
    getSummaryTotal,
    exportSummary,
    ...exportAccounts.calls,
    ...exportEntries.calls,
  ],
  entities: [account.prestoreAccount, entry.prestoreEntry, setting.prestoreSetting, prestoreTransfer],
  choices: Object.values(choices),
}
