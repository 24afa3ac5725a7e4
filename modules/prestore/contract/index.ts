import * as account from './account.ts'
import {
  auditTransfer,
  cancelTransfer,
  listTransfers,
  prestoreTransfer,
  transferAccount,
} from './transfer.ts'
import * as words from './choices.ts'
import { exportAccounts, exportEntries, exportSummary, listSummary, sumSummary } from './summary.ts'

const transferCalls = [transferAccount, listTransfers, auditTransfer, cancelTransfer]

export const contract = {
  calls: [
    account.listAccounts,
    account.oneAccount,
    account.listEntries,
    account.receiptDetail,
    account.payInfo,
    account.getSwitch,
    account.saveSwitch,
    account.editAccount,
    account.freezeAccount,
    account.topUp,
    account.topUpOnline,
    account.refundAccount,
    ...transferCalls,
    account.deductRooms,
    listSummary,
    sumSummary,
    exportSummary,
    ...exportAccounts.calls,
    ...exportEntries.calls,
  ],
  entities: [account.prestoreAccount, account.prestoreEntry, account.prestoreSwitch, prestoreTransfer],
  choices: Object.values(words),
}
