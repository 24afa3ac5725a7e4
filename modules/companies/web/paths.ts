/** Where the screens of companies stand. */
export const paths = {
  list: '/customer/companyManage',
  add: '/customer/companyManage/add',
  edit: '/customer/companyManage/edit',
  see: '/customer/companyManage/view',
  export: '/customer/companyManage/viewExport',
  moveOut: '/customer/companyManage/moveOut',
  workers: '/customer/companyManage/workers',
  join: '/join',
} as const

export const companyPath = (id: number): string => `${paths.see}?id=${id}`
export const moveOutPath = (id: number): string => `${paths.moveOut}?id=${id}`
