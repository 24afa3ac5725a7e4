import type { Id } from '#kit/domain/id.ts'
import { paths as modulePaths } from '../module.ts'

/** The addresses of this module's screens. */
export const paths = {
  ...modulePaths,
  product: (id: Id): string => `${modulePaths.productDetail}?id=${id}`,
  valueService: (id: Id): string => `${modulePaths.valueServiceDetail}?id=${id}`,
  valueOrder: (product: number, node?: number): string =>
    `${modulePaths.valueServiceOrder}?id=${product}${node ? `&node=${node}` : ''}`,
} as const
