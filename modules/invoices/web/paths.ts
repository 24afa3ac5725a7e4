import type { Id } from '#kit/domain/id.ts'

const basePath = '/finance/feebasesetting'

/** Where the screens of this module are. */
export const invoicePaths = {
  waiting: `${basePath}/invoicewaiting`,
  list: `${basePath}/invoiceList`,
  entries: `${basePath}/invoiceListrecord`,
  setting: `${basePath}/invoicesetting`,
} as const

export const invoicePath = (id: Id): string => `${invoicePaths.list}/invoiceDetail?id=${id}`

/** Opens the dialog of invoicing for some payments. */
export const invoicingPath = (records: readonly (number | string)[], original?: number): string =>
  `${invoicePaths.waiting}?open=${records.join()}${original === undefined ? '' : `&original=${original}`}`
