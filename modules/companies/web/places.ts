/** Where the screens of companies stand. */
export const places = {
  list: '/customer/companyManage',
  add: '/customer/companyManage/add',
  edit: '/customer/companyManage/edit',
  see: '/customer/companyManage/view',
  export: '/customer/companyManage/viewExport',
  moveOut: '/customer/companyManage/moveOut',
  workers: '/customer/companyManage/workers',
  join: '/join',
} as const

export const seeCompany = (id: number): string => `${places.see}?id=${id}`
export const moveOutOf = (id: number): string => `${places.moveOut}?id=${id}`
