/** Where the screens of departments and staff stand. */
export const places = {
  list: '/internal/personnel/addresslist',
  add: '/internal/personnel/addresslist/add',
  edit: '/internal/personnel/addresslist/edit',
  see: '/internal/personnel/addresslist/detail',
  tags: '/internal/personnel/stafftags',
} as const

export const seeStaff = (id: number): string => `${places.see}?id=${id}`
