/** Where the screens of merchants stand. */
export const places = {
  list: '/customer/merchantlist',
  add: '/customer/merchantlist/addmerchant',
  edit: '/customer/merchantlist/editmerchant',
  see: '/customer/merchantlist/merchantdetail',
} as const

export const seeMerchant = (id: number): string => `${places.see}?id=${id}`
