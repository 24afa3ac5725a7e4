const base = '/finance/chargemanage/cashsetting'

/** Where the screens of this module are. */
export const places = {
  setting: base,
  relations: `${base}/relevance`,
  bind: `${base}/batchbind`,
  addItem: `${base}/addfeeitem`,
  editItem: `${base}/editfeeitem`,
  addFormula: `${base}/addformula`,
  editFormula: `${base}/editformula`,
  addStandard: `${base}/addstandard`,
  editStandard: `${base}/editstandard`,
  standard: `${base}/standarddetail`,
  /** Of the bills: unpaid ones that the old price made (FEE-6). */
  reprice: '/finance/chargemanage/chargeList/reprice',
} as const

/** A first price that was always there has no day of its own to show. */
export const since = (day: string | undefined): string =>
  day === undefined ? '' : day === '2000-01-01' ? '一直' : day

export const see = (path: string, id: number): string => `${path}?id=${id}`
