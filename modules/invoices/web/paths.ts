import type { Id } from '#kit/domain/id.ts'
import { paths as invoicePaths } from '../module.ts'

export { paths as invoicePaths } from '../module.ts'

export const invoicePath = (id: Id): string => `${invoicePaths.detail}?id=${id}`

/** Opens the dialog of invoicing for some payments. */
export const invoicingPath = (records: readonly (number | string)[], original?: number): string =>
  `${invoicePaths.waiting}?open=${records.join()}${original === undefined ? '' : `&original=${original}`}`
