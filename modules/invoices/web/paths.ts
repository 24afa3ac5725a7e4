const basePath = '/finance/feebasesetting'

/** Where the screens of this module are. */
export const invoicePaths = {
  waiting: `${basePath}/invoicewaiting`,
  list: `${basePath}/invoiceList`,
  entries: `${basePath}/invoiceListrecord`,
  setting: `${basePath}/invoicesetting`,
} as const

export const invoicePath = (id: number): string => `${invoicePaths.list}/invoiceDetail?id=${id}`

/** Opens the dialog of invoicing for some payments. */
export const invoicingPath = (records: readonly (number | string)[], original?: number): string =>
  `${invoicePaths.waiting}?open=${records.join()}${original === undefined ? '' : `&original=${original}`}`
