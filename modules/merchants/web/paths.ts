/** Where the screens of merchants stand. */
export const paths = {
  list: '/customer/merchantlist',
  add: '/customer/merchantlist/addmerchant',
  edit: '/customer/merchantlist/editmerchant',
  see: '/customer/merchantlist/merchantdetail',
} as const

export const merchantPath = (id: number): string => `${paths.see}?id=${id}`
