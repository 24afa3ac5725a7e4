const base = '/finance/feebasesetting'

/** Where the screens of this module are. */
export const places = {
  waiting: `${base}/invoicewaiting`,
  list: `${base}/invoiceList`,
  entries: `${base}/invoiceListrecord`,
  setting: `${base}/invoicesetting`,
} as const

export const seeInvoice = (id: number): string => `${places.list}/invoiceDetail?id=${id}`

/** Opens the dialog of invoicing for some payments. */
export const openFor = (records: readonly (number | string)[], original?: number): string =>
  `${places.waiting}?open=${records.join()}${original === undefined ? '' : `&original=${original}`}`
