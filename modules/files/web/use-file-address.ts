import { useSearchParams } from 'react-router'
import { parseId, type Id } from '#kit/domain/id.ts'

export const pageSizes = [60, 120, 300, 600] as const
const defaultOrder = 'name'

export interface FileAddress {
  readonly dirId: Id
  readonly keyword: string
  readonly label: string
  readonly order: string
  readonly page: number
  readonly size: number
}

/** The members of FileAddress, with their parameter names. */
const parts = [
  ['dirId', 'dir'],
  ['keyword', 'q'],
  ['label', 'label'],
  ['order', 'order'],
  ['page', 'page'],
  ['size', 'size'],
] as const satisfies readonly (readonly [keyof FileAddress, string])[]
const initial: FileAddress = {
  dirId: 0,
  keyword: '',
  label: '',
  order: defaultOrder,
  page: 1,
  size: pageSizes[0],
}

function readAddress(params: URLSearchParams): FileAddress {
  const text = (name: (typeof parts)[number][1]): string => params.get(name) ?? ''
  const size = Number(text('size'))
  return {
    dirId: parseId(text('dir')),
    keyword: text('q'),
    label: text('label'),
    order: text('order') || defaultOrder,
    page: Math.max(1, Math.floor(Number(text('page'))) || 1),
    size: pageSizes.find(each => each === size) ?? initial.size,
  }
}

/** The folder, filter and page in the address; opening another folder can be undone with 后退. */
export function useFileAddress() {
  const [params, setParams] = useSearchParams()
  const address = readAddress(params)
  const write = (next: FileAddress, replace: boolean): void => {
    const changed = parts.filter(([key]) => next[key] !== initial[key])
    setParams(Object.fromEntries(changed.map(([key, name]) => [name, String(next[key])])), { replace })
  }
  return {
    address,
    openFolder: (dirId: Id): void =>
      write({ ...initial, order: address.order, size: address.size, dirId }, false),
    search: (keyword: string): void => write({ ...address, keyword, label: '', page: 1 }, true),
    showLabel: (label: string): void => write({ ...address, label, keyword: '', page: 1 }, true),
    setOrder: (order: string): void => write({ ...address, order, page: 1 }, true),
    setPage: (page: number, size: number): void => write({ ...address, page, size }, true),
  }
}
