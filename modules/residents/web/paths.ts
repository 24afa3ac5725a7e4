import type { Id } from '#kit/domain/id.ts'
import { paths } from '../module.ts'

export { paths } from '../module.ts'

export const personPath = (id: Id): string => `${paths.seePerson}?id=${id}`
/** The rooms of a person, for moving out or a change of owner. */
export const residencyPath = (id: Id): string => `${paths.links}?userId=${id}`
export const residentPath = (id: Id): string => `${paths.see}?id=${id}`
/** The person, at the change of the telephone. */
export const mobilePath = (id: Id): string => `${residentPath(id)}&do=mobile`
