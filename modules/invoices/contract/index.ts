import * as words from './choices.ts'
import { addInvoice, cancelInvoice, editInvoice, issueInvoices, listWaiting, openInvoice, openable, redInvoice, redInvoices } from './open.ts'
import { askInvoice, exportInvoices, invoiceFile, invoicePart, invoiceRecord, listEntries, listInvoices, oneInvoice } from './record.ts'
import { addGood, addSet, deleteGoods, editGood, editSet, invoiceGood, invoiceSet, listGoods, listSets, oneGood, ownerSet, productList } from './set.ts'
import { deleteTitles, editTitle, invoiceTitle, listTitles } from './title.ts'

export const contract = {
  calls: [
    ownerSet, listSets, addSet, editSet, productList, listGoods, oneGood, addGood, editGood, deleteGoods, listTitles, editTitle, deleteTitles,
    listWaiting, openable, openInvoice, addInvoice, editInvoice, issueInvoices, redInvoice, redInvoices, cancelInvoice, listInvoices, oneInvoice, listEntries, askInvoice, invoiceFile, ...exportInvoices.calls,
  ],
  entities: [invoiceSet, invoiceGood, invoiceTitle, invoiceRecord, invoicePart],
  choices: Object.values(words),
}
