import type { Id } from '#kit/domain/id.ts'
import { paths as billPaths } from '#modules/bills/module.ts'
import { paths as modulePaths } from '../module.ts'

/** The addresses of this module's screens, and of screens of other modules that they link to. */
export const paths = {
  ...modulePaths,
  generate: billPaths.generate,
  /** Unpaid bills that the old price made (FEE-6). */
  reprice: billPaths.reprice,
} as const

/** A first price that was always there has no day of its own to show. */
export const formatSince = (day: string | undefined): string =>
  day === undefined ? '' : day === '2000-01-01' ? '一直' : day

export const pathWithId = (path: string, id: Id): string => `${path}?id=${id}`
