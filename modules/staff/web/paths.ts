/** Where the screens of departments and staff stand. */
export const paths = {
  list: '/internal/personnel/addresslist',
  add: '/internal/personnel/addresslist/add',
  edit: '/internal/personnel/addresslist/edit',
  detail: '/internal/personnel/addresslist/detail',
  tags: '/internal/personnel/stafftags',
} as const

export const getStaffDetailPath = (id: number): string => `${paths.detail}?id=${id}`
