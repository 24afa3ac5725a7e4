import * as account from './account.ts'
import * as words from './choices.ts'
import { exportAccounts, exportEntries, exportSummary, listSummary, sumSummary } from './summary.ts'

export const contract = {
  calls: [account.listAccounts, account.oneAccount, account.listEntries, account.receiptDetail, account.payInfo, account.getSwitch, account.saveSwitch, account.editAccount, account.freezeAccount, account.topUp, account.refundAccount, account.transferAccount, account.deductRooms, listSummary, sumSummary, exportSummary, ...exportAccounts.calls, ...exportEntries.calls],
  entities: [account.prestoreAccount, account.prestoreEntry, account.prestoreSwitch],
  choices: Object.values(words),
}
