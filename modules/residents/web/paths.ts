import type { Id } from '#kit/domain/id.ts'

/** Where the screens of residents stand. */
export const paths = {
  list: '/customer/usermanage',
  add: '/customer/usermanage/adduser',
  edit: '/customer/usermanage/edituser',
  see: '/customer/usermanage/userdetail',
  moveIn: '/customer/usermanage/immigration',
  links: '/customer/usermanage/residency',
  moves: '/customer/usermanage/movements',
  blocks: '/customer/usermanage/blocklist',
  merge: '/customer/usermanage/merge',
  people: '/baseuserlist',
  addPerson: '/addbaseuser',
  seePerson: '/baseuserdetail',
  cards: '/customer/usermanage/cards',
  faces: '/customer/usermanage/faces',
} as const

export const personPath = (id: Id): string => `${paths.seePerson}?id=${id}`
/** The rooms of a person, for moving out or a change of owner. */
export const residencyPath = (id: Id): string => `${paths.links}?userId=${id}`
export const residentPath = (id: Id): string => `${paths.see}?id=${id}`
/** The person, at the change of the telephone. */
export const mobilePath = (id: Id): string => `${residentPath(id)}&do=mobile`
