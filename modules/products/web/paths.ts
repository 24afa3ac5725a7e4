import type { Id } from '#kit/domain/id.ts'
import { paths as modulePaths } from '../module.ts'

/** Where the screens of this module stand. */
export const paths = {
  ...modulePaths,
  product: (id: Id): string => `${modulePaths.productDetail}?id=${id}`,
  valueService: (id: Id): string => `${modulePaths.valueServiceDetail}?id=${id}`,
  valueOrder: (product: number, node?: number): string =>
    `${modulePaths.valueServiceOrder}?id=${product}${node ? `&node=${node}` : ''}`,
} as const
