import type { Id } from '#kit/domain/id.ts'
import { paths as feePaths } from '#modules/fees/module.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import type { Action } from '#kit/web/action.tsx'
import { paths } from '../module.ts'

export { paths } from '../module.ts'

/** What follows an import of people: their rooms are charged. */
export const bindStandardsAction = (): Action | false => screenAction(feePaths.bind, {}, '绑定收费标准')

export const personPath = (id: Id): string => `${paths.seePerson}?id=${id}`
/** The rooms of a person, for moving out or a change of owner. */
export const residencyPath = (id: Id): string => `${paths.links}?userId=${id}`
export const residentPath = (id: Id): string => `${paths.see}?id=${id}`
/** The person, at the change of the telephone. */
export const mobilePath = (id: Id): string => `${residentPath(id)}&do=mobile`
