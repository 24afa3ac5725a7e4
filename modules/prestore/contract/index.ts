import * as account from './account.ts'
import {
  auditTransfer,
  cancelTransfer,
  listTransfers,
  prestoreTransfer,
  transferAccount,
} from './transfer.ts'
import * as words from './choices.ts'
import { exportAccounts, exportEntries, exportSummary, listSummary, getSummaryTotal } from './summary.ts'

const transferCalls = [transferAccount, listTransfers, auditTransfer, cancelTransfer]

export const contract = {
  calls: [
    account.listAccounts,
    account.getAccount,
    account.listEntries,
    account.getPrestoreReceipt,
    account.getPayInfo,
    account.getPrestoreSetting,
    account.savePrestoreSetting,
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
  entities: [account.prestoreAccount, account.prestoreEntry, account.prestoreSetting, prestoreTransfer],
  choices: Object.values(words),
}
